import { INTERNAL_ERROR, readMessage } from '../protocol/jsonrpc.ts';
import type { Message } from '../protocol/message.ts';
import type { Connection } from './connection.ts';
import { messageText, requestIdOf } from './messages/message-parts.ts';
import { errorLine } from './calls/reply.ts';
import { BUSY, DROP, FORWARD, type RecordedVerdict, type Verdict } from './verdict.ts';

/** The verdict on a message; a promise only if somebody has to be asked. */
export type Judgement = Verdict | RecordedVerdict | Promise<Verdict>;

/** One direction of a connection. */
export interface Side {
  judge(message: Message): Verdict | Promise<Verdict>;
  /** The verdict on a message that would have gone on, but whose decision is not on record. */
  refuseUnrecorded(message: Message, verdict: Verdict): Verdict;
}

interface Undecided {
  readonly side: Side;
  readonly verdict: Promise<Verdict>;
  /** Number of calls recorded before the message was judged. */
  readonly added: number;
}

/**
 * Enforces three rules on verdicts. A message that can't be judged goes nowhere. A message whose record was lost goes nowhere, unless
 * `on_error` allows it. No answer names a record that was not written.
 */
export class FailClosed {
  readonly #connection: Connection;
  readonly #isObserving: boolean;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#isObserving = connection.setup.isObserving;
  }

  /** Judges a message. Never throws: a bug of ours must neither let a message pass nor end the connection. */
  judge(message: Message, side: Side): Judgement {
    const { added } = this.#connection.recorder;
    try {
      const verdict = side.judge(message);
      if (verdict instanceof Promise) return this.#isObserving ? FORWARD : this.#later(message, { side, verdict, added });
      if (this.#isObserving) return verdict === BUSY ? BUSY : FORWARD;
      if (!this.#needsRecord(verdict, added)) return verdict;
      return { kind: 'recorded', verdict, otherwise: () => this.#refuse(message, side, verdict) };
    } catch (error) {
      return this.#failed(message.kind === 'request' ? requestIdOf(message) : undefined, error);
    }
  }

  #refuse(message: Message, side: Side, verdict: Verdict): Verdict {
    try {
      if (verdict.kind === 'reply') return { kind: 'reply', line: verdict.unrecorded?.() ?? verdict.line };
      const isKept = this.#connection.setup.onError === 'allow' && verdict.kind === 'replace';
      if (isKept) return { ...verdict, reply: verdict.unrecorded?.() ?? verdict.reply ?? '' };
      return side.refuseUnrecorded(message, verdict);
    } catch (error) {
      return this.#failed(message.kind === 'request' ? requestIdOf(message) : undefined, error);
    }
  }

  /** Waits for a verdict that a person is asked for. Other calls of the same message were decided and recorded at once. */
  #later(message: Message, { side, verdict, added }: Undecided): Promise<Verdict> {
    const { recorder, scanner } = this.#connection;
    // Copied now: the message's bytes are freed while a person is asked.
    const id = message.kind === 'request' ? requestIdOf(message) : undefined;
    const copy = recorder.added === added ? undefined : Buffer.from(messageText(message));
    const transaction = recorder.current;
    const settle = async (settled: Verdict): Promise<Verdict> => {
      if (copy !== undefined) await recorder.closed();
      if (copy === undefined || !transaction.isLost || !this.#needsRecord(settled, added)) return settled;
      return this.#refuse(readMessage(scanner, copy, 0, copy.length), side, settled);
    };
    return verdict.then(settle).catch((error: unknown) => this.#failed(id, error));
  }

  /** @param added number of calls recorded before the message was judged */
  #needsRecord(verdict: Verdict, added: number): boolean {
    const { recorder, setup } = this.#connection;
    const isOnward = verdict.kind === 'forward' || (verdict.kind === 'replace' && verdict.line !== '');
    const namesRecords = (verdict.kind === 'reply' || verdict.kind === 'replace') && verdict.unrecorded !== undefined;
    return recorder.added !== added && (namesRecords || (isOnward && setup.onError === 'deny'));
  }

  /** @param id of the request, as JSON text; undefined if nobody waits for an answer */
  #failed(id: string | undefined, error: unknown): Verdict {
    this.#connection.setup.ports.warn(`could not judge a message, so it was not forwarded: ${String(error)}`);
    if (id === undefined) return DROP;
    return { kind: 'reply', line: errorLine(id, INTERNAL_ERROR, 'clawai failed to judge this message') };
  }
}
