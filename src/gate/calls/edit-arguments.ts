import { SUBJECT_METHODS } from '../../core/call.ts';
import { redactedMark } from '../../core/dlp/redact-text.ts';
import type { ArgumentSecret } from '../../core/finding.ts';
import type { Step } from '../../core/outgoing/argument-texts.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../protocol/json-bytes.ts';
import { decodeString } from '../../protocol/json-key.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import type { Message, Span } from '../../protocol/message.ts';
import { unitOffsets } from '../detection/redaction.ts';

/** Methods whose arguments are `params.arguments` and nothing else. */
const EDITABLE: ReadonlySet<string> = new Set([SUBJECT_METHODS.tool, SUBJECT_METHODS.prompt]);

/** Tells whether the arguments of a method's messages can be changed. */
export function mayEdit(method: string): boolean {
  return EDITABLE.has(method);
}

interface Edit extends Span {
  readonly text: string;
}

/** A part of a message, and the secrets in it. */
export interface SearchedPart {
  /** The part of the envelope, and the member of it that was searched; all of it was if undefined. */
  readonly of: 'params' | 'result' | 'error';
  readonly member: string | undefined;
  readonly secrets: readonly ArgumentSecret[];
}

/**
 * The message with `[redacted:KIND]` in place of its secrets, all other bytes as they were sent.
 *
 * @returns as a line; undefined if not all of them can be taken out
 */
export function editedLine(message: Message, parts: readonly SearchedPart[]): string | undefined {
  const edits: Edit[] = [];
  for (const part of parts) {
    const span = message[part.of];
    const found = span === undefined ? undefined : editsIn(message.bytes, span, part);
    if (found === undefined) return undefined;
    edits.push(...found);
  }
  return `${spliced(
    message.bytes,
    message,
    edits.toSorted((a, b) => a.start - b.start),
  )}\n`;
}

function spliced(bytes: Buffer, { start, end }: Span, edits: readonly Edit[]): string {
  let text = '';
  let at = start;
  for (const edit of edits) {
    text += bytes.toString('utf8', at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + bytes.toString('utf8', at, end);
}

/** An open object or array: the name or the index of its current member. */
interface Level {
  readonly isArray: boolean;
  step: Step;
}

/** The edits in the order of the bytes. @param span of valid JSON */
function editsIn(bytes: Buffer, span: Span, { member, secrets }: SearchedPart): readonly Edit[] | undefined {
  if (secrets.some(({ spans }) => spans === undefined)) return undefined;
  const within: readonly Step[] = member === undefined ? [] : [member];
  const wanted = new Map(secrets.map((secret) => [JSON.stringify([...within, ...secret.steps]), secret]));
  const edits: Edit[] = [];
  const levels: Level[] = [];
  const scanner = new JsonScanner();
  let isName = false;
  for (let pos = span.start; pos < span.end && wanted.size > 0;) {
    const byte = bytes[pos] as number;
    const top = levels.at(-1);
    if (byte === QUOTE) {
      scanner.reset(bytes, pos, span.end);
      if (!scanner.skipString()) return undefined;
      if (isName && top !== undefined) top.step = decodeString(bytes, pos, scanner.pos) ?? '';
      else {
        const place = JSON.stringify(levels.map(({ step }) => step));
        const secret = wanted.get(place);
        if (secret !== undefined) {
          for (const edit of editsOf(bytes, { start: pos, end: scanner.pos }, secret)) edits.push(edit);
          wanted.delete(place);
        }
      }
      pos = scanner.pos;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      levels.push({ isArray: byte === OPEN_BRACKET, step: byte === OPEN_BRACKET ? 0 : '' });
      isName = byte === OPEN_BRACE;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) levels.pop();
    else if (byte === COLON) isName = false;
    else if (byte === COMMA && top !== undefined) {
      if (typeof top.step === 'number') top.step += 1;
      isName = !top.isArray;
    }
    pos += 1;
  }
  return wanted.size === 0 ? edits : undefined;
}

/** Replaces the spans within a string, without its quotes. */
function editsOf(bytes: Buffer, span: Span, { spans = [] }: ArgumentSecret): readonly Edit[] {
  const units = spans.flatMap(({ start, end }) => [start, end]);
  const offsets = unitOffsets(bytes, span, units);
  return spans.map(({ kind }, index) => ({
    start: offsets[2 * index] as number,
    end: offsets[2 * index + 1] as number,
    text: JSON.stringify(redactedMark(kind)).slice(1, -1),
  }));
}
