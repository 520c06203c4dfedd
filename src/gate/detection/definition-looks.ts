import { setImmediate, setTimeout } from 'node:timers/promises';
import type { DetectionFacts } from '../../core/detect/facts.ts';
import type { Look } from '../../core/detect/look.ts';
import type { DefinitionInput, Detector, ServerContext } from '../../core/detect/types.ts';
import { parseJson } from '../../core/json.ts';
import type { Definition, DefinitionKind, PinRecord } from '../../core/registry/definition.ts';
import { pinStatus } from '../../core/registry/pin-status.ts';
import type { Census } from '../census.ts';
import type { GateSetup } from '../ports.ts';
import type { Recorder, Transaction } from '../recorder.ts';
import type { DetectorSource } from './detector-source.ts';
import { tellFound } from './detection-news.ts';
import { CLEAN, findingsOf } from './findings.ts';

/** Milliseconds after which a list that nothing waits for is looked at: until then it is on its way, and is compared. */
const AFTER = 40;

/** Definitions, and characters of them, that are looked at together, in some milliseconds; then others get their turn. */
const SLICE = { definitions: 16, characters: 32 * 1024 } as const;

/** Definitions that are remembered to have been looked at, and lists; then all are forgotten, and known by the registry alone. */
const MOST_KNOWN = 20_000;
const MOST_PAGES = 64;

/** Characters of definitions that wait to be looked at. */
const MOST_WAITING = 16 * 1024 * 1024;

interface LooksParts {
  readonly recorder: Recorder;
  readonly census: Pick<Census, 'countLook'>;
  readonly source: DetectorSource;
}

/** What was listed: these, or where it is as it was before, what the registry has. */
interface Listed {
  readonly kind: DefinitionKind;
  readonly definitions: readonly Definition[] | undefined;
}

/** What there is to do in one go. */
interface Task {
  readonly unlooked: readonly Definition[];
  readonly context: ServerContext;
}

/** Looks at what the server of one connection declares, and keeps what was found in the registry, so that nobody looks again. */
export class DefinitionLooks {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #census: Pick<Census, 'countLook'>;
  readonly #source: DetectorSource;
  /** What was found, by kind, fingerprint and name. */
  readonly #looks = new Map<string, Look>();
  /** Those that are on record, and the transaction that they were recorded in. */
  readonly #saved = new Map<string, Readonly<Transaction>>();
  #version = '';
  /** Lists of which everything was looked at. */
  readonly #pages = new Set<string>();
  /** Lists that wait until they were. */
  readonly #held = new Map<string, Promise<void>>();
  #listed: Listed[] = [];
  #characters = 0;
  #work: Promise<void> | undefined;

