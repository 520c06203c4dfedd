import { setTimeout } from 'node:timers/promises';
import type { DetectionFacts } from '../../core/facts.ts';
import type { Look } from '../../core/detect/look.ts';
import type { Detector } from '../../core/detect/types.ts';
import type { Definition, PinRecord } from '../../core/registry/definition.ts';
import type { Census } from '../census.ts';
import { ListReader } from '../definitions/list-pages.ts';
import type { GateSetup } from '../ports/ports.ts';
import { type Compared, DefinitionRecorder } from '../definitions/definition-news.ts';
import type { Recorder } from '../recorder.ts';
import type { DetectorSource } from './detector-source.ts';
import type { Looked } from './known-looks.ts';
import { Looker, type LookerParts } from './looker.ts';
import { CLEAN, findingsOf, isApproved } from './findings.ts';

/** Milliseconds after which a list that nothing waits for is looked at: until then it is on its way, and is compared. */
const AFTER = 40;

/** Lists that are remembered to have been looked at. */
const MOST_PAGES = 64;

/** Characters of definitions that wait to be looked at. */
const MOST_WAITING = 16 * 1024 * 1024;

interface LooksParts extends LookerParts {
  readonly source: DetectorSource;
}

/** What an answer declares. */
export interface Declared {
  readonly definitions: readonly Definition[];
  /** All of it has names that a person could approve. */
  readonly isWhole: boolean;
  /** There is nothing beside these that would have to be looked at. */
  readonly isAll: boolean;
}

const UNKNOWN: Declared = { definitions: [], isWhole: false, isAll: false };

/** What was listed: these, or where it is as it was before, what the registry has. */
type Listed = Omit<Compared, 'news'>;

/** Looks at what the server of one connection declares, and keeps what was found in the registry, so that nobody looks again. */
export class DefinitionLooks {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #census: Pick<Census, 'countLook'>;
  readonly #source: DetectorSource;
  readonly #looker: Looker;
  readonly #news: DefinitionRecorder;
  /** Of whoever looks at a list, or compares it. */
  readonly lists = new ListReader();
  readonly #ending = Promise.withResolvers<void>();
  /** Lists of which everything was looked at. */
  readonly #pages = new Map<string, Declared>();
  /** Lists that wait until they were. */
  readonly #held = new Map<string, Promise<void>>();
  #listed: Listed[] = [];
  #characters = 0;
  #work: Promise<void> | undefined;

