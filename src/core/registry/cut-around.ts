/** UTF-16 units of a text that are kept, but for the notes of what was left out. */
const MOST_KEPT = 200;

/** Of those, so many before the difference. */
const CONTEXT = 40;

/** Texts that differ, as they are told. */
export interface CutTexts {
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/**
 * Cuts two texts to what is around their difference: a little of what they share before it, then the beginning and the end of what
 * differs, or all of it with what follows. `…` stands where the beginning or the end of the text was cut off, `…(N more)…` where UTF-16
 * units of what differs were. Where only one is there, all of it differs.
 */
export function cutAround(previous: string | undefined, next: string | undefined): CutTexts {
  const start = previous === undefined || next === undefined ? 0 : sameStart(previous, next);
  const end = previous === undefined || next === undefined ? 0 : sameEnd(previous, next, start);
  return { previous: cut(previous, start, end), next: cut(next, start, end) };
}

/** @param start units that the texts share at their beginning @param end at their end */
function cut(text: string | undefined, start: number, end: number): string | undefined {
  if (text === undefined || text.length <= MOST_KEPT) return text;
  const from = toBoundary(text, Math.max(0, Math.min(start - CONTEXT, text.length - MOST_KEPT)));
  const head = from === 0 ? '' : '…';
  const last = toBoundary(text, text.length - end);
  if (last - from <= MOST_KEPT) {
    const to = toBoundary(text, from + MOST_KEPT);
    return `${head}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  }
  const half = toBoundary(text, from + MOST_KEPT / 2);
  const rest = toBoundary(text, last - MOST_KEPT / 2);
  return `${head}${text.slice(from, half)}…(${rest - half} more)…${text.slice(rest, last)}${last < text.length ? '…' : ''}`;
}

function sameStart(previous: string, next: string): number {
  const most = Math.min(previous.length, next.length);
  let count = 0;
  while (count < most && previous.charCodeAt(count) === next.charCodeAt(count)) count += 1;
  return count;
}

function sameEnd(previous: string, next: string, start: number): number {
  const most = Math.min(previous.length, next.length) - start;
  let count = 0;
  while (count < most && previous.charCodeAt(previous.length - 1 - count) === next.charCodeAt(next.length - 1 - count))
    count += 1;
  return count;
}

/** The next place, from here on, that is not within a surrogate pair. */
function toBoundary(text: string, at: number): number {
  const isWithin = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isWithin ? at + 1 : at;
}
