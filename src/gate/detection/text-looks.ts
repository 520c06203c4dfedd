import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Call } from '../../core/call.ts';
import type { Detection, TextField, TextOrigin } from '../../core/detect/types.ts';
import type { JsonObject } from '../../core/json.ts';
import type { OnText } from '../../core/policy/types.ts';
import type { Message } from '../../protocol/message.ts';
import type { Census } from '../census.ts';
import type { DetectionAction } from '../detection-record.ts';
import type { GateSetup } from '../ports.ts';
import type { Recorder } from '../recorder.ts';
import type { DetectorSource } from './detector-source.ts';
import { describeRules, stampOf, toAction } from './detection-news.ts';
import { actedOn, type Told, toldOf } from './findings.ts';
import type { MessagePart } from './message-part.ts';
import { findInTexts, Turns } from './find-in-texts.ts';
import { HeldLooks, type HeldOutcome } from './held-looks.ts';
import { subjectOf } from './subject-of.ts';
import { spannedTexts, type TextBounds } from './spanned-texts.ts';

/**
 * Milliseconds after which something is looked at that nothing waits for: until then it is on its way. Several together cost less than each by itself,
 * between calls that wait; messages and bytes from which on there are enough of them.
 */
const AFTER = 1000;
const ENOUGH = { messages: 64, bytes: 1024 * 1024 } as const;

/** Milliseconds between two turns: where very many calls pass, an eighth of the time goes into looking at them, and the rest into passing them. */
const BETWEEN = 1;

/** What is looked at of one message that has gone on, and messages and bytes that may wait for that. */
const MOST_OF_ONE = 1024 * 1024;
const MOST_WAITING = 256;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_GONE: TextBounds = { characters: MOST_OF_ONE, texts: 20_000 };

/** Findings that are told to the person one by one. */
const MOST_TOLD = 10;

/** What is to be looked at when there is time. */
type Waiting =
  | { readonly kind: 'message'; readonly part: MessagePart; readonly bytes: Buffer; readonly isCut: boolean }
  | {
      readonly kind: 'arguments';
      readonly call: Call;
      readonly args: JsonObject;
      readonly record: string;
      readonly size: number;
    };

interface TextLooksParts {
  readonly recorder: Recorder;
  readonly census: Pick<Census, 'countLook'>;
  readonly source: DetectorSource;
}

/** Where something was found. */
interface Place {
  readonly origin: TextOrigin | 'arguments';
  readonly method: string | undefined;
  readonly call: Call | undefined;
  readonly record: string | undefined;
}

/** Looks at the texts that come in on one connection besides definitions, and at the arguments of its calls. */
export class TextLooks {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #census: Pick<Census, 'countLook'>;
  readonly #source: DetectorSource;
  readonly #held: HeldLooks;
  readonly #turns: Turns;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #told = 0;
  #work: Promise<void> | undefined;
  /** Ends the pause before what waits is looked at. */
  #wake = (): void => {};
  readonly #ending = Promise.withResolvers<void>();
  #isEnding = false;

