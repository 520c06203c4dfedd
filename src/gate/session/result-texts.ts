import { decodeString } from '../../protocol/json-key.ts';
import { textOfBase64 } from '../messages/base64-text.ts';
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

/** Members whose values say what a result is and not what it has in it, where MCP gives them that meaning and they are short. */
const ABOUT: ReadonlySet<string> = new Set(['type', 'mimeType', 'role', 'audience', 'priority', 'lastModified', 'resultType']);
const LONG_ABOUT = 16;
/** Members that hold bytes as base64, of images and files. */
const BINARY: ReadonlySet<string> = new Set(['data', 'blob']);
/** Members in which servers name theirs as they like; an error has its own in `data`. */
const FREE: ReadonlySet<string> = new Set(['structuredContent', '_meta', 'data']);
/** What base64 has no signs for. */
const NO_BASE64 = /[^\w+/=\s-]/;
/** Characters from which on such a member is taken for bytes. */
const LONG = 256;

/** Characters from which on a member's name may be data itself, as the addresses or ids are that records are sorted by. */
const LONG_NAME = 12;
/** Names of that length that results have anyway. */
const USUAL: ReadonlySet<string> = new Set(['lastModified', 'structuredContent']);

/** Shorter numbers are everywhere. */
const LEAST_DIGITS = 8;

export interface ResultTexts {
  readonly texts: readonly string[];
  /** There were bytes in it that are no text. */
  readonly hasBinary: boolean;
}

/**
 * What a result has in it that a model may carry elsewhere: its texts and long numbers, in order, also where the bytes end in the middle.
 * Never throws.
 *
 * @param bytes JSON, or its beginning
 */
export function textsIn(bytes: Buffer): ResultTexts {
  const scanner = new JsonScanner();
  const texts: string[] = [];
  let hasBinary = false;
  let key: string | undefined;
  let depth = 0;
  /** How deep the outermost member lies in which names mean nothing to MCP. */
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

/** Bytes at the end of which an escape or a character may lie that is not whole: two escapes of half a character each. */
const MOST_BROKEN = 12;

/** Text of a string whose end is missing, as far as it is whole. */
function decodeRest(bytes: Buffer, start: number): string {
  const closed = Buffer.concat([bytes.subarray(start), Buffer.from('"')]);
  for (let end = closed.length; end > 1 && closed.length - end <= MOST_BROKEN; end--) {
    closed[end - 1] = QUOTE;
    const text = decodeString(closed, 0, end);
    if (text !== undefined && !text.endsWith('\ufffd')) return text;
  }
  return '';
}
