import type { Call } from '../../core/call.ts';
import type { Detection, Detector, TextField, TextOrigin } from '../../core/detect/types.ts';
import type { JsonObject } from '../../core/json.ts';
import type { OnText } from '../../core/policy/parse-detection.ts';
import type { Message } from '../../protocol/message.ts';
import type { Tally } from '../tally.ts';
import { digestOf } from '../messages/message-parts.ts';
import type { GateSetup, ScanJob, ScanJobQueue, TurnTaking } from '../ports/ports.ts';
import type { DetectionAction } from '../ports/records.ts';
import type { Recorder } from '../recorder.ts';
import { describeRules, stampOf, subjectOf, toAction } from './detection-news.ts';
import type { DetectorSource } from './detector-source.ts';
import { findInTexts } from './find-in-texts.ts';
import { actedOn, recordedDetection, type Reported, reportOf } from './findings.ts';
import { HeldScans, type HeldOutcome } from './held-scans.ts';
import { isPlain, mayHold, type MessagePart, textAction } from './message-part.ts';
import { spannedTexts, type TextBounds } from './spanned-texts.ts';

/** Most of one message that is scanned after it has gone on. */
const MOST_OF_ONE = 1024 * 1024;
const MOST_GONE: TextBounds = { characters: MOST_OF_ONE, texts: 20_000 };

/** Bytes of a declaring answer that are scanned at once, in microseconds: most contain nothing to scan. */
const SHORT = 2048;

/** Remembered answers with declarations: most lists have not changed since they were asked for last. */
const MOST_DECLARED = 64;

/** Findings that are told to the person one by one. */
const MOST_SHOWN = 10;

interface TextScansParts {
  readonly recorder: Recorder;
  readonly tally: Pick<Tally, 'countScan'>;
  readonly source: DetectorSource;
  /** Shared by all connections of this process. */
  readonly queue: ScanJobQueue;
}

/** The place of a finding. */
interface Place {
  readonly origin: TextOrigin | 'arguments';
  readonly method: string | undefined;
  readonly call: Call | undefined;
  readonly record: string | undefined;
}

/** Scans the texts that come in on one connection besides definitions, and at the arguments of its calls. */
export class TextScans {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #tally: Pick<Tally, 'countScan'>;
  readonly #source: DetectorSource;
  readonly #held: HeldScans;
  readonly #queue: ScanJobQueue;
  #shown = 0;
  /** Methods and digests of answers with declarations that are queued or scanned. */
  readonly #declared = new Set<string>();
  /** The rules that the remembered answers were scanned by. */
  #declaredUnder: object | undefined;
  /** Number of queued scans, and a callback for when none is left. */
  #waiting = 0;
  #whenSettled = (): void => {};

