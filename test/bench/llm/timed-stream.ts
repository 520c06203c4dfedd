import { connect } from 'node:net';
import type { Target } from '../http/targets.ts';
import { ask, type Plan, toBytes } from './messages.ts';
import { MESSAGES_WIRE, type Wire } from './wires.ts';

/** What came of one stream, and when. */
export interface TimedStream {
  /** All of it, with what frames it on the wire. */
  readonly text: string;
  /** When the byte at this offset came, in nanoseconds of the machine's monotonic clock. */
  readonly arrival: (offset: number) => number;
}

/** Asks on a connection of its own. Nothing is looked at before the stream's end: that would be measured, too. */
export function readTimed(target: Target, plan: Plan, { endpoint, last }: Wire = MESSAGES_WIRE): Promise<TimedStream> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const ends: number[] = [];
    const times: number[] = [];
    let length = 0;
    const socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true });
    socket.on('data', (piece) => {
      times.push(Number(process.hrtime.bigint()));
      pieces.push(piece);
      length += piece.length;
      ends.push(length);
      if (last.test(piece.toString('latin1'))) socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      const text = Buffer.concat(pieces).toString('latin1');
      if (!text.startsWith('HTTP/1.1 200 ') || !last.test(text)) {
        reject(new Error(`no whole stream came:\n${text.slice(0, 400)}`));
        return;
      }
      const arrival = (offset: number): number => times[ends.findIndex((end) => offset < end)] ?? Number.NaN;
      resolve({ text, arrival });
    });
    socket.write(toBytes(ask(target, plan, endpoint)), 'latin1');
  });
}
