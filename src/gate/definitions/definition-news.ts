import type { ScanResult } from '../../core/detect/types.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Definition, DefinitionKind, FieldChange, Sight } from '../../core/registry/definition.ts';
import { diffDefinitions } from '../../core/registry/diff.ts';
import { actedOn, recordedDetection, reportOf } from '../detection/findings.ts';
import type { Refused } from '../ports/approval-port.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { Recorder, Transaction } from '../recorder.ts';
import type { ChangedRecord, PinScope, SeenRecord } from '../ports/registry-port.ts';
import { UntoldNews } from './untold-news.ts';

/** Changes of one list that are told to the person one by one. */
const MOST_SHOWN = 3;

interface Listing {
  /** The scope of the server's pins. */
  readonly scope: PinScope;
  readonly kind: DefinitionKind;
  readonly sights: readonly Sight[];
  /** The problems of the list. */
  readonly problems: readonly string[];
}

/** A definition that differs from the last sight of it: its records, without detections. */
export interface DefinitionNews {
  readonly definition: Definition;
  readonly seen: Omit<SeenRecord, 'detections'>;
  /** Undefined if it does not differ from the trusted one. */
  readonly changed: Omit<ChangedRecord, 'detections'> | undefined;
}

/** The compared definitions; undefined if the list was unchanged, so that all known ones were. */
export interface Compared {
  readonly kind: DefinitionKind;
  readonly definitions: readonly Definition[] | undefined;
  /** Definitions that differ from the last time, to be recorded. */
  readonly news: readonly DefinitionNews[];
}

/**
 * The definitions that differ from the last time. Warns the person of those that differ from the trusted ones. Call it in an open
 * transaction.
 */
export function readNews(setup: GateSetup, { scope, kind, sights, problems }: Listing): readonly DefinitionNews[] {
  const { server, identity, policy, ports } = setup;
  const { registry, clock, session, warn } = ports;
  const news = sights.filter(({ status }) => status !== 'unchanged');
  const names = news.filter(({ status }) => status === 'new').map(({ definition }) => definition.name);
  const lookAlikes = kind === 'tool' && names.length > 0 ? registry.lookAlikes(scope, names) : undefined;
  const problem = problems.length === 0 ? undefined : problems.join('; ');
  const action = policy.current().policy.pinning.onChange;
  const { trustFirstUse } = policy.current().policy.pinning;
  let reported = 0;
  const read = news.map(({ definition, status, pinned, renamedFrom }): DefinitionNews => {
    const { name, fingerprint } = definition;
    const about = { time: clock.now(), session: session(), server, serverType: identity().type, kind, name };
    const likes = lookAlikes?.get(name) ?? [];
    const description = descriptionOf(definition);
    const seen = { ...about, fingerprint, description, status, renamedFrom, lookAlikes: likes, problem };
    if (status === 'new' && !trustFirstUse) tellRefused(setup, { kind, name, why: 'new', trusted: undefined });
    if (status !== 'changed' || pinned === undefined) return { definition, seen, changed: undefined };
    tellRefused(setup, { kind, name, why: 'changed', trusted: pinned });
    const previous = registry.text(scope, kind, name, 'pinned');
    const changes = previous === undefined ? [] : diffDefinitions(previous, definition.text);
    reported++;
    if (reported <= MOST_SHOWN) warn(describeChange(server, definition, changes));
    return { definition, seen, changed: { ...about, previous: pinned, next: fingerprint, changes, action } };
  });
  if (reported > MOST_SHOWN)
    warn(`${reported - MOST_SHOWN} more definitions of ${JSON.stringify(server)} changed: see clawai mcp registry list`);
  return read;
}

/** Points a person to an untrusted definition if the policy refuses it. */
export function tellRefused(
  { server, isObserving, policy, ports }: GateSetup,
  about: Pick<Refused, 'kind' | 'name' | 'why' | 'trusted'>,
): void {
  const { pinning, detection } = policy.current().policy;
  const action = about.why === 'found' ? detection.onDefinition : pinning.onChange;
  const { enabled } = about.why === 'found' ? detection : pinning;
  if (enabled && !isObserving && (action === 'deny' || action === 'hide')) ports.approver.tell?.({ server, action, ...about });
}

