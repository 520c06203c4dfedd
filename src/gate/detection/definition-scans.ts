import type { DetectionFacts } from '../../core/facts.ts';
import type { Detector, ScanResult } from '../../core/detect/types.ts';
import type { Definition, PinRecord } from '../../core/registry/definition.ts';
import type { Tally } from '../tally.ts';
import { ListReader } from '../definitions/list-pages.ts';
import type { GateSetup, ScanJobQueue, TurnTaking } from '../ports/ports.ts';
import { type Compared, DefinitionRecorder } from '../definitions/definition-news.ts';
import type { Recorder } from '../recorder.ts';
import type { DetectorSource } from './detector-source.ts';
import type { DefinitionIdentity } from './known-scans.ts';
import { DefinitionScanner, type DefinitionScannerParts, type Task } from './definition-scanner.ts';
import { CLEAN, findingsOf, isApproved } from './findings.ts';
import { HeldOutcomes } from './held-outcomes.ts';

/** Scanned lists that are remembered. */
const MOST_PAGES = 64;

/** Most characters of definitions that wait to be scanned. */
const MOST_WAITING = 16 * 1024 * 1024;

interface DefinitionScansParts extends DefinitionScannerParts {
  readonly source: DetectorSource;
  readonly queue: ScanJobQueue;
}

/** The declarations of an answer. */
export interface Declared {
  readonly definitions: readonly Definition[];
  /** True if all definitions have names that a person could approve. */
  readonly isWhole: boolean;
  /** True if the answer contains nothing else to scan. */
  readonly isAll: boolean;
}

const UNKNOWN: Declared = { definitions: [], isWhole: false, isAll: false };

/** Listed definitions; undefined for an unchanged list, whose definitions the registry has. */
type Listed = Omit<Compared, 'news'>;

/** Scans the declarations of one connection's server, and keeps the findings in the registry, so that nobody scans again. */
export class DefinitionScans {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #tally: Pick<Tally, 'countScan'>;
  readonly #source: DetectorSource;
  readonly #queue: ScanJobQueue;
  readonly #scanner: DefinitionScanner;
  readonly #news: DefinitionRecorder;
  /** Shared by those who scan a list and those who compare it. */
  readonly lists = new ListReader();
  /** Lists that were scanned before they went on. */
  readonly #pages = new HeldOutcomes<Declared>({ count: MOST_PAGES });
  #listed: Listed[] = [];
  #characters = 0;
  #work: Promise<void> | undefined;