  constructor(setup: GateSetup, { recorder, census, source, launch }: LooksParts) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#census = census;
    this.#source = source;
    this.#looker = new Looker(setup, { recorder, census, launch });
    const lookOf = (definition: Definition): Look | undefined => this.#looker.known.get(definition);
    this.#news = new DefinitionRecorder(setup, { recorder, launch, lookOf });
  }

  /** Something is done about what is found, and about what nobody can look at. */
  get acts(): boolean {
    const { enabled, onDefinition } = this.#policy.policy.detection;
    return enabled && onDefinition !== 'alert' && !this.#setup.isObserving;
  }

  /** Nothing that was not looked at may be shown: lists wait for that. Where it is shown anyway and denied, calls do. */
  get holds(): boolean {
    return this.acts && this.#policy.policy.detection.onDefinition === 'hide';
  }

  /** Calls may be denied, or asked about, because of what was found. */
  get decides(): boolean {
    return this.acts || (this.#policy.policy.detection.enabled && this.#policy.policy.detection.requireApproval);
  }

  /** False while something can't be decided yet, since what looks at definitions is not loaded. */
  isReady(): boolean {
    if (!this.decides || this.#source.current !== undefined || this.#source.hasFailed) return true;
    void this.#source.load();
    return false;
  }

  /** Loads what a list is going to wait for, while there is time: the first one comes right behind the greeting. */
  prepare(): void {
    if (this.holds) void this.#source.load();
  }

  /** Nothing can be looked at, and that is no reason to let it pass. */
  get isBlind(): boolean {
    return this.acts && this.#source.hasFailed && this.#setup.onError === 'deny';
  }

  /** Resolves when a list that waits may have been looked at; undefined where none does. */
  get waiting(): Promise<unknown> | undefined {
    return this.#held.size === 0 ? undefined : Promise.race(this.#held.values());
  }

  /**
   * Was everything in a list looked at? If not, that is begun, and it is to be asked again when `waiting` resolves.
   *
   * @param key of the list as it is
   * @param read gives what is in it; called later
   */
  isLooked(key: string, read: () => Declared): boolean {
    if (!this.holds || this.#source.hasFailed) return true;
    this.#follow(this.#source.current);
    if (this.#pages.has(key)) return true;
    if (!this.#held.has(key)) {
      const looking = this.#lookAhead(read)
        .catch((error: unknown) => {
          this.#setup.ports.warn(`a list was not looked at: ${String(error)}`);
          return UNKNOWN;
        })
        .then((declared) => {
          this.#held.delete(key);
          // Also where that failed: what was not looked at is hidden, and nobody waits for ever.
          if (this.#pages.size >= MOST_PAGES) this.#pages.clear();
          this.#pages.set(key, declared);
        });
      this.#held.set(key, looking);
    }
    return false;
  }

  /** Is what was looked at of a list all of it? False also where that is not known. */
  isAll(key: string): boolean {
    return this.#pages.get(key)?.isAll === true;
  }

  /** Is there nothing in a list that would have to be hidden, whoever approved what? False also where that is not known. */
  isClean(key: string): boolean {
    const { definitions, isWhole } = this.#pages.get(key) ?? UNKNOWN;
    return isWhole && definitions.length > 0 && definitions.every((definition) => !this.isHidden(definition, undefined));
  }

  /**
   * What was compared just now is looked at soon, where it was not before; what came of looking before is recorded, and what is news along with
   * what is found in it. To be called in an open transaction.
   */
  note({ kind, definitions, news }: Compared): void {
    this.#follow(this.#source.current);
    const { known } = this.#looker;
    const isSaved = (one: Definition): boolean => known.isSaved(one) || (this.holds && known.get(one) !== undefined);
    const unknown = definitions?.filter((definition) => !isSaved(definition));
    const characters = (unknown ?? []).reduce((sum, { text }) => sum + text.length, 0);
    const isTooMuch = this.#listed.length > 0 && this.#characters + characters > MOST_WAITING;
    const { enabled } = this.#policy.policy.detection;
    this.#news.note(news, enabled && !isTooMuch);
    if (!enabled) return;
    if (this.holds && definitions !== undefined) this.#looker.save(definitions);
    if (unknown?.length === 0) return;
    if (isTooMuch) {
      this.#census.countLook('busy', unknown?.length);
      return;
    }
    this.#characters += characters;
    this.#listed.push({ kind, definitions: unknown });
    this.#work ??= this.#workOff()
      .catch((error: unknown) => this.#setup.ports.warn(`what was listed was not looked at: ${String(error)}`))
      .finally(() => {
        this.#work = undefined;
      });
  }

  /** Resolves when all that has come was looked at, which is done without delay. */
  async settled(): Promise<void> {
    this.#ending.resolve();
    await this.#work;
  }

  /** Records what is still to be looked at, for there is no time left. */
  async recordRest(): Promise<void> {
    if (!this.#news.isEmpty) await this.#news.recordWaiting();
  }

  /** Is a definition kept from the model? Also one that nobody could look at. */
  isHidden(definition: Definition, pin: PinRecord | undefined): boolean {
    if (!this.holds) return false;
    const look = this.#looker.known.get(definition);
    if (look === undefined && this.#setup.onError === 'allow') return false;
    const isFound = look === undefined || findingsOf(this.#policy, look, this.#about(definition)).length > 0;
    return isFound && !isApproved(pin);
  }

  /** What is found in what a server says of itself counts for all of its calls. */
  get judgesServer(): boolean {
    return this.acts && !this.holds;
  }

  /**
   * What a decision knows of what a call is about; undefined where it was not looked at. To be called in an open transaction.
   *
   * @param instructions what is known of the server's, where they count
   */
  factsOf(
    { pin, definition }: { readonly pin: PinRecord | undefined; readonly definition: () => string | undefined },
    instructions: PinRecord | undefined,
  ): DetectionFacts | undefined {
    const own = pin === undefined ? undefined : this.#facts(pin, definition);
    if (instructions === undefined) return own;
    const { ports } = this.#setup;
    const ofServer = this.#facts(instructions, () => ports.registry.text(this.#looker.scope, 'instructions', '', 'seen'));
    const isOpen = ofServer !== undefined && !ofServer.isApproved;
    return own === undefined && !isOpen ? undefined : { ...CLEAN, ...own, ofServer: isOpen ? ofServer.findings : [] };
  }

  /** @param text of the definition, where it is needed */
  #facts(pin: PinRecord, text: () => string | undefined): DetectionFacts | undefined {
    const policy = this.#policy;
    if (!policy.policy.detection.enabled || (this.#looker.known.isEmpty && !this.decides)) return undefined;
    const definition = { kind: pin.kind, name: pin.name, fingerprint: pin.seen };
    const look = this.#looker.known.get(definition) ?? (this.decides ? this.#lookNow(definition, text) : undefined);
    if (look === 'failed') return this.#setup.onError === 'allow' ? undefined : { ...CLEAN, hasFailed: true };
    if (look === undefined) return undefined;
    const findings = findingsOf(policy, look, this.#about(definition));
    return findings.length === 0 ? CLEAN : { findings, ofServer: [], isApproved: isApproved(pin) };
  }

  get #policy() {
    return this.#setup.policy.current();
  }

  #about({ kind, name }: Pick<Definition, 'kind' | 'name'>): { readonly server: string; readonly tool: string | undefined } {
    return { server: this.#setup.server, tool: kind === 'tool' ? name : undefined };
  }

  /** Under other rules, no list was looked at. */
  #follow(detector: Detector | undefined): void {
    if (detector !== undefined && this.#looker.known.follow(detector.version)) this.#pages.clear();
  }

  #lookNow(definition: Looked, readText: () => string | undefined): Look | 'failed' | undefined {
    const detector = this.#source.current;
    this.#follow(detector);
    return this.#looker.lookNow(definition, { detector, readText });
  }

  async #lookAhead(read: () => Declared): Promise<Declared> {
    const detector = await this.#source.load();
    if (detector === undefined) return UNKNOWN;
    this.#follow(detector);
    const declared = read();
    const task = await this.#inTransaction(() => this.#looker.toTask(declared.definitions, detector.version));
    if (task === undefined) return UNKNOWN;
    await this.#looker.lookAll(detector, task);
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
        this.#census.countLook('failed', count);
        await this.recordRest();
        continue;
      }
      this.#follow(detector);
      const { version } = detector;
      const task = await this.#inTransaction(() =>
        this.#looker.toTask(
          listed.flatMap(({ kind, definitions }) => definitions ?? this.#looker.takeOver(kind, version)),
          version,
        ),
      );
      if (task === undefined) {
        this.#census.countLook('failed', count);
        await this.recordRest();
        continue;
      }
      await this.#looker.lookAll(detector, task);
      const isNews = task.unlooked.length > 0 || !this.#news.isEmpty;
      if (isNews) await this.#news.recordWaiting(() => this.#looker.save(task.unlooked));
    }
  }

  async #inTransaction<T>(act: () => T): Promise<T | undefined> {
    return this.#recorder.alone<T | undefined>(
      () => this.#recorder.within(act),
      (result) => result,
    );
  }
}
