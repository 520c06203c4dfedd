import { Writable } from 'node:stream';
import { LineSplitter } from '../../protocol/ndjson.ts';

/**
 * Takes bytes for a peer and gives each line to `take`, which writes what becomes of it to that peer. It ends and closes with the peer, and
 * takes no more while the peer has no room.
 */
export function lineSink(peer: Writable, maxLine: number, take: (line: Buffer) => void): Writable {
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
      if (!peer.writableNeedDrain || peer.destroyed) done();
      else {
        const settle = (): void => {
          peer.off('drain', settle);
          peer.off('close', settle);
          done();
        };
        peer.on('drain', settle);
        peer.on('close', settle);
      }
    },
    final(done) {
      lines.end(visit);
      peer.end();
      done();
    },
  });
  sink.on('error', () => {});
  peer.once('close', () => sink.destroy());
  return sink;
}
