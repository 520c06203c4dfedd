import type { SseEvent } from '../sse/splitter.ts';

/** Does a frame without data say nothing at all: comments and blank lines, which readers skip? */
export function isComment({ bytes, start, end }: SseEvent): boolean {
  let at = start;
  while (at < end) {
    const lineFeed = bytes.indexOf(0x0a, at);
    const next = lineFeed === -1 || lineFeed >= end ? end : lineFeed + 1;
    const first = bytes[at];
    if (first !== 0x3a && first !== 0x0a && !(first === 0x0d && next === at + 2)) return false;
    at = next;
  }
  return true;
}
