import { BACKSLASH, QUOTE } from '../../json-bytes.ts';
import { closedStringEnd, type TextSpan } from '../json-text.ts';

/** An object or a list around a string; the same one for all that are directly in it. */
export interface StringHolder {
  readonly isObject: boolean;
  readonly holder: StringHolder | undefined;
  /** The key of its own, or of the list that it is in. */
  readonly name: string | undefined;
  /** How many elements of a list have begun; all of them after the visit. */
  readonly count: number;
}

export interface FoundString {
  readonly span: TextSpan;
  /** The key of the string or of its list; undefined at the top, and for a key. */
  readonly name: string | undefined;
  readonly isKey: boolean;
  readonly holder: StringHolder | undefined;
  /** The place in a list, from 0. */
  readonly index: number;
}

interface Open extends StringHolder {
  readonly holder: Open | undefined;
  count: number;
  readonly isWithin: boolean;
  /** The key of an object's present member; for a list, the key of its own. */
  key: string | undefined;
  isSkipped: boolean;
}

/**
 * Visits all strings of a value, also keys, in one pass however deep they are. @param skips tells by its name which member's strings are left
 * out
 */
export function visitStrings(
  text: string,
  span: TextSpan,
  take: (string: FoundString) => void,
  skips?: (name: string) => boolean,
): void {
  let inner: Open | undefined;
  let isKey = false;
  for (let at = span.start; at < span.end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = Math.min(closedStringEnd(text, at) ?? span.end, span.end);
      const string = { span: { start: at, end }, holder: inner, index: inner?.count ?? 0 };
      if (isKey && inner !== undefined) {
        inner.key = keyAt(text, at, end);
        inner.isSkipped = inner.isWithin || skips?.(inner.key) === true;
        if (!inner.isSkipped) take({ ...string, name: undefined, isKey });
      } else if (inner?.isSkipped !== true) take({ ...string, name: inner?.key, isKey: false });
      isKey = false;
      at = end - 1;
    } else if (code === 0x7b || code === 0x5b) {
      isKey = code === 0x7b;
      const isWithin = inner?.isSkipped === true;
      const name: string | undefined = inner?.key;
      inner = { isObject: isKey, holder: inner, name, count: 0, isWithin, key: name, isSkipped: isWithin };
    } else if (code === 0x7d || code === 0x5d) {
      inner = inner?.holder;
      isKey = false;
    } else if (code === 0x2c && inner !== undefined) {
      inner.count += 1;
      isKey = inner.isObject;
    }
  }
}

function keyAt(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1);
  if (!inside.includes(String.fromCharCode(BACKSLASH))) return inside;
  return JSON.parse(text.slice(start, end)) as string;
}
