import { setTimeout } from 'node:timers/promises';
import type { Message } from '../protocol/message.ts';
import type { Census } from './census.ts';
import type { GateSetup } from './ports.ts';
import type { Recorder } from './recorder.ts';
import { textsIn } from './result-texts.ts';
import type { SessionView } from './session-view.ts';

/** Milliseconds after which a result is read: until then it is on its way, and nothing holds it up. */
const AFTER = 15;

/** Bytes of a result that are looked at, and results and bytes that may wait for that. */
const MOST_OF_ONE = 1024 * 1024;
const MOST_WAITING = 256;
const MOST_BYTES = 16 * 1024 * 1024;

interface Waiting {
  /** Id of the call's record. */
  readonly source: string;
  readonly time: number;
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** Reads what the server's results have in them, so that it is known when it turns up elsewhere. They have gone on by then. */
export class Results {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #session: SessionView;
  readonly #census: Census;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #work: Promise<void> | undefined;

  constructor(setup: GateSetup, { recorder, session, census }: { recorder: Recorder; session: SessionView; census: Census }) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#session = session;
    this.#census = census;
  }

  /** Takes a copy of a result. @param source id of the record of the call that it answers */
  note(source: string, { bytes, result }: Message): void {
    if (result === undefined) return;
    const length = Math.min(result.end - result.start, MOST_OF_ONE);
    if (this.#waiting.length >= MOST_WAITING || this.#bytes + length > MOST_BYTES) {
      this.#census.countResult('not_read');
      return;
    }
    this.#bytes += length;
    this.#waiting.push({
      source,
      time: this.#setup.ports.clock.now(),
      bytes: Buffer.from(bytes.subarray(result.start, result.start + length)),
      isCut: result.end - result.start > length,
    });
    this.#work ??= this.#readAll().finally(() => {
      this.#work = undefined;
    });
  }

  /** Resolves when all that has come is read. */
  async settled(): Promise<void> {
    await this.#work;
  }

  async #readAll(): Promise<void> {
    for (;;) {
      await setTimeout(AFTER);
      const one = this.#waiting.shift();
      if (one === undefined) return;
      this.#bytes -= one.bytes.length;
      try {
        await this.#read(one);
      } catch (error) {
        this.#census.countResult('not_read');
        this.#setup.ports.warn(`a result was not looked at for what it has in it: ${String(error)}`);
      }
    }
  }

  async #read({ source, time, bytes, isCut: isShort }: Waiting): Promise<void> {
    const { texts, hasBinary } = textsIn(bytes);
    const { hashes, isCut } = this.#setup.ports.provenance.read(texts);
    this.#census.countResult(isCut || isShort ? 'cut' : hasBinary && texts.length === 0 ? 'not_read' : 'read');
    if (hashes.length === 0) return;
    const remember = (): void => void this.#recorder.within(() => this.#session.remember({ source, time, hashes }));
    await this.#recorder.alone(remember, () => undefined);
  }
}
