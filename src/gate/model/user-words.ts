import { setTimeout } from 'node:timers/promises';
import { textsOf } from '../../core/flow/steering/find-steering.ts';
import { SAID_SOURCE } from '../../core/flow/steering/told-marks.ts';
import type { JsonObject } from '../../core/json.ts';
import type { JsonObject as SaidMembers } from '../../protocol/llm/json-object.ts';
import type { Flow } from '../../core/policy/parse-flow.ts';
import type { TextsName } from '../../protocol/llm/model-api.ts';
import { saidTexts } from '../../protocol/llm/said/said-texts.ts';
import type { PolicySource, Ports } from '../ports/ports.ts';
import { Recorder } from '../recorder.ts';
import { InSteps } from '../session/in-steps.ts';
import type { SessionMemory } from '../session/session-memory.ts';
import { currentMemory } from '../session/session-view.ts';
import type { Unread } from '../session/unread-results.ts';
import { KnownWords, NewWords } from './known-words.ts';

/** Milliseconds before a request is read: it goes on first. */
const AFTER = 1;

/** Most requests that wait to be read, and most characters of them. What is left out counts when a later request repeats it. */
const MOST_WAITING = 64;
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Most tools of a server whose definitions are compared. */
const MOST_TOOLS = 256;

interface UserWordsSetup {
  readonly ports: Ports;
  readonly policy: Pick<PolicySource, 'current'>;
  /** True if all that comes here is of one agent for sure: others' words must not count in its session. */
  readonly isSure: () => boolean;
}

/** A request to a model that has gone on. */
interface Asked {
  /** Its members with such words. */
  readonly said: SaidMembers;
  /** Characters of its text. */
  readonly length: number;
  readonly api: TextsName;
  /** True if the provider has the conversation so far. */
  readonly isContinued: boolean;
}

interface Waiting extends Asked {
  readonly time: number;
  /** The results that it may repeat. */
  readonly results: Unread | undefined;
  readonly settle: () => void;
}

/** Reads what the user and the system say in requests to a model, so that it counts as said in the agent's session. */
export class UserWords {
  readonly #setup: UserWordsSetup;
  readonly #recorder: Recorder;
  readonly #steps: InSteps;
  readonly #known = new KnownWords();
  /** The session that they are of. */
  #session: string | undefined;
  #waiting: Waiting[] = [];
  #characters = 0;
  #work: Promise<void> | undefined;

  constructor(setup: UserWordsSetup) {
    const { ports } = setup;
    this.#setup = setup;
    this.#recorder = new Recorder({ sink: ports.sink, clock: ports.clock, warn: ports.warn });
    this.#steps = new InSteps(ports.clock);
  }

  /** Takes a request that goes on right after. Calls wait until it is read. Never throws. */
  take(asked: Asked): void {
    const { ports, isSure } = this.#setup;
    if (!this.#isOn) return;
    try {
      if (!isSure()) return;
      if (this.#waiting.length >= MOST_WAITING || this.#characters + asked.length > MOST_CHARACTERS) return;
      const { unread } = ports.memories().of(ports.session());
      const results = unread.find('')(true);
      this.#characters += asked.length;
      this.#waiting.push({ ...asked, time: ports.clock.now(), results, settle: unread.pass('') });
    } catch (error) {
      return this.#warn(error);
    }
    this.#work ??= this.#readAll().finally(() => (this.#work = undefined));
  }

  /** Notes what the model wrote in a call: a helper may get it as if a user said it. */
  noteCall(args: JsonObject): void {
    if (!this.#isOn) return;
    for (const { text } of textsOf(args)) this.#known.noteWritten(text);
  }

  /** Resolves when all that was taken is read. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Resolves when all is on record. Call it when no more requests come. */
  async finish(): Promise<void> {
    await this.settled();
    await this.#recorder.finish();
  }

  get #isOn(): boolean {
    const { enabled, steeredCall } = this.#flow;
    return enabled && steeredCall.enabled;
  }

  get #flow(): Flow {
    return this.#setup.policy.current().policy.flow;
  }

  #warn(error: unknown): void {
    this.#setup.ports.warn(`could not read what the user said: ${String(error)}`);
  }

  async #readAll(): Promise<void> {
    for (;;) {
      await setTimeout(AFTER);
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#characters -= next.length;
      try {
        await this.#read(next);
      } catch (error) {
        // Words that are not known can only make more alarms.
        this.#warn(error);
      } finally {
        next.settle();
      }
    }
  }

  async #read(asked: Waiting): Promise<void> {
    const { ports } = this.#setup;
    this.#follow(ports.session());
    let { words, messages } = await this.#newWords(asked);
    if (words.isNone) return words.noteRead(messages);
    await asked.results?.wait(NEVER);
    const within = await this.#inSession((memory) => {
      memory.readValues();
      return { memory, declared: this.#declaredBy(memory.servers) };
    });
    if (within === undefined) return;
    const { memory, declared } = within;
    // Nobody has said anything in a session that begins now.
    if (this.#follow(memory.session)) ({ words, messages } = await this.#newWords(asked));
    const { time } = asked;
    const texts = words.words(messages, asked.isContinued);
    const hashes = await this.#steps.run(memory.provenance.readWords(texts, { time, declared }));
    const said = { source: `${SAID_SOURCE}${ports.recordId()}`, server: '', time, hashes };
    const isNoted =
      hashes.length === 0 ||
      (await this.#inSession((now) => {
        if (now !== memory) return false;
        memory.addValues(said);
        return true;
      }));
    if (isNoted === true) words.noteRead(messages);
  }

  /** Forgets what was read if this is another session. */
  #follow(session: string): boolean {
    if (session === this.#session) return false;
    this.#session = session;
    this.#known.forgetRead();
    return true;
  }

  async #newWords({ said, api }: Asked): Promise<{ words: NewWords; messages: number }> {
    const words = new NewWords(this.#known);
    const messages = await this.#steps.run(saidTexts(said, api), (texts) => {
      for (const text of texts) words.add(text);
    });
    return { words, messages };
  }

  /** Runs work in a transaction; undefined if it is not on record. */
  #inSession<T>(work: (memory: SessionMemory) => T): Promise<T | undefined> {
    const run = (): T | undefined => this.#recorder.within(() => work(currentMemory(this.#setup.ports, this.#flow)));
    return this.#recorder.transact(run, () => undefined);
  }

  #declaredBy(servers: readonly string[]): readonly string[] {
    const { registry } = this.#setup.ports;
    const tools = registry.tools();
    return servers
      .flatMap((server) => {
        const names = (tools.get(server) ?? []).slice(0, MOST_TOOLS);
        const scope = registry.scopeOf(server, names[0] ?? '');
        return [
          registry.text(scope, 'instructions', '', 'seen'),
          ...names.map((name) => registry.text(scope, 'tool', name, 'seen')),
        ];
      })
      .filter((text) => text !== undefined);
  }
}

const NEVER = new AbortController().signal;
