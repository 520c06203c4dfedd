import { BACKSLASH } from '../../json-bytes.ts';
import type { Edit, TextSpan } from '../json-text.ts';

const LOWER_U = 0x75;

/**
 * Moves edits of a decoded string to its source text, where each character may be an escape.
 *
 * @param text JSON
 * @param span a string in it, with its quotes
 * @param edits of the decoded string, in order; their texts need no escapes
 */
export function toSourceEdits<E extends Edit>(text: string, { start, end }: TextSpan, edits: readonly E[]): readonly E[] {
  const inside = start + 1;
  const firstEscape = edits.length === 0 ? -1 : text.indexOf('\\', inside);
  if (firstEscape === -1 || firstEscape >= end)
    return edits.map((edit) => ({ ...edit, start: inside + edit.start, end: inside + edit.end }));
  let source = firstEscape;
  let decoded = firstEscape - inside;
  /** Offsets must not decrease from call to call, unless they are before the first escape. */
  const toSource = (offset: number): number => {
    if (offset <= firstEscape - inside) return inside + offset;
    for (; decoded < offset; decoded++) {
      if (text.charCodeAt(source) !== BACKSLASH) source++;
      else source += text.charCodeAt(source + 1) === LOWER_U ? 6 : 2;
    }
    return source;
  };
  return edits.map((edit) => ({ ...edit, start: toSource(edit.start), end: toSource(edit.end) }));
}

/** Returns the JSON pointer (RFC 6901) of the innermost value around an offset. @param text valid JSON */
export function pointerAt(text: string, offset: number): string {
  const path: (string | number)[] = [];
  const open: ('object' | 'list')[] = [];
  for (let at = 0; at < offset; at++) {
    const character = text[at];
    if (character === '"') {
      const end = stringEndAt(text, at);
      if (end > offset) break;
      if (open.at(-1) === 'object' && path.at(-1) === '') path[path.length - 1] = JSON.parse(text.slice(at, end)) as string;
      at = end - 1;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? 'object' : 'list');
      path.push(character === '{' ? '' : 0);
    } else if (character === '}' || character === ']') {
      open.pop();
      path.pop();
    } else if (character === ',') {
      const last = path.at(-1);
      path[path.length - 1] = open.at(-1) === 'list' ? Number(last) + 1 : '';
    }
  }
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function stringEndAt(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text.charCodeAt(at) === BACKSLASH) at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
