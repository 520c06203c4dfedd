import { SseSplitter } from '../../../src/protocol/sse/splitter.ts';

/** What a frame says, and whether it is plain. */
export interface ReadFrame {
  readonly data: string | undefined;
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly retry: string | undefined;
  readonly isPlain: boolean;
}

/** All that was visited, and what was left at the end. */
export interface Reading {
  readonly frames: readonly ReadFrame[];
  /** The bytes of all frames and the rest, in a row. */
  readonly forwarded: Buffer;
  readonly rest: string;
  readonly isTrusted: boolean;
}

/** Feeds the chunks. What a visit is given is copied at once, and each chunk is wiped after its turn, so that nothing is read late. */
export function readStream(chunks: readonly Buffer[], maxFrame = 10_000_000): Reading {
  const frames: ReadFrame[] = [];
  const pieces: Buffer[] = [];
  const splitter = new SseSplitter({ maxFrame });
  let isTrusted = true;
  for (const chunk of chunks) {
    const own = Buffer.from(chunk);
    isTrusted = splitter.push(own, ({ bytes, start, end, data, dataStart, dataEnd, event, id, retry, isPlain }) => {
      frames.push({ data: data?.toString('utf8', dataStart, dataEnd), event, id, retry, isPlain });
      pieces.push(Buffer.from(bytes.subarray(start, end)));
    });
    own.fill('!');
  }
  const rest = splitter.end();
  return { frames, forwarded: Buffer.concat([...pieces, rest]), rest: rest.toString(), isTrusted };
}

/** Frames that say something. */
export function saying(frames: readonly ReadFrame[]): readonly Omit<ReadFrame, 'isPlain'>[] {
  return frames
    .filter(({ data, id, retry }) => data !== undefined || id !== undefined || retry !== undefined)
    .map(({ data, event, id, retry }) => ({ data, event: data === undefined ? undefined : event, id, retry }));
}

/** Cuts bytes at the given places. */
export function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

/** Pieces of so many bytes. */
export function inPieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** The frames of a stream that comes in one chunk. */
export function framesOf(stream: string | Buffer): readonly ReadFrame[] {
  return readStream([typeof stream === 'string' ? Buffer.from(stream) : stream]).frames;
}

/** A plain frame that says nothing but this. */
export function frame(fields: Partial<ReadFrame>): ReadFrame {
  return { data: undefined, event: undefined, id: undefined, retry: undefined, isPlain: true, ...fields };
}
