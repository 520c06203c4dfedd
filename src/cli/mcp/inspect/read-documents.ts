import { isUtf8 } from 'node:buffer';
import { type JsonValue, parseJson } from '../../../core/json.ts';
import { ClawaiError } from '../../../errors.ts';
import { LineSplitter } from '../../../protocol/ndjson.ts';
import { findJsonPlaces, toLineColumn } from '../../policy/fixtures/json-places.ts';
import { printable } from '../../terminal/printable.ts';

/** Bytes of a file that is one value, which is read as a whole, and of one line of JSON Lines. */
const MOST_WHOLE = 128 * 1024 * 1024;
const MOST_LINE = 64 * 1024 * 1024;

/** A value of a file; `line`, from 1, where each line is one. */
export interface ReadDocument {
  readonly value: JsonValue;
  readonly line: number | undefined;
}

export interface DocumentSource {
  readonly chunks: AsyncIterable<Buffer>;
  /** As it is named in errors. */
  readonly file: string;
  /** What is no JSON is one text. */
  readonly mayBeText: boolean;
  /** What to do where it can't be read. */
  readonly hint: string;
}

interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/**
 * The values of a file: the one that it is as a whole, or one for each line (JSON Lines), of which only one is in memory at a time.
 *
 * @throws ClawaiError `inspect_unreadable` with the place of what is no JSON, where it is no UTF-8, empty or too large
 */
export async function* readDocuments(source: DocumentSource): AsyncGenerator<ReadDocument, void> {
  const lines = readLines(source);
  const first = await nextLine(lines);
  if (first === undefined) throw unreadable(source, 'there is nothing in it');
  const value = tryParse(first.text);
  if (value === undefined) return yield { value: await readWhole(source, [first], lines), line: undefined };
  const second = await nextLine(lines);
  if (second === undefined) return yield { value, line: undefined };
  const isProse = source.mayBeText && !/^\s*[[{"]/.test(first.text) && tryParse(second.text) === undefined;
  if (isProse) return yield { value: await readWhole(source, [first, second], lines), line: undefined };
  yield { value, line: first.number };
  for (let line: Line | undefined = second; line !== undefined; line = await nextLine(lines)) {
    yield { value: parseLine(source, line), line: line.number };
  }
}

/** The next line that is not empty. */
async function nextLine(lines: AsyncGenerator<Line, void>): Promise<Line | undefined> {
  for (;;) {
    const next = await lines.next();
    if (next.done === true) return undefined;
    if (next.value.text.trim() !== '') return next.value;
  }
}

async function* readLines(source: DocumentSource): AsyncGenerator<Line, void> {
  let number = 0;
  let ready: Line[] = [];
  let fault: ClawaiError | undefined;
  const splitter = new LineSplitter(MOST_LINE, () => {
    fault ??= unreadable(source, `line ${++number} is longer than ${MOST_LINE / 1024 / 1024} MiB`);
  });
  const visit = (bytes: Buffer, start: number, end: number, _next: number, release?: () => void): void => {
    number += 1;
    if (!isUtf8(bytes.subarray(start, end))) fault ??= notText(source, number);
    const text = bytes.toString('utf8', start, end);
    release?.();
    if (fault === undefined) ready.push({ text: number === 1 ? text.replace(/^\uFEFF/, '') : text, number });
  };
  for await (const chunk of source.chunks) {
    splitter.push(chunk, visit);
    yield* ready;
    ready = [];
    if (fault !== undefined) throw fault;
  }
  splitter.end(visit);
  yield* ready;
  if (fault !== undefined) throw fault;
}

/** All of it is one value, or one text. */
async function readWhole(
  source: DocumentSource,
  begun: readonly [Line, ...Line[]],
  lines: AsyncIterable<Line>,
): Promise<JsonValue> {
  const texts = '\n'.repeat(begun[0].number - 1) + begun.map(({ text }) => text).join('\n');
  const parts = [texts];
  let length = texts.length;
  for await (const { text } of lines) {
    parts.push(text);
    length += text.length + 1;
    if (length > MOST_WHOLE) {
      throw unreadable(source, `it is one value of more than ${MOST_WHOLE / 1024 / 1024} MiB, or its first line is no JSON`);
    }
  }
  const text = parts.join('\n');
  const value = tryParse(text);
  if (value !== undefined) return value;
  if (source.mayBeText && !/^\s*[[{"]/.test(text)) return text;
  throw notJson(source, text, 0);
}

function parseLine(source: DocumentSource, { text, number }: Line): JsonValue {
  const value = tryParse(text);
  if (value === undefined) throw notJson(source, text, number - 1);
  return value;
}

/** @returns undefined for what is no JSON, or is nested more deeply than can be read */
function tryParse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @param linesBefore of the file, before `text` */
function notJson(source: DocumentSource, text: string, linesBefore: number): ClawaiError {
  const places = findJsonPlaces(text);
  if (places.ok) return unreadable(source, 'it is nested too deeply to be read', { line: linesBefore + 1 });
  const { line, column } = toLineColumn(text, places.offset);
  const found = String.fromCodePoint(text.codePointAt(places.offset) ?? 0);
  const what = places.offset >= text.length ? 'the end' : printable(JSON.stringify(found));
  return unreadable(source, `this is no JSON: expected ${places.expected}, found ${what}`, { line: linesBefore + line, column });
}

function notText(source: DocumentSource, line: number): ClawaiError {
  return unreadable(source, 'it is not UTF-8', { line });
}

function unreadable(
  { file, hint }: DocumentSource,
  message: string,
  place: { readonly line?: number; readonly column?: number } = {},
): ClawaiError {
  return new ClawaiError(message, { code: 'inspect_unreadable', place: { file, ...place }, hint });
}