  constructor(setup: GateSetup, { recorder, census, source }: LooksParts) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#census = census;
    this.#source = source;
  }

  /** Nothing that was not looked at may be shown: lists wait for that. */
  get holds(): boolean {
    const { enabled, onDefinition } = this.#policy.policy.detection;
    return enabled && onDefinition !== 'alert' && !this.#setup.isObserving;
  }

  /** Calls may be denied, or asked about, because of what was found. */
  get decides(): boolean {
    return this.holds || (this.#policy.policy.detection.enabled && this.#policy.policy.detection.requireApproval);
  }

  get hides(): boolean {
    return this.holds && this.#policy.policy.detection.onDefinition === 'hide';
  }

  /** False while something can't be decided yet, since what looks at definitions is not loaded. */
  isReady(): boolean {
    if (!this.decides || this.#source.current !== undefined || this.#source.hasFailed) return true;
    void this.#source.load();
    return false;
  }

  /** Nothing can be looked at, and that is no reason to let it pass. */
  get isBlind(): boolean {
    return this.holds && this.#source.hasFailed && this.#setup.onError === 'deny';
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
  isLooked(key: string, read: () => readonly Definition[]): boolean {
    if (!this.holds || this.#source.hasFailed) return true;
    this.#follow(this.#source.current);
    if (this.#pages.has(key)) return true;
    if (!this.#held.has(key)) {
      const looking = this.#lookAhead(key, read)
        .catch((error: unknown) => this.#setup.ports.warn(`a list was not looked at: ${String(error)}`))
        .finally(() => this.#held.delete(key));
      this.#held.set(key, looking);
    }
    return false;
  }

  /** What was compared just now is looked at soon, where it was not before. */
  note({ kind, definitions }: Listed): void {
    if (!this.#policy.policy.detection.enabled) return;
    this.#follow(this.#source.current);
    const unknown = definitions?.filter((definition) => !this.#isSaved(definition));
    if (unknown?.length === 0) return;
    const characters = (unknown ?? []).reduce((sum, { text }) => sum + text.length, 0);
    if (this.#listed.length > 0 && this.#characters + characters > MOST_WAITING) {
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

  /** Resolves when all that has come was looked at. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Keeps and tells what was found in these, where that is news. To be called in an open transaction, once they are known to the registry. */
  save(definitions: readonly Definition[]): void {
    const { server, ports } = this.#setup;
    const news = definitions.flatMap((definition) => {
      const look = this.#looks.get(keyOf(definition));
      if (look === undefined || this.#isSaved(definition)) return [];
      const { kind, name, fingerprint } = definition;
      const known = ports.registry.look(server, kind, name, fingerprint);
      if (known?.version !== look.version) ports.registry.writeLook(server, definition, look, ports.clock.now());
      this.#saved.set(keyOf(definition), this.#recorder.current);
      // Another process may have told it, or rules that have changed since.
      const isTold = (rule: string, field: string): boolean =>
        known?.detections.some((other) => other.rule === rule && other.field === field) === true;
      return [{ definition, detections: look.detections.filter(({ rule, field }) => !isTold(rule, field)) }];
    });
    tellFound(this.#setup, news);
  }

  /** Is a definition kept from the model? Also one that nobody could look at. */
  isHidden(definition: Definition, pin: PinRecord | undefined): boolean {
    if (!this.hides) return false;
    const look = this.#looks.get(keyOf(definition));
    if (look === undefined && this.#setup.onError === 'allow') return false;
    const isFound = look === undefined || findingsOf(this.#policy, look, this.#about(definition)).length > 0;
    return isFound && !isApproved(pin);
  }

  /** What is found in what a server says of itself counts for all of its calls. */
  get judgesServer(): boolean {
    return this.holds && !this.hides;
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
    const { server, ports } = this.#setup;
    const ofServer = this.#facts(instructions, () => ports.registry.text(server, 'instructions', '', 'seen'));
    const isOpen = ofServer !== undefined && !ofServer.isApproved;
    return own === undefined && !isOpen ? undefined : { ...CLEAN, ...own, ofServer: isOpen ? ofServer.findings : [] };
  }

  /** @param text of the definition, where it is needed */
  #facts(pin: PinRecord, text: () => string | undefined): DetectionFacts | undefined {
    const policy = this.#policy;
    if (!policy.policy.detection.enabled || (this.#looks.size === 0 && !this.decides)) return undefined;
    const definition = { kind: pin.kind, name: pin.name, fingerprint: pin.seen };
    const look = this.#looks.get(keyOf(definition)) ?? (this.decides ? this.#lookNow(definition, text) : undefined);
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

  #isSaved(definition: Pick<Definition, 'kind' | 'name' | 'fingerprint'>): boolean {
    return this.#saved.get(keyOf(definition))?.isLost === false;
  }

  /** Under other rules, nothing was looked at. */
  #follow(detector: Detector | undefined): void {
    if (detector === undefined || (detector.version === this.#version && this.#looks.size < MOST_KNOWN)) return;
    this.#version = detector.version;
    this.#looks.clear();
    this.#saved.clear();
    this.#pages.clear();
  }

  /** What is called before anybody has listed it. */
  #lookNow(definition: Omit<Definition, 'text'>, readText: () => string | undefined): Look | undefined {
    const { server, ports } = this.#setup;
    const { kind, name, fingerprint } = definition;
    const detector = this.#source.current;
    if (detector === undefined) throw new Error('there is no detector');
    this.#follow(detector);
    const known = ports.registry.look(server, kind, name, fingerprint);
    if (known?.version === detector.version) {
      this.#looks.set(keyOf(definition), known);
      this.#saved.set(keyOf(definition), this.#recorder.current);
      return known;
    }
    const text = readText();
    if (text === undefined) return known;
    this.#look(detector, [{ ...definition, text }], this.#context());
    this.save([{ ...definition, text }]);
    return this.#looks.get(keyOf(definition));
  }

  async #lookAhead(key: string, read: () => readonly Definition[]): Promise<void> {
    const detector = await this.#source.load();
    if (detector === undefined) return;
    this.#follow(detector);
    const task = await this.#inTransaction(() => this.#toTask(read(), detector.version));
    if (task !== undefined) await this.#lookAll(detector, task);
    if (this.#pages.size >= MOST_PAGES) this.#pages.clear();
    this.#pages.add(key);
  }

  async #workOff(): Promise<void> {
    await setTimeout(AFTER);
    const detector = await this.#source.load();
    while (this.#listed.length > 0) {
      const listed = this.#listed;
      this.#listed = [];
      this.#characters = 0;
      const count = listed.reduce((sum, { definitions }) => sum + (definitions?.length ?? 0), 0);
      if (detector === undefined) {
        this.#census.countLook('failed', count);
        continue;
      }
      this.#follow(detector);
      const { version } = detector;
      const task = await this.#inTransaction(() =>
        this.#toTask(
          listed.flatMap(({ kind, definitions }) => definitions ?? this.#known(kind, version)),
          version,
        ),
      );
      if (task === undefined) {
        this.#census.countLook('failed', count);
        continue;
      }
      await this.#lookAll(detector, task);
      if (task.unlooked.length > 0) await this.#inTransaction(() => this.save(task.unlooked));
    }
  }

  async #inTransaction<T>(act: () => T): Promise<T | undefined> {
    return this.#recorder.alone<T | undefined>(
      () => this.#recorder.within(act),
      (result) => result,
    );
  }

  /** Takes over what others have found, and gives what nobody has looked at. */
  #known(kind: DefinitionKind, version: string): readonly Definition[] {
    const { server, ports } = this.#setup;
    for (const [name, look] of ports.registry.found(server, kind)) {
      const seen = ports.registry.pin(server, kind, name)?.seen;
      if (seen === undefined || look.version !== version) continue;
      this.#looks.set(keyOf({ kind, name, fingerprint: seen }), look);
      this.#saved.set(keyOf({ kind, name, fingerprint: seen }), this.#recorder.current);
    }
    return ports.registry.unlooked(server, kind, version);
  }

  #toTask(definitions: readonly Definition[], version: string): Task {
    const { server, ports } = this.#setup;
    const unlooked = definitions.filter((definition) => {
      const key = keyOf(definition);
      if (this.#looks.has(key)) return !this.#isSaved(definition);
      const known = ports.registry.look(server, definition.kind, definition.name, definition.fingerprint);
      if (known?.version !== version) return true;
      this.#looks.set(key, known);
      this.#saved.set(key, this.#recorder.current);
      return false;
    });
    return { unlooked, context: unlooked.length === 0 ? NO_CONTEXT : this.#context() };
  }

  #context(): ServerContext {
    const { server, ports } = this.#setup;
    const others = new Map(ports.registry.tools());
    const tools = others.get(server) ?? [];
    others.delete(server);
    return { server, tools, others };
  }

  async #lookAll(detector: Detector, { unlooked, context }: Task): Promise<void> {
    for (const slice of slicesOf(unlooked.filter((definition) => !this.#looks.has(keyOf(definition))))) {
      await setImmediate();
      try {
        this.#look(detector, slice, context);
      } catch (error) {
        this.#census.countLook('failed', slice.length);
        this.#setup.ports.warn(`${slice.length} definitions were not looked at: ${String(error)}`);
      }
    }
  }

  #look(detector: Detector, definitions: readonly Definition[], context: ServerContext): void {
    const inspections = detector.definitions(definitions.map(toInput), context);
    for (const [index, definition] of definitions.entries()) {
      const inspection = inspections[index];
      if (inspection === undefined) continue;
      this.#looks.set(keyOf(definition), { ...inspection, version: detector.version });
      this.#census.countLook(inspection.isCut ? 'cut' : 'definitions');
    }
  }
}

const NO_CONTEXT: ServerContext = { server: '', tools: [], others: new Map() };

/** A person has said yes to the definition as it is. */
function isApproved(pin: PinRecord | undefined): boolean {
  return pin?.isApproved === true && pinStatus(pin) === 'pinned';
}

function toInput({ kind, name, text }: Definition): DefinitionInput {
  return { kind, name, value: parseJson(text) };
}

function keyOf({ kind, name, fingerprint }: Pick<Definition, 'kind' | 'name' | 'fingerprint'>): string {
  return `${kind} ${fingerprint} ${name}`;
}

/** The same whatever the machine: what is said in many of a slice counts once. */
function slicesOf(definitions: readonly Definition[]): readonly (readonly Definition[])[] {
  const slices: Definition[][] = [];
  let characters = 0;
  for (const definition of definitions) {
    const last = slices.at(-1);
    const fits = last !== undefined && last.length < SLICE.definitions && characters + definition.text.length <= SLICE.characters;
    characters = fits ? characters + definition.text.length : definition.text.length;
    if (fits) last.push(definition);
    else slices.push([definition]);
  }
  return slices;
}