  constructor(setup: GateSetup, { recorder, tally, source, launch, queue }: DefinitionScansParts) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#tally = tally;
    this.#source = source;
    this.#queue = queue;
    this.#scanner = new DefinitionScanner(setup, { recorder, tally, launch });
    const scanResultOf = (definition: Definition): ScanResult | undefined => this.#scanner.known.get(definition);
    this.#news = new DefinitionRecorder(setup, { recorder, launch, scanResultOf });
  }

  /** True if the policy acts on findings, and on definitions that nobody can scan. */
  get acts(): boolean {
    const { enabled, onDefinition } = this.#policy.policy.detection;
    return enabled && onDefinition !== 'alert' && !this.#setup.isObserving;
  }

  /** True if nothing may be shown before it was scanned: lists wait for that. If it is shown anyway and denied later, calls wait. */
  get holds(): boolean {
    return this.acts && this.#policy.policy.detection.onDefinition === 'hide';
  }

  /** True if findings may deny calls, or have a person asked about them. */
  get decides(): boolean {
    return this.acts || (this.#policy.policy.detection.enabled && this.#policy.policy.detection.requireApproval);
  }

  /** False while nothing can be decided because the detector is not loaded. */
  isReady(): boolean {
    if (!this.decides || this.#source.current !== undefined || this.#source.hasFailed) return true;
    void this.#source.load();
    return false;
  }

  /** True if nothing can be scanned, and the policy does not let it pass then. */
  get isBlind(): boolean {
    return this.acts && this.#source.hasFailed && this.#setup.onError === 'deny';
  }

  /** Resolves when a waiting list may have been scanned; undefined if none waits. */
  get waiting(): Promise<unknown> | undefined {
    return this.#pages.waiting;
  }

  /**
   * Tells whether everything in a list was scanned; starts scanning if not. Ask again when `waiting` resolves.
   *
   * @param key of the list as it is
   * @param read gives its content; called later
   */
  isScanned(key: string, read: () => Declared): boolean {
    if (!this.holds || this.#source.hasFailed) return true;
    this.#follow(this.#source.current);
    return this.#pages.get(key, () => this.#scanAhead(read)) !== undefined;
  }

  /** Tells whether a list contains nothing besides scanned definitions. False also if that is unknown. */
  isAll(key: string): boolean {
    return this.#pages.peek(key)?.isAll === true;
  }

  /** Tells whether nothing in a list has to be hidden, whatever was approved. False also if that is unknown. */
  isClean(key: string): boolean {
    const { definitions, isWhole } = this.#pages.peek(key) ?? UNKNOWN;
    return isWhole && definitions.length > 0 && definitions.every((definition) => !this.isHidden(definition, undefined));
  }

  /**
   * Queues compared definitions to be scanned, unless they were already; records earlier results, and news along with its findings. Call
   * it in an open transaction.
   */
  note({ kind, definitions, news }: Compared): void {
    this.#follow(this.#source.current);
    const { known } = this.#scanner;
    const isSaved = (one: Definition): boolean => known.isSaved(one) || (this.holds && known.get(one) !== undefined);
    const unknown = definitions?.filter((definition) => !isSaved(definition));
    const characters = (unknown ?? []).reduce((sum, { text }) => sum + text.length, 0);
    const isTooMuch = this.#listed.length > 0 && this.#characters + characters > MOST_WAITING;
    const { enabled } = this.#policy.policy.detection;
    this.#news.note(news, enabled && !isTooMuch);
    if (!enabled) return;
    if (this.holds && definitions !== undefined) this.#scanner.save(definitions);
    if (unknown?.length === 0) return;
    if (isTooMuch) {
      this.#tally.countScan('busy', unknown?.length);
      return;
    }
    this.#characters += characters;
    this.#listed.push({ kind, definitions: unknown });
    const job = { server: this.#setup.server, bytes: 0, when: 'soon' } as const;
    this.#work ??= this.#queue
      .add({ ...job, scan: (turns) => this.#workOff(turns) })
      .catch((error: unknown) => this.#setup.ports.warn(`could not scan what was listed: ${String(error)}`))
      .finally(() => {
        this.#work = undefined;
      });
  }

  /** Scans all that remains without delay, and resolves when that is done. */
  async settled(): Promise<void> {
    if (this.#work !== undefined) this.#queue.hurry();
    await this.#work;
  }

  /** Records news that is still to be scanned, since no time is left. */
  async recordRest(): Promise<void> {
    if (!this.#news.isEmpty) await this.#news.recordWaiting();
  }

  /** Tells whether a definition is hidden from the model; also true for one that nobody could scan. */
  isHidden(definition: Definition, pin: PinRecord | undefined): boolean {
    if (!this.holds) return false;
    const result = this.#scanner.known.get(definition);
    if (result === undefined && this.#setup.onError === 'allow') return false;
    const isFound = result === undefined || findingsOf(this.#policy, result, this.#about(definition)).length > 0;
    return isFound && !isApproved(pin);
  }

  /** True if findings in a server's instructions count for all of its calls. */
  get judgesServer(): boolean {
    return this.acts && !this.holds;
  }

  /**
   * Detection's facts about the subject of a call; undefined if it was not scanned. Call it in an open transaction.
   *
   * @param instructions pin of the server's instructions, if they count
   */
  factsOf(
    { pin, definition }: { readonly pin: PinRecord | undefined; readonly definition: () => string | undefined },
    instructions: PinRecord | undefined,
  ): DetectionFacts | undefined {
    const own = pin === undefined ? undefined : this.#facts(pin, definition);
    if (instructions === undefined) return own;
    const { ports } = this.#setup;
    const ofServer = this.#facts(instructions, () => ports.registry.text(this.#scanner.scope, 'instructions', '', 'seen'));
    const isOpen = ofServer !== undefined && !ofServer.isApproved;
    return own === undefined && !isOpen ? undefined : { ...CLEAN, ...own, ofServer: isOpen ? ofServer.findings : [] };
  }

  /** @param text of the definition, read only if needed */
  #facts(pin: PinRecord, text: () => string | undefined): DetectionFacts | undefined {
    const policy = this.#policy;
    if (!policy.policy.detection.enabled || (this.#scanner.known.isEmpty && !this.decides)) return undefined;
    const definition = { kind: pin.kind, name: pin.name, fingerprint: pin.seen };
    const result = this.#scanner.known.get(definition) ?? (this.decides ? this.#scanNow(definition, text) : undefined);
    if (result === 'failed') return this.#setup.onError === 'allow' ? undefined : { ...CLEAN, hasFailed: true };
    if (result === undefined) return undefined;
    const findings = findingsOf(policy, result, this.#about(definition));
    return findings.length === 0 ? CLEAN : { findings, ofServer: [], isApproved: isApproved(pin) };
  }

  get #policy() {
    return this.#setup.policy.current();
  }

  #about({ kind, name }: Pick<Definition, 'kind' | 'name'>): { readonly server: string; readonly tool: string | undefined } {
    return { server: this.#setup.server, tool: kind === 'tool' ? name : undefined };
  }

  /** Forgets scanned lists when the rules have changed. */
  #follow(detector: Detector | undefined): void {
    if (detector !== undefined && this.#scanner.known.follow(detector.version)) this.#pages.clear();
  }

  #scanNow(definition: DefinitionIdentity, readText: () => string | undefined): ScanResult | 'failed' | undefined {
    const detector = this.#source.current;
    this.#follow(detector);
    return this.#scanner.scanNow(definition, { detector, readText });
  }

  async #scanAhead(read: () => Declared): Promise<Declared> {
    const scan = async (turns: TurnTaking): Promise<Declared> => {
      const detector = await this.#load();
      if (detector === undefined) return UNKNOWN;
      const declared = read();
      return (await this.#scan(detector, () => declared.definitions, turns)) === undefined ? UNKNOWN : declared;
    };
    try {
      return await this.#queue.add({ server: this.#setup.server, bytes: 0, when: 'held', scan });
    } catch (error) {
      this.#setup.ports.warn(`could not scan a list: ${String(error)}`);
      // Known even so: definitions not scanned are hidden, and nobody waits for ever.
      return UNKNOWN;
    }
  }

  async #workOff(turns: TurnTaking): Promise<void> {
    while (this.#listed.length > 0) {
      const listed = this.#listed;
      this.#listed = [];
      this.#characters = 0;
      const detector = await this.#load();
      const read = ({ kind, definitions }: Listed): readonly Definition[] =>
        definitions ?? this.#scanner.takeOver(kind, detector?.version ?? '');
      const scanned = detector && (await this.#scan(detector, () => listed.flatMap(read), turns));
      if (scanned === undefined) {
        this.#tally.countScan(
          'failed',
          listed.reduce((sum, { definitions }) => sum + (definitions?.length ?? 0), 0),
        );
        await this.recordRest();
      } else if (scanned.length > 0 || !this.#news.isEmpty) {
        await this.#news.recordWaiting(() => this.#scanner.save(scanned));
      }
    }
  }

  async #load(): Promise<Detector | undefined> {
    const detector = await this.#source.load();
    this.#follow(detector);
    return detector;
  }

  /**
   * Scans those definitions that nobody has scanned.
   *
   * @param read called in a transaction
   * @returns them; undefined if the store failed
   */
  async #scan(
    detector: Detector,
    read: () => readonly Definition[],
    turns: TurnTaking,
  ): Promise<readonly Definition[] | undefined> {
    const toTask = (): Task | undefined => this.#recorder.within(() => this.#scanner.toTask(read(), detector.version));
    const task = await this.#recorder.transact(toTask, (result) => result);
    if (task !== undefined) await this.#scanner.scanAll(detector, task, turns);
    return task?.unscanned;
  }
}
