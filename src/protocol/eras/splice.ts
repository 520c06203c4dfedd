import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE } from '../json-bytes.ts';
import { decodeString } from '../json-key.ts';
import type { JsonScanner } from '../json-scanner.ts';
import type { Message, Span } from '../message.ts';

/** Returns the bytes with `span` replaced by a text. */
export function replaceSpan(bytes: Buffer, { start, end }: Span, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)]);
}

/** Finds the value of a member of the object in `object`; undefined if there is none. */
export function findMember(scanner: JsonScanner, bytes: Buffer, object: Span, key: string): Span | undefined {
  scanner.reset(bytes, object.start, object.end);
  if (!scanner.take(OPEN_BRACE)) return undefined;
  do {
    scanner.peek();
    const start = scanner.pos;
    if (!scanner.skipString()) return undefined;
    const end = scanner.pos;
    if (!scanner.take(COLON)) return undefined;
    const value = scanner.takeValue(1);
    if (value === undefined) return undefined;
    if (decodeString(bytes, start, end) === key) return value;
  } while (scanner.take(COMMA));
  return undefined;
}

/** Puts members in front of those of an object. @param members as JSON text, without braces */
export function addMembers(scanner: JsonScanner, bytes: Buffer, object: Span, members: string): Buffer {
  scanner.reset(bytes, object.start, object.end);
  if (!scanner.take(OPEN_BRACE)) return bytes;
  const at = { start: scanner.pos, end: scanner.pos };
  return replaceSpan(bytes, at, scanner.peek() === CLOSE_BRACE ? members : `${members},`);
}

/** Puts members into the params of a message, which may have none yet. @param members as JSON text, without braces */
export function addParams(scanner: JsonScanner, { bytes, params }: Message, members: string): Buffer {
  if (params !== undefined) return addMembers(scanner, bytes, params, members);
  const end = bytes.lastIndexOf(CLOSE_BRACE);
  return replaceSpan(bytes, { start: end, end }, `,"params":{${members}}`);
}

/** Puts members into `params._meta` of a message, which may have neither yet. @param members as JSON text, without braces */
export function addMeta(scanner: JsonScanner, message: Message, members: string): Buffer {
  const { bytes, params } = message;
  const meta = params === undefined ? undefined : findMember(scanner, bytes, params, '_meta');
  if (meta === undefined) return addParams(scanner, message, `"_meta":{${members}}`);
  return addMembers(scanner, bytes, meta, members);
}
