import { CleanTexts } from '../../core/detect/clean-texts.ts';
import type { DefinitionInput, Detector, ScanResult, ServerContext } from '../../core/detect/types.ts';
import { parseJson } from '../../core/json.ts';
import type { Definition, DefinitionKind } from '../../core/registry/definition.ts';
import type { Tally } from '../tally.ts';
import type { ServerLaunch } from '../definitions/server-launch.ts';
import type { GateSetup, TurnTaking } from '../ports/ports.ts';
import type { PinScope } from '../ports/registry-port.ts';
import type { Recorder } from '../recorder.ts';
import { tellFound } from './detection-news.ts';
import { KnownScans, type DefinitionIdentity } from './known-scans.ts';

/** Most definitions, and characters of them, that are scanned together, in some milliseconds; then others get their turn. */
const SLICE = { definitions: 16, characters: 32 * 1024 } as const;

/** The work of one pass. */
export interface Task {
  readonly unscanned: readonly Definition[];
  readonly context: ServerContext;
}

const NO_CONTEXT: ServerContext = { server: '', tools: [], others: new Map() };

export interface DefinitionScannerParts {
  readonly recorder: Recorder;
  readonly tally: Pick<Tally, 'countScan'>;
  readonly launch: Pick<ServerLaunch, 'scope'>;
}

/** Scans definitions of one server, and keeps the findings in the registry. Methods that need an open transaction say so. */
export class DefinitionScanner {
  readonly known = new KnownScans();
  readonly #setup: GateSetup;
  readonly #launch: DefinitionScannerParts['launch'];
  readonly #recorder: Recorder;
  readonly #tally: Pick<Tally, 'countScan'>;

  constructor(setup: GateSetup, { recorder, tally, launch }: DefinitionScannerParts) {
    this.#setup = setup;
    this.#launch = launch;
    this.#recorder = recorder;
    this.#tally = tally;
  }

  /** The scope of the server's pins. */
  get scope(): PinScope {
    return this.#launch.scope;
  }

  /** Saves and tells new findings in these definitions. Call it in an open transaction, once the registry knows them. */
  save(definitions: readonly Definition[]): void {
    const { ports } = this.#setup;
    const { scope } = this;
    const news = definitions.flatMap((definition) => {
      const result = this.known.get(definition);
      if (result === undefined || this.known.isSaved(definition)) return [];
      const { kind, name, fingerprint } = definition;
      const known = ports.registry.scanResult(scope, kind, name, fingerprint);
      if (known?.version !== result.version) ports.registry.writeScanResult(scope, definition, result, ports.clock.now());
      this.known.noteSaved(definition, this.#recorder.current);
      // Another process, or an earlier version of the rules, may have told it.
      const isReported = (rule: string, field: string): boolean =>
        known?.detections.some((other) => other.rule === rule && other.field === field) === true;
      const detections = result.detections.filter(({ rule, field }) => !isReported(rule, field));
      const pin = detections.length === 0 ? undefined : ports.registry.pin(scope, kind, name);
      return [{ definition, detections, pin }];
    });
    tellFound(this.#setup, news);
  }

  /** Scans a definition that is called before anybody has listed it. Call it in an open transaction. */
  scanNow(
    definition: DefinitionIdentity,
    { detector, readText }: { detector: Detector | undefined; readText: () => string | undefined },
  ): ScanResult | 'failed' | undefined {
    const { ports } = this.#setup;
    const { scope } = this;
    const { kind, name, fingerprint } = definition;
    const known = ports.registry.scanResult(scope, kind, name, fingerprint);
    // Findings of other rules are better than none.
    if (detector === undefined) return known ?? 'failed';
    if (known?.version === detector.version) {
      this.known.set(definition, known);
      this.known.noteSaved(definition, this.#recorder.current);
      return known;
    }
    const text = readText();
    if (text === undefined) return known;
    this.#tryScan(detector, [{ ...definition, text }], this.#context());
    this.save([{ ...definition, text }]);
    return this.known.get(definition) ?? known ?? 'failed';
  }

  /** Takes over the findings of other processes, and returns the definitions that nobody has scanned. Call it in an open transaction. */
  takeOver(kind: DefinitionKind, version: string): readonly Definition[] {
    const { ports } = this.#setup;
    const { scope } = this;
    for (const [name, result] of ports.registry.found(scope, kind)) {
      const seen = ports.registry.pin(scope, kind, name)?.seen;
      if (seen === undefined || result.version !== version) continue;
      this.known.set({ kind, name, fingerprint: seen }, result);
      this.known.noteSaved({ kind, name, fingerprint: seen }, this.#recorder.current);
    }
    return ports.registry.unscanned(scope, kind, version);
  }

  /** The definitions among these that are still to be scanned. Call it in an open transaction. */
  toTask(definitions: readonly Definition[], version: string): Task {
    const { ports } = this.#setup;
    const { scope } = this;
    const unscanned = definitions.filter((definition) => {
      if (this.known.get(definition) !== undefined) return !this.known.isSaved(definition);
      const known = ports.registry.scanResult(scope, definition.kind, definition.name, definition.fingerprint);
      if (known?.version !== version) return true;
      this.known.set(definition, known);
      this.known.noteSaved(definition, this.#recorder.current);
      return false;
    });
    return { unscanned, context: unscanned.length === 0 ? NO_CONTEXT : this.#context() };
  }

  #context(): ServerContext {
    const { server, ports } = this.#setup;
    const others = new Map(ports.registry.tools());
    const tools = others.get(server) ?? [];
    others.delete(server);
    return { server, tools, others, sentences: new Map(), clean: new CleanTexts() };
  }

  /** Scans all of them, slice by slice, so that passing messages do not wait for the whole. */
  async scanAll(detector: Detector, { unscanned, context }: Task, turns: TurnTaking): Promise<void> {
    for (const slice of slicesOf(unscanned.filter((definition) => this.known.get(definition) === undefined))) {
      await turns.letOthers();
      this.#tryScan(detector, slice, context);
    }
  }

  #tryScan(detector: Detector, definitions: readonly Definition[], context: ServerContext): void {
    try {
      this.#scan(detector, definitions, context);
    } catch (error) {
      // These count as not scanned, and the rest goes on.
      this.#tally.countScan('failed', definitions.length);
      this.#setup.ports.warn(`could not scan ${definitions.length} definitions: ${String(error)}`);
    }
  }

  #scan(detector: Detector, definitions: readonly Definition[], context: ServerContext): void {
    const inspections = detector.definitions(definitions.map(toInput), context);
    for (const [index, definition] of definitions.entries()) {
      const inspection = inspections[index];
      if (inspection === undefined) continue;
      this.known.set(definition, { ...inspection, version: detector.version });
      this.#tally.countScan(inspection.isCut ? 'cut' : 'definitions');
    }
  }
}

/** Divides definitions in order, in the same way on every machine: words that many of a slice share count once. */
export function slicesOf(definitions: readonly Definition[]): readonly (readonly Definition[])[] {
  const slices: Definition[][] = [];
  let characters = 0;
  for (const definition of definitions) {
    const { length } = definition.text;
    const last = slices.at(-1);
    const fits = last !== undefined && last.length < SLICE.definitions && characters + length <= SLICE.characters;
    characters = fits ? characters + length : length;
    if (fits) last.push(definition);
    else slices.push([definition]);
  }
  return slices;
}

/** A definition in the detector's form. */
export function toInput({ kind, name, text }: Definition): DefinitionInput {
  return { kind, name, value: parseJson(text) };
}
