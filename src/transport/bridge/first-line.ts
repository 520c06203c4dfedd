import type { Readable } from 'node:stream';

/** Longer lines are no greetings. */
const LONGEST = 1024 * 1024;

/** Calls `then` with the first line of a stream that others read, too; with an empty one if it is too long. */
export function watchFirstLine(input: Readable, then: (line: Buffer) => void): void {
  let head: Buffer = Buffer.alloc(0);
  const watch = (chunk: Buffer): void => {
    // A copy, since the others use its memory again.
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\n');
    if (end === -1 && head.length < LONGEST) return;
    input.off('data', watch);
    then(head.subarray(0, Math.max(end, 0)));
  };
  input.prependListener('data', watch);
}
