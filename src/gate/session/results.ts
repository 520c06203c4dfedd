import { setTimeout } from 'node:timers/promises';
import type { Message, Span } from '../../protocol/message.ts';
import { SECRET_SOURCE } from '../../core/outgoing/known-secrets.ts';
import type { Tally } from '../tally.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { Recorder, ForwardedCall } from '../recorder.ts';
import { InSteps } from './in-steps.ts';
import { textsIn } from './result-texts.ts';
import type { SessionView } from './session-view.ts';

/** Milliseconds before a result is read: it is sent first, and nothing holds it up. Less if calls may have to wait for it. */
const AFTER = { usual: 15, awaited: 1 } as const;

/** Milliseconds after which a failed write is tried again. */
const AGAIN_AFTER = 100;

/** Most bytes of a result that are read, and most results and bytes that may wait for that. */
const MOST_OF_ONE = 1024 * 1024;
const MOST_WAITING = 256;
const MOST_BYTES = 16 * 1024 * 1024;

/** Microseconds of reading after which the values are written. */
const MOST_AT_ONCE = 100_000;

type ResultsSession = Pick<
  SessionView,
  'isActive' | 'passResult' | 'readResult' | 'readSecrets' | 'readTold' | 'remember' | 'rememberAs'
>;

interface ResultsParts {
  readonly recorder: Recorder;
  readonly session: ResultsSession;
  readonly tally: Tally;
}

interface Found {
  readonly source: string;
  readonly time: number;
  readonly hashes: Uint8Array;
  /** Those of the secrets among them. */
  readonly secrets: Uint8Array | undefined;
  /** The values that it tells a reader to act on. */
  readonly told: { readonly source: string; readonly hashes: Uint8Array } | undefined;
  readonly settle: (() => void) | undefined;
}

interface Waiting {
  /** Id of the call's record. */
  readonly source: string;
  readonly time: number;
  readonly bytes: Buffer;
  readonly isCut: boolean;
  /** Called when its values are known; undefined if nobody waits for that. */
  readonly settle: (() => void) | undefined;
}

/** Reads the values in the server's results, so that they are recognised elsewhere. The results have gone on by then. */
export class Results {
  /** The newest call that went on: a server's message that does not tell which request it answers counts as its result. */
  newestCall: ForwardedCall | undefined;
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #session: ResultsSession;
  readonly #tally: Tally;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #work: Promise<void> | undefined;
  #isOver = false;
  /** The result that is being read. */
  #current: Waiting | undefined;
  readonly #steps: InSteps;

  constructor(setup: GateSetup, { recorder, session, tally }: ResultsParts) {
    this.#setup = setup;
    this.#steps = new InSteps(setup.ports.clock);
    this.#recorder = recorder;
    this.#session = session;
    this.#tally = tally;
  }

  /** Copies a result, or the error in its place, which goes on right after. @param source id of the record of the call that it answers */
  note(source: string, message: Pick<Message, 'bytes' | 'result'> & { readonly error?: Span | undefined }): void {
    // Clients show errors to the model, too.
    const { bytes, result = message.error } = message;
    if (result === undefined || this.#isOver || !this.#session.isActive) return;
    const length = Math.min(result.end - result.start, MOST_OF_ONE);
    if (this.#waiting.length >= MOST_WAITING || this.#bytes + length > MOST_BYTES) {
      this.#tally.countResult('not_read');
      return;
    }
    this.#bytes += length;
    this.#waiting.push({
      source,
      time: this.#setup.ports.clock.now(),
      bytes: Buffer.from(bytes.subarray(result.start, result.start + length)),
      isCut: result.end - result.start > length,
      settle: this.#session.passResult(),
    });
    this.#work ??= this.#readAll()
      .catch((error: unknown) => this.#setup.ports.warn(`could not store the values in results: ${String(error)}`))
      .finally(() => {
        this.#work = undefined;
      });
  }

  /**
   * Stops reading when the connection ends: nothing can be written after that, and trying would keep the process alive. Remaining results
   * count as not read.
   */
  stop(): void {
    this.#isOver = true;
    for (const { settle } of this.#waiting.splice(0)) {
      this.#tally.countResult('not_read');
      settle?.();
    }
  }

  /** True if calls may wait for results that are not read yet. */
  get isReading(): boolean {
    return [this.#current, ...this.#waiting].some((one) => one?.settle !== undefined);
  }

  /** Resolves when all results that came are read. */
  async settled(): Promise<void> {
    await this.#work;
  }

  async #readAll(): Promise<void> {
    const { clock } = this.#setup.ports;
    let found: Found[] = [];
    let pause: number = AFTER.usual;
    for (;;) {
      const isAwaited = this.#waiting.some(({ settle }) => settle !== undefined);
      await setTimeout(isAwaited ? AFTER.awaited : pause);
      if (this.#waiting.length === 0 && found.length === 0) return;
      const ending = clock.elapsed() + MOST_AT_ONCE;
      while (this.#waiting.length > 0 && clock.elapsed() < ending) {
        const one = await this.#readNext();
        if (one !== undefined) found.push(one);
        await this.#steps.letOthers();
      }
      if (found.length === 0) continue;
      const isKnown = !this.#isOver && (await this.#remember(found));
      pause = isKnown ? AFTER.usual : AGAIN_AFTER;
      // Calls that wait for a result go on waiting while its values can't be written.
      const given = isKnown || this.#isOver ? found : found.slice(0, -MOST_WAITING);
      for (const { settle } of given) settle?.();
      found = found.slice(given.length);
    }
  }

  #remember(found: readonly Found[]): Promise<boolean> {
    const remember = (): boolean =>
      this.#recorder.within(() => {
        for (const one of found) {
          this.#session.remember(one);
          if (one.secrets !== undefined) this.#session.rememberAs(SECRET_SOURCE, { ...one, hashes: one.secrets });
          if (one.told !== undefined) this.#session.rememberAs(one.told.source, { ...one, hashes: one.told.hashes });
        }
        return true;
      }) === true;
    return this.#recorder.transact(remember, () => false);
  }

  async #readNext(): Promise<Found | undefined> {
    const one = this.#waiting.shift();
    if (one === undefined) return undefined;
    this.#bytes -= one.bytes.length;
    this.#current = one;
    try {
      const { texts, hasBinary } = textsIn(one.bytes);
      const read = await this.#steps.run(this.#session.readResult(texts));
      const told = await this.#steps.run(this.#session.readTold(texts));
      const isPart = one.isCut || hasBinary || read.isCut || read.hasBinary;
      this.#tally.countResult(hasBinary && texts.length === 0 ? 'not_read' : isPart ? 'cut' : 'read');
      const { source, time, settle } = one;
      if (read.hashes.length > 0 || (told?.hashes.length ?? 0) > 0)
        return { source, time, hashes: read.hashes, secrets: this.#session.readSecrets(texts), told, settle };
    } catch (error) {
      this.#tally.countResult('not_read');
      this.#setup.ports.warn(`could not read the values in a result: ${String(error)}`);
    } finally {
      this.#current = undefined;
    }
    one.settle?.();
    return undefined;
  }
}