  constructor(setup: GateSetup, { recorder, census, source }: TextLooksParts) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#census = census;
    this.#source = source;
    this.#turns = new Turns(setup.ports.clock, () => this.#letOthers());
    this.#held = new HeldLooks(setup, { source, census, toldOf: (part, found) => this.#toldOf(toPlace(part), found) });
  }

  /** Some messages wait until they were looked at. */
  get holds(): boolean {
    const { enabled, onResult, onSampling } = this.#settings;
    return enabled && (onResult !== 'alert' || onSampling !== 'alert') && !this.#setup.isObserving;
  }

  /** Resolves when a message that waits may have been looked at; undefined where none does. */
  get held(): Promise<unknown> | undefined {
    return this.#held.waiting;
  }

  /** What becomes of messages of a kind in which something is found. */
  actionOn(origin: TextOrigin): OnText {
    const { enabled, onResult, onSampling } = this.#settings;
    if (!enabled || this.#setup.isObserving) return 'alert';
    return origin === 'sampling' || origin === 'elicitation' ? onSampling : onResult;
  }

  /** What came of looking at a message that waits for that; undefined while it is not over, and then it is to be asked again when `held` resolves. */
  outcomeOf(message: Message, part: MessagePart): HeldOutcome | undefined {
    return this.#held.outcomeOf(message, part, this.actionOn(part.origin));
  }

  /** The outcome of a message has been carried out: what was found is recorded. */
  conclude(message: Message, part: MessagePart): void {
    const outcome = this.#held.take(message);
    if (outcome === undefined || outcome.told.length === 0) return;
    this.#tell(toPlace(part), outcome.told, outcome.kind === 'pass' ? 'alert' : outcome.kind);
  }

  /** Takes a copy of a message that goes on, to look at it. */
  note({ bytes }: Message, part: MessagePart): void {
    if (!this.#settings.enabled || this.actionOn(part.origin) !== 'alert') return;
    const { start, end } = part.span;
    const length = Math.min(end - start, MOST_OF_ONE);
    if (!this.#hasRoom(length)) return;
    const copy = Buffer.from(bytes.subarray(start, start + length));
    this.#add({ kind: 'message', part, bytes: copy, isCut: end - start > length }, length);
  }

  /** Looks at the arguments of a call that goes on. @param size bytes of its message */
  noteArguments(call: Call, record: string, size: number): void {
    const { enabled, rules } = this.#settings;
    const isOn = rules.families.path_traversal !== false || rules.families.shell_injection === true;
    if (!enabled || !isOn || call.args === undefined) return;
    if (size > MOST_OF_ONE) this.#census.countLook('cut');
    else if (this.#hasRoom(size)) this.#add({ kind: 'arguments', call, args: call.args, record, size }, size);
  }

  /** Resolves when all that has come was looked at, which is done without delay. */
  async settled(): Promise<void> {
    this.#isEnding = true;
    this.#ending.resolve();
    await this.#work;
  }

  /** Messages and arguments that nobody has looked at yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get #settings() {
    return this.#setup.policy.current().policy.detection;
  }

  #hasRoom(length: number): boolean {
    const hasRoom = this.#waiting.length < MOST_WAITING && this.#bytes + length <= MOST_BYTES;
    if (!hasRoom) this.#census.countLook('busy');
    return hasRoom;
  }

  #add(waiting: Waiting, length: number): void {
    this.#bytes += length;
    this.#waiting.push(waiting);
    if (this.#hasEnough) this.#wake();
    this.#work ??= this.#workOff()
      .catch((error: unknown) => this.#setup.ports.warn(`what came in was not looked at: ${String(error)}`))
      .finally(() => {
        this.#work = undefined;
      });
  }

  async #workOff(): Promise<void> {
    do {
      await this.#pause();
      const detector = await this.#source.load();
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        this.#bytes -= next.kind === 'message' ? next.bytes.length : next.size;
        if (detector === undefined) this.#census.countLook('failed');
        else await this.#lookAt(next);
        await this.#turns.letOthers();
      }
    } while (this.#waiting.length > 0);
  }

  async #pause(): Promise<void> {
    if (this.#hasEnough) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const stop = new AbortController();
    const after = setTimeout(AFTER, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
    await Promise.race([after, promise, this.#ending.promise]);
    stop.abort();
  }

  /** At the end, nothing passes any more. */
  #letOthers(): Promise<unknown> {
    return this.#isEnding ? setImmediate() : setTimeout(BETWEEN, undefined, { ref: false });
  }

  get #hasEnough(): boolean {
    return this.#waiting.length >= ENOUGH.messages || this.#bytes >= ENOUGH.bytes;
  }

  async #lookAt(waiting: Waiting): Promise<void> {
    const detector = this.#source.current;
    if (detector === undefined) return;
    try {
      if (waiting.kind === 'arguments') {
        const { call, args, record } = waiting;
        const place: Place = { origin: 'arguments', method: call.method, call, record };
        this.#tell(place, this.#toldOf(place, detector.arguments(args).detections), 'alert');
        this.#census.countLook('arguments');
        return;
      }
      const { part, bytes } = waiting;
      const span = { start: 0, end: bytes.length };
      const { texts, hasBinary, isCut } = spannedTexts(bytes, span, { prefix: part.prefix, most: MOST_GONE });
      const found = await findInTexts(detector, texts as readonly TextField[], { origin: part.origin, turns: this.#turns });
      this.#census.countLook(isCut || found.isCut || waiting.isCut ? 'cut' : hasBinary ? 'binary' : 'texts');
      const place = toPlace(part);
      this.#tell(place, this.#toldOf(place, found.detections), 'alert');
    } catch (error) {
      this.#census.countLook('failed');
      this.#setup.ports.warn(`a message was not looked at for what should not reach a model: ${String(error)}`);
    }
  }

  #toldOf({ call }: Place, found: readonly Detection[]): readonly Told[] {
    const { server, policy } = this.#setup;
    return toldOf(policy.current(), found, { server, tool: call?.tool });
  }

  #tell(place: Place, all: readonly Told[], action: DetectionAction): void {
    if (all.length === 0) return;
    const { ports, server } = this.#setup;
    const { origin, method, call, record } = place;
    const stamp = stampOf(this.#setup);
    const about = { origin, method, subject: subjectOf(call), call: record };
    this.#recorder.note(() => {
      for (const told of all) {
        const { detection, suppressed } = told;
        ports.sink.recordDetection({ ...stamp, ...about, detection, action: toAction(told, action), suppressed });
      }
    });
    const acted = actedOn(all);
    if (acted.length === 0 || this.#told > MOST_TOLD) return;
    this.#told++;
    if (this.#told > MOST_TOLD) ports.warn('what else is found is not shown here: clawai mcp events --type mcp_detection');
    else ports.warn(describePlace(server, place, { acted, action }));
  }
}

function toPlace({ origin, method, source }: MessagePart): Place {
  return { origin, method, call: source?.call, record: source?.record };
}

const DONE: Readonly<Record<DetectionAction, string>> = {
  alert: 'may mislead a model',
  redact: 'was to mislead a model, and went on without that',
  deny: 'was to mislead a model, and was kept back',
  hide: '',
  prompt: '',
  allow: '',
};

function describePlace(
  server: string,
  { origin, call, method = '' }: Place,
  { acted, action }: { readonly acted: readonly Detection[]; readonly action: DetectionAction },
): string {
  const name = call?.tool ?? call?.resource ?? call?.prompt ?? method;
  const rules = describeRules(acted);
  if (origin === 'arguments')
    return `a call of ${JSON.stringify(name)} of ${JSON.stringify(server)} has ${rules} in its arguments`;
  return `what ${JSON.stringify(server)} sent (${origin}, ${JSON.stringify(name)}) ${DONE[action]} (${rules})`;
}
