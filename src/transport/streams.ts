import type { Writable } from 'node:stream';

/** Writes unless the other side is gone: then there is nobody to write to, and its own ending is handled where it is awaited. */
export function write(sink: Writable, data: Buffer | string, written?: () => void): void {
  if (sink.writable) sink.write(data, written);
  else written?.();
}

export function onceDrainedOrClosed(sink: Writable, then: () => void): void {
  const settle = (): void => {
    sink.off('drain', settle);
    sink.off('close', settle);
    then();
  };
  sink.on('drain', settle);
  sink.on('close', settle);
}

/** Frees a chunk that has memory of its own, which a source makes anew for each: of a big message there would be hundreds of them before V8 sees need. */
export function giveBack(chunk: Buffer): void {
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) buffer.transfer(0);
}
