import { Writable } from 'node:stream';
import { LineSplitter } from '../../protocol/ndjson.ts';

interface LineSinkOptions {
  readonly maxLine: number;
  /** Gets a line without its line feed, in memory of its own. */
  readonly take: (line: Buffer) => void;
  readonly opened: Promise<void>;
  /** Called when all lines were given to `take`. */
  readonly onEnd: () => void;
}

/**
 * Takes bytes for a peer and gives each line to `take`, which writes what becomes of it to that peer. It ends and closes with the peer, and
 * takes no more while the peer has no room, or before `opened` resolves.
 */
export function lineSink(peer: Writable, { maxLine, take, opened, onEnd }: LineSinkOptions): Writable {
  // Longer lines are refused before they come here.
  const lines = new LineSplitter(maxLine, () => {});
  const visit: Parameters<LineSplitter['push']>[1] = (bytes, start, end, _next, release) => {
    const line = Buffer.from(bytes.subarray(start, end));
    release?.();
    take(line);
  };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk, visit);
      void opened.then(() => whenRoom(peer, done));
    },
    async final(done) {
      lines.end(visit);
      onEnd();
      await opened;
      peer.end();
      done();
    },
  });
  sink.on('error', () => {});
  peer.once('close', () => sink.destroy());
  return sink;
}

function whenRoom(peer: Writable, then: () => void): void {
  if (!peer.writableNeedDrain || peer.destroyed) {
    then();
    return;
  }
  const settle = (): void => {
    peer.off('drain', settle);
    peer.off('close', settle);
    then();
  };
  peer.on('drain', settle);
  peer.on('close', settle);
}
