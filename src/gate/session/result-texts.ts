import { decodeString } from '../../protocol/json-key.ts';
import { textOfBase64 } from '../messages/read-value.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import {
  QUOTE,
  COLON,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  OPEN_BRACE,
  CLOSE_BRACE,
  MINUS,
  ZERO,
  NINE,
} from '../../protocol/json-bytes.ts';

/** Members whose short values describe a result and are not its content, where MCP gives them that meaning. */
const ABOUT: ReadonlySet<string> = new Set(['type', 'mimeType', 'role', 'audience', 'priority', 'lastModified', 'resultType']);
const LONG_ABOUT = 16;
/** Members that hold bytes as base64, of images and files. */
const BINARY: ReadonlySet<string> = new Set(['data', 'blob']);
/** Members in which servers choose the names; errors have theirs in `data`. */
const FREE: ReadonlySet<string> = new Set(['structuredContent', '_meta', 'data']);
/** Matches a character outside of base64. */
const NO_BASE64 = /[^\w+/=\s-]/;
/** Least characters of such a member to be taken for bytes. */
const LONG = 256;

/** Least characters of a member's name that may be data itself, such as the addresses or ids that records are sorted by. */
const LONG_NAME = 12;
/** Names of that length that all results may have. */
const USUAL: ReadonlySet<string> = new Set(['lastModified', 'structuredContent']);

/** Shorter numbers are everywhere. */
const LEAST_DIGITS = 8;

export interface ResultTexts {
  readonly texts: readonly string[];
  /** True if the result contains bytes that are not text. */
  readonly hasBinary: boolean;
}

/**
 * Collects the parts of a result that a model may carry elsewhere: its texts and long numbers, in order, even if the bytes end in the
 * middle. Never throws.
 *
 * @param bytes JSON, or its beginning
 */
export function textsIn(bytes: Buffer): ResultTexts {
  const scanner = new JsonScanner();
  const texts: string[] = [];
  let hasBinary = false;
  let key: string | undefined;
  let depth = 0;
  /** Depth of the outermost member in which names mean nothing to MCP. */
  let free = Number.POSITIVE_INFINITY;
  const isAbout = (): boolean => key !== undefined && depth < free && ABOUT.has(key);
  const isBinary = (): boolean => key !== undefined && depth < free && BINARY.has(key);
  for (let pos = 0; pos < bytes.length;) {
    const byte = bytes[pos] as number;
    if (byte === QUOTE) {
      scanner.reset(bytes, pos, bytes.length);
      if (!scanner.skipString()) {
        const rest = decodeRest(bytes, pos);
        if (rest !== '' && !isBinary()) texts.push(rest);
        break;
      }
      const text = decodeString(bytes, pos, scanner.pos);
      pos = scanner.pos;
      if (scanner.peek() === COLON) {
        key = text;
        if (text !== undefined && text.length >= LONG_NAME && !USUAL.has(text)) texts.push(text);
      } else if (text !== undefined) {
        const isBytes = isBinary() && text.length >= LONG && !NO_BASE64.test(text);
        const read = isBytes ? textOfBase64(text) : text;
        hasBinary ||= read === undefined;
        if (read !== undefined && read !== '' && !(isAbout() && read.length < LONG_ABOUT)) texts.push(read);
        key = undefined;
      }
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      scanner.reset(bytes, pos, bytes.length);
      scanner.skipNumber();
      if (scanner.pos - pos >= LEAST_DIGITS) texts.push(bytes.toString('latin1', pos, scanner.pos));
      pos = scanner.pos;
    } else {
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth++;
        if (depth < free && key !== undefined && FREE.has(key)) free = depth;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (depth === free) free = Number.POSITIVE_INFINITY;
        depth--;
      }
      pos++;
    }
  }
  return { texts, hasBinary };
}

/** Most bytes at the end that may belong to an incomplete escape or character: two escapes of half a character each. */
const MOST_BROKEN = 12;

/** Decodes a string without its end, as far as it is complete. */
function decodeRest(bytes: Buffer, start: number): string {
  const closed = Buffer.concat([bytes.subarray(start), Buffer.from('"')]);
  for (let end = closed.length; end > 1 && closed.length - end <= MOST_BROKEN; end--) {
    closed[end - 1] = QUOTE;
    const text = decodeString(closed, 0, end);
    if (text !== undefined && !text.endsWith('\ufffd')) return text;
  }
  return '';
}