  constructor(setup: GateSetup, { recorder, tally, source, queue }: TextScansParts) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#tally = tally;
    this.#source = source;
    this.#queue = queue;
    this.#held = new HeldScans(setup, { source, tally, queue, reportOf: (part, found) => this.#reportOf(toPlace(part), found) });
  }

  /** True if some messages wait until they were scanned. */
  get holds(): boolean {
    return mayHold(this.#settings) && !this.#setup.isObserving;
  }

  /** Resolves when a waiting message may have been scanned; undefined if none waits. */
  get held(): Promise<unknown> | undefined {
    return this.#held.waiting;
  }

  /** The action on findings in a kind of message; the stricter one if it is of two kinds. */
  actionOn(part: Pick<MessagePart, 'origin' | 'isBoth'>): OnText {
    return this.#setup.isObserving ? 'alert' : textAction(this.#settings, part);
  }

  /** The outcome of a message that waits for its scan; undefined while scanning: ask again when `held` resolves. */
  outcomeOf(message: Message, part: MessagePart): HeldOutcome | undefined {
    return this.#held.outcomeOf(message, part, this.actionOn(part));
  }

  /** Records the findings of a message whose outcome has been carried out. */
  conclude(message: Message, part: MessagePart, outcome: HeldOutcome): void {
    this.#held.forget(message, part);
    if (outcome.reported.length === 0) return;
    this.#tell(toPlace(part), outcome.reported, outcome.kind === 'pass' ? 'alert' : outcome.kind);
  }

  /** Copies a message that goes on, to scan it. */
  note({ bytes }: Pick<Message, 'bytes'>, part: MessagePart): void {
    if (!this.#settings.enabled || this.actionOn(part) !== 'alert') return;
    const { start, end } = part.span;
    if (
      part.origin === 'definition' &&
      end - start <= SHORT &&
      isPlain(part, spannedTexts(bytes, part.span, { ...part, most: MOST_GONE }).texts)
    )
      return;
    const key = part.origin === 'definition' ? `${part.method} ${digestOf(bytes, part.span)}` : undefined;
    if (this.#declaredUnder !== this.#settings.rules) this.#declared.clear();
    this.#declaredUnder = this.#settings.rules;
    if (key !== undefined && this.#declared.has(key)) return;
    const length = Math.min(end - start, MOST_OF_ONE);
    if (!this.#hasRoom(length)) return;
    if (key !== undefined) this.#declared.add(key);
    if (this.#declared.size > MOST_DECLARED) this.#declared.clear();
    const copy = Buffer.from(bytes.subarray(start, start + length));
    this.#add(length, {
      // Scanning it sooner would hold up the next list.
      when: part.origin === 'definition' ? 'last' : 'later',
      scan: (turns) => this.#scanTexts({ part, bytes: copy, isCut: end - start > length }, turns),
    });
  }

  /** True if no more messages of the server may wait: later ones of this turn are not scanned. */
  get isFull(): boolean {
    return !this.#queue.hasRoom(this.#setup.server, 0);
  }

  /** Scans the arguments of a call that goes on. @param size bytes of its message */
  noteArguments(call: Call, record: string | undefined, size: number): void {
    const { enabled, rules } = this.#settings;
    const isOn = rules.families.path_traversal !== false || rules.families.shell_injection === true;
    const { args } = call;
    if (!enabled || !isOn || args === undefined) return;
    if (size > MOST_OF_ONE) this.#tally.countScan('cut');
    else if (this.#hasRoom(size)) this.#add(size, { when: 'later', scan: () => this.#scanArguments(call, args, record) });
  }

  /** Resolves when all that came was scanned. */
  async settled(): Promise<void> {
    if (this.#waiting === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenSettled = resolve;
    this.#queue.hurry();
    await promise;
  }

  /** Number of messages and arguments that nobody has scanned yet. */
  get waiting(): number {
    return this.#waiting;
  }

  get #settings() {
    return this.#setup.policy.current().policy.detection;
  }

  #hasRoom(length: number): boolean {
    const hasRoom = this.#queue.hasRoom(this.#setup.server, length);
    if (!hasRoom) this.#tally.countScan('busy');
    return hasRoom;
  }

  #add(bytes: number, job: Pick<ScanJob, 'when' | 'scan'>): void {
    this.#waiting++;
    void this.#queue
      .add({ ...job, bytes, server: this.#setup.server })
      .catch((error: unknown) => {
        this.#tally.countScan('failed');
        this.#setup.ports.warn(`could not scan a message: ${String(error)}`);
      })
      .then(() => {
        this.#waiting--;
        if (this.#waiting === 0) this.#whenSettled();
      });
  }

  async #load(): Promise<Detector | undefined> {
    return this.#source.current ?? (await this.#source.load());
  }

  async #scanArguments(call: Call, args: JsonObject, record: string | undefined): Promise<void> {
    const detector = await this.#load();
    if (detector === undefined) return this.#tally.countScan('failed');
    const place: Place = { origin: 'arguments', method: call.method, call, record };
    this.#tell(place, this.#reportOf(place, detector.arguments(args).detections), 'alert');
    this.#tally.countScan('arguments');
  }

  async #scanTexts(noted: { part: MessagePart; bytes: Buffer; isCut: boolean }, turns: TurnTaking): Promise<void> {
    const { part, bytes } = noted;
    const span = { start: 0, end: bytes.length };
    const { texts, hasBinary, isCut } = spannedTexts(bytes, span, { ...part, most: MOST_GONE });
    if (isPlain(part, texts) && !isCut && !noted.isCut) return;
    const detector = await this.#load();
    if (detector === undefined) return this.#tally.countScan('failed');
    const found = await findInTexts(detector, texts as readonly TextField[], { origin: part.origin, turns });
    this.#tally.countScan(isCut || found.isCut || noted.isCut ? 'cut' : hasBinary ? 'binary' : 'texts');
    const place = toPlace(part);
    this.#tell(place, this.#reportOf(place, found.detections), 'alert');
  }

  #reportOf({ call }: Place, found: readonly Detection[]): readonly Reported[] {
    const { server, policy } = this.#setup;
    return reportOf(policy.current(), found, { server, tool: call?.tool });
  }

  #tell(place: Place, all: readonly Reported[], action: DetectionAction): void {
    if (all.length === 0) return;
    const { policy, ports, server } = this.#setup;
    const { origin, method, call, record } = place;
    const stamp = stampOf(this.#setup);
    const about = { origin, method, subject: subjectOf(call), call: record };
    this.#recorder.recordLater(() => {
      for (const reported of all) {
        const detection = recordedDetection(policy.current(), reported.detection);
        const { suppressed } = reported;
        ports.sink.record({ type: 'detection', ...stamp, ...about, detection, action: toAction(reported, action), suppressed });
      }
    });
    const acted = actedOn(all);
    if (acted.length === 0 || this.#shown > MOST_SHOWN) return;
    this.#shown++;
    if (this.#shown > MOST_SHOWN) ports.warn('more findings are not shown here: see clawai log --type mcp_detection');
    else ports.warn(describePlace(server, place, { acted, action }));
  }
}

function toPlace({ origin, method, source }: MessagePart): Place {
  return { origin, method, call: source?.call, record: source?.record };
}

const DONE: Readonly<Record<DetectionAction, string>> = {
  alert: 'may mislead a model',
  redact: 'may mislead a model, so clawai redacted it',
  deny: 'may mislead a model, so clawai withheld it',
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
