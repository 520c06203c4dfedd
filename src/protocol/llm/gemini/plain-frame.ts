import { JsonScanner } from '../../json-scanner.ts';
import { BytesTemplate, type TemplateValue } from '../../sse/bytes-template.ts';
import { stringBytesEnd } from '../../sse/string-bytes.ts';
import { QUOTE, COMMA, COLON, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE } from '../../json-bytes.ts';

const SPACE = 0x20;

/** Deepest nesting; `objects` has a bit for each level. */
const MOST_DEPTH = 30;

/** For what is between strings; those and white space are wider in HTTP than in a line. */
const SCANNER = new JsonScanner();

/** The keys of a stream of text. Nothing below them is a call, whatever it contains. */
const KEYS = [
  'candidates',
  'content',
  'parts',
  'text',
  'thought',
  'thoughtSignature',
  'role',
  'index',
  'finishReason',
  'safetyRatings',
  'category',
  'probability',
  'blocked',
  'avgLogprobs',
  'usageMetadata',
  'promptTokenCount',
  'candidatesTokenCount',
  'totalTokenCount',
  'thoughtsTokenCount',
  'cachedContentTokenCount',
  'toolUsePromptTokenCount',
  'promptTokensDetails',
  'candidatesTokensDetails',
  'cacheTokensDetails',
  'modality',
  'tokenCount',
  'trafficType',
  'serviceTier',
  'modelVersion',
  'responseId',
  'createTime',
];

const MASK = 4095;
const BY_HASH: (readonly Buffer[] | undefined)[] = Array.from({ length: MASK + 1 }, () => undefined);
for (const key of KEYS) {
  const bytes = Buffer.from(key);
  let hash = 0;
  for (const byte of bytes) hash = (hash * 31 + byte) & MASK;
  BY_HASH[hash] = [...(BY_HASH[hash] ?? []), bytes];
}

/**
 * Tells whether `bytes[start..end)` is an event that contains no call for any reader: one object in strict JSON to the very end, with known
 * keys only, none of which holds a call. False if it must be parsed.
 *
 * @param values receives the spans of its strings and numbers: start and end, in turn
 */
export function isPlainFrame(bytes: Buffer, start: number, end: number, values: number[] = []): boolean {
  let at = skipSpaces(bytes, start, end);
  if (bytes[at] !== OPEN_BRACE || at >= end) return false;
  let depth = 0;
  /** Marks which levels are objects: a bit for each, the innermost last. */
  let objects = 0;
  let isKey = false;
  for (;;) {
    if (isKey) {
      at = keyEnd(bytes, at, end);
      if (at === -1) return false;
      at = skipSpaces(bytes, at, end);
      if (at >= end || bytes[at] !== COLON) return false;
      at = skipSpaces(bytes, at + 1, end);
      isKey = false;
    }
    if (at >= end) return false;
    const first = bytes[at] as number;
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (++depth > MOST_DEPTH) return false;
      const isObject = first === OPEN_BRACE;
      objects = (objects << 1) | (isObject ? 1 : 0);
      at = skipSpaces(bytes, at + 1, end);
      if (at >= end || bytes[at] !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
        isKey = isObject;
        continue;
      }
    } else {
      const from = at;
      at = first === QUOTE ? stringEnd(bytes, at, end) : wordEnd(bytes, at, end);
      if (at === -1) return false;
      if (isVariable(first)) values.push(from, at);
      at = skipSpaces(bytes, at, end);
    }
    // The position is after a value, or at the bracket that closes an empty one.
    for (;;) {
      const next = at < end ? bytes[at] : undefined;
      const isObject = (objects & 1) === 1;
      if (next === COMMA) {
        isKey = isObject;
        at = skipSpaces(bytes, at + 1, end);
        break;
      }
      if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return false;
      objects >>>= 1;
      at = skipSpaces(bytes, at + 1, end);
      if (--depth === 0) return at >= end;
    }
  }
}

/** Tells whether it begins a string or a number. */
function isVariable(first: number): boolean {
  return first === QUOTE || first === 0x2d || (first >= 0x30 && first <= 0x39);
}

/** Returns the offset after a known key, else -1. */
function keyEnd(bytes: Buffer, start: number, end: number): number {
  if (start >= end || bytes[start] !== QUOTE) return -1;
  let hash = 0;
  let at = start + 1;
  for (; at < end && bytes[at] !== QUOTE; at++) hash = (hash * 31 + (bytes[at] as number)) & MASK;
  if (at >= end) return -1;
  for (const key of BY_HASH[hash] ?? []) if (isSame(bytes, start + 1, { end: at, key })) return at + 1;
  return -1;
}

function isSame(bytes: Buffer, start: number, { end, key }: { readonly end: number; readonly key: Buffer }): boolean {
  if (end - start !== key.length) return false;
  for (let i = 0; i < key.length; i++) if (bytes[start + i] !== key[i]) return false;
  return true;
}

/** Returns the offset after the string at `start`; -1 if it is unfinished or invalid. */
function stringEnd(bytes: Buffer, start: number, end: number): number {
  const quote = stringBytesEnd(bytes, start + 1, end);
  return quote === -1 ? -1 : quote + 1;
}

/** Returns the offset after a number, or one of the three words; -1 if it is neither. */
function wordEnd(bytes: Buffer, start: number, end: number): number {
  SCANNER.reset(bytes, start, end);
  return SCANNER.skipScalar(bytes[start] as number) ? SCANNER.pos : -1;
}

function skipSpaces(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    at++;
  }
  return at;
}

/**
 * Recognises events without calls, like `isPlainFrame`. Most of them equal the previous one except for words and counts, so comparing with
 * that suffices.
 */
export class FrameTemplate {
  readonly #known = new BytesTemplate();

  isPlain(bytes: Buffer, start: number, end: number): boolean {
    if (this.#known.match(bytes, start, end) === end) return true;
    const cuts: number[] = [];
    if (!isPlainFrame(bytes, start, end, cuts)) return false;
    const values: TemplateValue[] = [];
    for (let i = 0; i < cuts.length; i += 2) {
      const [from, to] = [cuts[i] as number, cuts[i + 1] as number];
      values.push({ kind: bytes[from] === QUOTE ? 'string' : 'digits', start: from, end: to });
    }
    this.#known.learn(bytes, { start, end }, values);
    return true;
  }
}