interface Waiting {
  readonly news: DefinitionNews;
  readonly sight: Sight;
  readonly within: Readonly<Transaction>;
  /** True if other processes tell it in case this one dies. */
  readonly isKept: boolean;
}

/** Records news of one connection's server together with its detections: news that was not scanned yet waits for that. */
export class DefinitionRecorder {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #scanResultOf: (definition: Definition) => ScanResult | undefined;
  readonly #untold: UntoldNews;
  /** News that waits, each with the transaction that it was found in. */
  #waiting: Waiting[] = [];

  constructor(
    setup: GateSetup,
    {
      recorder,
      launch,
      scanResultOf,
    }: {
      readonly recorder: Recorder;
      readonly launch: { readonly scope: PinScope };
      readonly scanResultOf: (definition: Definition) => ScanResult | undefined;
    },
  ) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#scanResultOf = scanResultOf;
    this.#untold = new UntoldNews(setup, launch);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Notes news; call it in an open transaction. @param isScannedSoon `recordWaiting` is called once all of it was scanned */
  note(news: readonly DefinitionNews[], isScannedSoon: boolean): void {
    const within = this.#recorder.current;
    const waits = (one: DefinitionNews): boolean => isScannedSoon && this.#scanResultOf(one.definition) === undefined;
    const waiting = news.filter(waits).map((one) => ({ news: one, sight: toSight(one), within }));
    const kept = this.#untold.add(waiting.map(({ sight }) => sight));
    for (const one of waiting) this.#waiting.push({ ...one, isKept: kept.has(one.sight) });
    for (const one of news) if (!waits(one)) this.#record(one);
  }

  /** Records all waiting news, scanned or not. @param along is done in the same transaction */
  async recordWaiting(along: () => void = () => undefined): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const record = (): true => {
      // News of a lost transaction is found again.
      const left = waiting.filter(({ within }) => !within.isLost);
      const taken = this.#untold.take(left.filter(({ isKept }) => isKept).map(({ sight }) => sight));
      for (const { news, sight, isKept } of left) if (!isKept || taken.has(sight)) this.#record(news);
      along();
      return true;
    };
    const isRecorded = await this.#recorder.transact(
      () => this.#recorder.within(record),
      () => undefined,
    );
    if (isRecorded === undefined) this.#waiting.push(...waiting);
  }

  #record({ definition, seen, changed }: DefinitionNews): void {
    const { server, policy, ports } = this.#setup;
    const { kind, name } = definition;
    const result = this.#scanResultOf(definition);
    const compiled = policy.current();
    const acted = result && actedOn(reportOf(compiled, result.detections, { server, tool: kind === 'tool' ? name : undefined }));
    const detections = acted?.map((detection) => recordedDetection(compiled, detection));
    ports.sink.record({ type: 'seen', ...seen, detections });
    if (changed !== undefined) ports.sink.record({ type: 'changed', ...changed, detections });
  }
}

function toSight({ definition, seen }: DefinitionNews): Sight {
  return { definition, status: seen.status };
}

function describeChange(server: string, { kind, name }: Definition, changes: readonly FieldChange[]): string {
  const what = kind === 'instructions' ? 'the instructions' : `the ${kind.replace('_', ' ')} ${JSON.stringify(name)}`;
  const fields = changes.slice(0, MOST_SHOWN).map(({ field }) => field);
  const where = fields.length === 0 ? '' : ` (${fields.join(', ')}${changes.length > fields.length ? ', …' : ''})`;
  return `${what} of ${JSON.stringify(server)} changed since it was trusted${where}: see clawai mcp registry list, and clawai approve`;
}

function descriptionOf({ kind, text }: Definition): string | undefined {
  if (kind === 'instructions') return undefined;
  const value = parseJson(text);
  const description = isJsonObject(value) ? value['description'] : undefined;
  return typeof description === 'string' ? description : undefined;
}
