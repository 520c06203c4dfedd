import { setTimeout } from 'node:timers/promises';
import type { DetectionFacts } from '../../core/facts.ts';
import type { Detector, ScanResult } from '../../core/detect/types.ts';
import type { Definition, PinRecord } from '../../core/registry/definition.ts';
import type { Tally } from '../tally.ts';
import { ListReader } from '../definitions/list-pages.ts';
import type { GateSetup } from '../ports/ports.ts';
import { type Compared, DefinitionRecorder } from '../definitions/definition-news.ts';
import type { Recorder } from '../recorder.ts';
import type { DetectorSource } from './detector-source.ts';
import type { DefinitionIdentity } from './known-scans.ts';
import { DefinitionScanner, type DefinitionScannerParts } from './definition-scanner.ts';
import { CLEAN, findingsOf, isApproved } from './findings.ts';

/** Milliseconds before a list that nothing waits for is scanned: it is sent and compared first. */
const AFTER = 40;

/** Scanned lists that are remembered. */
const MOST_PAGES = 64;

/** Most characters of definitions that wait to be scanned. */
const MOST_WAITING = 16 * 1024 * 1024;

interface DefinitionScansParts extends DefinitionScannerParts {
  readonly source: DetectorSource;
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
  readonly #scanner: DefinitionScanner;
  readonly #news: DefinitionRecorder;
  /** Shared by those who scan a list and those who compare it. */
  readonly lists = new ListReader();
  readonly #ending = Promise.withResolvers<void>();
  /** Lists that were scanned completely. */
  readonly #pages = new Map<string, Declared>();
  /** Lists that are being scanned and wait for it. */
  readonly #held = new Map<string, Promise<void>>();
  #listed: Listed[] = [];
  #characters = 0;
  #work: Promise<void> | undefined;

  constructor(setup: GateSetup, { recorder, tally, source, launch }: DefinitionScansParts) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#tally = tally;
    this.#source = source;
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

  /** Loads the detector ahead of time if lists wait for it: the first one comes right behind the greeting. */
  prepare(): void {
    if (this.holds) void this.#source.load();
  }

  /** True if nothing can be scanned, and the policy does not let it pass then. */
  get isBlind(): boolean {
    return this.acts && this.#source.hasFailed && this.#setup.onError === 'deny';
  }

  /** Resolves when a waiting list may have been scanned; undefined if none waits. */
  get waiting(): Promise<unknown> | undefined {
    return this.#held.size === 0 ? undefined : Promise.race(this.#held.values());
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
    if (this.#pages.has(key)) return true;
    if (!this.#held.has(key)) {
      const scanning = this.#scanAhead(read)
        .catch((error: unknown) => {
          this.#setup.ports.warn(`could not scan a list: ${String(error)}`);
          return UNKNOWN;
        })
        .then((declared) => {
          this.#held.delete(key);
          // Noted even if scanning failed: definitions not scanned are hidden, and nobody waits for ever.
          if (this.#pages.size >= MOST_PAGES) this.#pages.clear();
          this.#pages.set(key, declared);
        });
      this.#held.set(key, scanning);
    }
    return false;
  }

  /** Tells whether a list contains nothing besides scanned definitions. False also if that is unknown. */
  isAll(key: string): boolean {
    return this.#pages.get(key)?.isAll === true;
  }

  /** Tells whether nothing in a list has to be hidden, whatever was approved. False also if that is unknown. */
  isClean(key: string): boolean {
    const { definitions, isWhole } = this.#pages.get(key) ?? UNKNOWN;
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
    this.#work ??= this.#workOff()
      .catch((error: unknown) => this.#setup.ports.warn(`could not scan what was listed: ${String(error)}`))
      .finally(() => {
        this.#work = undefined;
      });
  }

  /** Scans all that remains without delay, and resolves when that is done. */
  async settled(): Promise<void> {
    this.#ending.resolve();
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
    const detector = await this.#source.load();
    if (detector === undefined) return UNKNOWN;
    this.#follow(detector);
    const declared = read();
    const task = await this.#inTransaction(() => this.#scanner.toTask(declared.definitions, detector.version));
    if (task === undefined) return UNKNOWN;
    await this.#scanner.scanAll(detector, task);
    return declared;
  }

  async #workOff(): Promise<void> {
    await Promise.race([setTimeout(AFTER), this.#ending.promise]);
    const detector = await this.#source.load();
    while (this.#listed.length > 0) {
      const listed = this.#listed;
      this.#listed = [];
      this.#characters = 0;
      const count = listed.reduce((sum, { definitions }) => sum + (definitions?.length ?? 0), 0);
      if (detector === undefined) {
        this.#tally.countScan('failed', count);
        await this.recordRest();
        continue;
      }
      this.#follow(detector);
      const { version } = detector;
      const task = await this.#inTransaction(() =>
        this.#scanner.toTask(
          listed.flatMap(({ kind, definitions }) => definitions ?? this.#scanner.takeOver(kind, version)),
          version,
        ),
      );
      if (task === undefined) {
        this.#tally.countScan('failed', count);
        await this.recordRest();
        continue;
      }
      await this.#scanner.scanAll(detector, task);
      const isNews = task.unscanned.length > 0 || !this.#news.isEmpty;
      if (isNews) await this.#news.recordWaiting(() => this.#scanner.save(task.unscanned));
    }
  }

  async #inTransaction<T>(act: () => T): Promise<T | undefined> {
    return this.#recorder.transact<T | undefined>(
      () => this.#recorder.within(act),
      (result) => result,
    );
  }
}
