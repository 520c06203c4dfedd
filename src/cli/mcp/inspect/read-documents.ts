import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type JsonValue, parseJson } from '../../../core/json.ts';
import { ClawaiError } from '../../../errors.ts';
import { toDiskError } from '../../../host/disk.ts';
import { findJsonPlaces, toLineColumn } from '../../policy/fixtures/json-places.ts';
import { printable } from '../../terminal/text.ts';
import { nameOfFile, numberedLines } from '../../terminal/streams.ts';
import { findDefinitions, type ItemGroup, isContent, toResultItem } from './items.ts';

/** Bytes of a file that is one value, which is read as a whole, and of one line of JSON Lines. */
const MOST_WHOLE = 128 * 1024 * 1024;
const MOST_LINE = 64 * 1024 * 1024;

/** A value of a file; `line`, from 1, where each line is one. */
export interface ReadDocument {
  readonly value: JsonValue;
  readonly line: number | undefined;
}

interface DocumentSource {
  readonly chunks: AsyncIterable<Buffer>;
  /** The name of the file in errors. */
  readonly file: string;
  /** True if a source that is no JSON counts as one text. */
  readonly mayBeText: boolean;
  /** The hint for a source that can't be read. */
  readonly hint: string;
}

interface Line {
  readonly text: string;
  /** The line number, from 1. */
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
  for await (const lines of numberedLines(source.chunks, MOST_LINE)) {
    for (const { text, number, isText } of lines) {
      if (text === undefined) throw unreadable(source, `line ${number} is longer than ${MOST_LINE / 1024 / 1024} MiB`);
      if (!isText) throw unreadable(source, 'it is not UTF-8', { line: number });
      yield { text, number };
    }
  }
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

function unreadable(
  { file, hint }: DocumentSource,
  message: string,
  place: { readonly line?: number; readonly column?: number } = {},
): ClawaiError {
  return new ClawaiError(message, { code: 'inspect_unreadable', place: { file, ...place }, hint });
}

/** Bytes that are read at a time. */
const CHUNK = 1024 * 1024;

const HINTS = {
  definition: 'it holds one definition, an array of them, the answer to tools/list, or one of these a line',
  result:
    "it holds a call's result, any JSON value or a text, or one of these a line; a text that looks like JSON can be written as a JSON string",
} as const;

/**
 * Reads the things to inspect in a file; `-` is stdin.
 *
 * @throws ClawaiError `inspect_unreadable`, with the place where that is known
 */
export async function* readGroups(file: string, holds: 'definition' | 'result'): AsyncGenerator<ItemGroup, void> {
  const name = nameOfFile(file);
  const hint = HINTS[holds];
  const source = { chunks: await openChunks(file), file: name, mayBeText: holds === 'result', hint };
  try {
    for await (const { value, line } of readDocuments(source)) {
      const group = holds === 'definition' ? toDefinitionGroup(value) : toResultGroup(value, line);
      if (group === undefined) {
        const place = line === undefined ? { file: name } : { file: name, line };
        throw new ClawaiError('this is no definition', { code: 'inspect_unreadable', place, hint });
      }
      yield { ...group, line };
    }
  } catch (error) {
    throw toUnreadable(name, error);
  }
}

function toDefinitionGroup(value: JsonValue): ItemGroup | undefined {
  const found = findDefinitions(value);
  return found === undefined ? undefined : { server: '', ...found };
}

/** A line is one result, whatever it is; a file with an array holds several, unless these are the parts of one. */
function toResultGroup(value: JsonValue, line: number | undefined): ItemGroup {
  const isSeveral = line === undefined && Array.isArray(value) && !isContent(value as readonly JsonValue[]);
  const results = isSeveral ? (value as readonly JsonValue[]) : [value];
  return { server: '', items: results.map(toResultItem), skipped: [] };
}

async function openChunks(file: string): Promise<AsyncIterable<Buffer>> {
  if (file === '-') return process.stdin;
  try {
    if ((await stat(file)).isDirectory()) {
      throw new ClawaiError('this is a folder', { code: 'inspect_unreadable', place: { file }, hint: 'name a file in it' });
    }
  } catch (error) {
    throw toUnreadable(file, error);
  }
  return createReadStream(file, { highWaterMark: CHUNK });
}

function toUnreadable(file: string, cause: unknown): unknown {
  return toDiskError(cause, { file, failure: 'cannot be read', code: 'inspect_unreadable' });
}
