import type { Socket } from 'node:net';
import type { Interceptor } from '../../gate/interceptor.ts';
import { PerCaller } from '../http/per-caller.ts';
import { Gates } from './gates.ts';

interface CallerGatesOptions<Caller> {
  readonly create: (caller: Caller) => Interceptor;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** Who calls over a connection; the same object for the same caller. Never rejects. */
  readonly callerOf: (socket: Socket) => Caller | Promise<Caller>;
}

/** The gates of one remote server, apart for each caller: whatever id of a session one of them sends, it never gets another's gate. */
export class CallerGates<Caller> extends PerCaller<Caller, Gates> {
  constructor({ create, now, callerOf }: CallerGatesOptions<Caller>) {
    super({ create: (caller) => new Gates({ create: () => create(caller), now }), callerOf });
  }

  get sessions(): number {
    return this.sum(({ sessions }) => sessions);
  }

  /** How many gates there are in all. */
  get size(): number {
    return this.sum(({ size }) => size);
  }
}
