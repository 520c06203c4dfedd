import type { JsonObject, JsonValue } from '../../core/json.ts';
import { compareListing } from '../../core/registry/compare.ts';
import type { Definition, DefinitionKind, PinRecord, PinWrite } from '../../core/registry/definition.ts';
import type { RegistryFacts } from '../../core/facts.ts';
import { combineDefinitions, definitionName } from '../../core/registry/fingerprint.ts';
import { matchesTemplate } from '../../core/registry/uri-template.ts';
import { pinStatus } from '../../core/registry/trust.ts';
import { type Compared, readNews } from './definition-news.ts';
import type { DefinitionScans } from '../detection/definition-scans.ts';
import { ListPages, MOST_NAMES, type ReadPage } from './list-pages.ts';
import { cursorKey, type ListMethod } from '../messages/list-methods.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { ServerLaunch } from './server-launch.ts';
import { UntoldNews } from './untold-news.ts';

/** A page of a list, as a server sent it. */
export interface ListPage extends ListMethod {
  /** The requested cursor: empty for the list's beginning, undefined if unknown. */
  readonly cursor: string | undefined;
  /** Digest of its bytes. */
  readonly digest: string;
  /** Parses it when needed; undefined if it is no result. */
  readonly read: () => ReadPage | undefined;
}

/** Facts about a definition; those about the server are added later. */
interface Facts extends Omit<RegistryFacts, 'isServerChanged' | 'detection'> {
  /** The pin of the definition, or of the template that it comes from. */
  readonly pin: PinRecord | undefined;
}

const NO_NAME: Facts = { status: 'pinned', fingerprint: undefined, definition: () => undefined, pin: undefined };

/** The result of comparing a page. */
export interface ComparedPage {
  /** Positions in the list, from 0, of elements that must not be shown. */
  readonly hidden: ReadonlySet<number>;
  /** Pins of the listed definitions, by name; ask for them in the same transaction. */
  readonly pins: () => ReadonlyMap<string, PinRecord>;
}

/** Most characters of a kind and a name that are cached during a transaction. */
const LONGEST_KEY = 256;

const NOTHING: ReadonlySet<number> = new Set();

/** Compares the lists of one connection's server with the registry, and notes what is new. Call all of it in open transactions. */
export class ListComparison {
  readonly #setup: GateSetup;
  readonly #launch: Pick<ServerLaunch, 'scope' | 'trustsFirstUse'>;
  /** Fingerprints by names as this server listed them; another process of it may have listed others. */
  readonly #seen = new Map<DefinitionKind, Map<string, string>>();
  readonly #pages = new ListPages();
  readonly #untold: UntoldNews;
  #compared: Compared[] = [];
  /** True once the person was told that the store lost trusted definitions. */
  #hasReportedLost = false;
  #facts = new Map<string, Facts>();
  #factsIn: object | undefined;
  /** Kinds with listed definitions that can't be kept apart: too many of them, or names that nobody can use. */
  readonly #overfull = new Set<DefinitionKind>();
  /** Kinds with an unreadable list, or with more names than are remembered: a name not in `#seen` may be anything. */
  readonly #unknown = new Set<DefinitionKind>();

  constructor(setup: GateSetup, launch: Pick<ServerLaunch, 'scope' | 'trustsFirstUse'>) {
    this.#setup = setup;
    this.#launch = launch;
    this.#untold = new UntoldNews(setup, launch);
  }

  /** @returns undefined if it can't be read */
  compare(page: ListPage): ComparedPage | undefined {
    const { registry, clock } = this.#setup.ports;
    const { scope } = this.#launch;
    const { kind, cursor, digest } = page;
    this.#facts.clear();
    const isFirst = cursor === '';
    if (isFirst && registry.page(scope, kind, '') === digest) {
      // The page is as it was when all of it was trusted, so earlier doubts are gone.
      for (const doubts of [this.#seen, this.#unknown, this.#overfull]) doubts.delete(kind);
      this.#pages.follow(kind, [], { cursor, next: undefined });
      this.#compared.push({ kind, definitions: undefined, news: [] });
      return { hidden: NOTHING, pins: () => registry.pins(scope, kind) };
    }
    const read = page.read();
    if (read === undefined || !isListOrNone(read.result[page.member])) {
      this.#seen.delete(kind);
      this.#unknown.add(kind);
      return undefined;
    }
    const { definitions: listed, problems, nextCursor, unusable } = read.listing;
    const definitions = this.#withEarlier(kind, cursor, listed);
    if (unusable.length > 0) this.#overfull.add(kind);
    const isWhole = isFirst && nextCursor === undefined;
    const { pins, names, areAllPinned } = this.#compare(kind, definitions, { isWhole, problems });
    const all = this.#pages.follow(kind, definitions, {
      cursor,
      next: nextCursor === undefined ? undefined : cursorKey(nextCursor),
    });
    if (!isWhole && all !== undefined) this.#noteGone(kind, all);
    // A page noted here is not compared again, so it must not contain anything that is told each time, or hidden.
    const isAsTrusted = areAllPinned && problems.length === 0;
    registry.writePage(scope, kind, '', isWhole && isAsTrusted ? digest : undefined, clock.now());
    const hidesNothing = !this.#hides || (names.size === 0 && unusable.length === 0);
    const hidden = hidesNothing ? NOTHING : placesOf(names, read.result, page).union(new Set(unusable));
    return { hidden, pins: () => pins };
  }

  /** Notes instructions as a list of one element. */
  compareInstructions(instructions: Definition): void {
    this.#compare('instructions', [instructions], { isWhole: true, problems: [] });
  }

  /**
   * Positions of list elements that detection hides from the model, and of those without a name that a person could approve.
   *
   * @param pins as comparing the page returned them
   */
  placesOf(page: ListPage, { pins }: ComparedPage, scans: Pick<DefinitionScans, 'isHidden'>): ReadonlySet<number> {
    const read = page.read();
    if (read === undefined) return NOTHING;
    const { definitions, unusable } = read.listing;
    const known = pins();
    const hidden = definitions.filter((one) => scans.isHidden(one, this.#asSeen(one, known.get(one.name))));
    if (hidden.length === 0 && unusable.length === 0) return NOTHING;
    return placesOf(new Set(hidden.map(({ name }) => name)), read.result, page).union(new Set(unusable));
  }

  /** The lists compared since the last call. */
  takeCompared(): readonly Compared[] {
    const compared = this.#compared;
    this.#compared = [];
    return compared;
  }

  /** The pin of a definition, as this connection's server has it. */
  pin(kind: DefinitionKind, name: string): PinRecord | undefined {
    return this.#asSeen({ kind, name }, this.#setup.ports.registry.pin(this.#launch.scope, kind, name));
  }

  /** @param known the pin that all connections share */
  #asSeen({ kind, name }: Pick<Definition, 'kind' | 'name'>, known: PinRecord | undefined): PinRecord | undefined {
    const seen = this.#seen.get(kind)?.get(name);
    // It may be among those that could not be kept. Resources are exempt: there may be any number, and their declarations are not the
    // danger.
    const isLeftOut = known === undefined && kind !== 'resource' && this.#overfull.has(kind);
    const isUnknown = isLeftOut || (seen === undefined && this.#unknown.has(kind));
    if (isUnknown) return { kind, name, pinned: '', seen: '', isListed: true };
    if (known === undefined || seen === undefined) return known;
    // Connections of one remote server reach the same one: if another has seen it change since, it has changed.
    return this.#setup.paths.remote && seen === known.pinned ? known : { ...known, seen };
  }

  /**
   * The facts about the subject of a call.
   *
   * @param transaction the open one, in which nobody else changes anything, so facts are cached
   */
  facts(kind: DefinitionKind, name: string | undefined, transaction: object): Facts {
    if (name === undefined) return NO_NAME;
    if (this.#factsIn !== transaction) this.#facts = new Map();
    this.#factsIn = transaction;
    const key = `${kind} ${name}`;
    const known = this.#facts.get(key);
    if (known !== undefined) return known;
    // Most resources are never listed: their template's facts count.
    const pin = this.pin(kind, name) ?? (kind === 'resource' ? this.templateOf(name) : undefined);
    const definition = (): string | undefined => this.#textOf(kind, name);
    const facts = { status: pinStatus(pin), fingerprint: pin?.seen, definition, pin };
    if (key.length <= LONGEST_KEY) this.#facts.set(key, facts);
    return facts;
  }

  /** The definition as this connection's server has it; undefined if the store only has another version. */
  #textOf(kind: DefinitionKind, name: string): string | undefined {
    const { registry } = this.#setup.ports;
    const { scope } = this.#launch;
    const seen = this.#seen.get(kind)?.get(name);
    const stored = registry.pin(scope, kind, name);
    if (seen === undefined || seen === stored?.seen) return registry.text(scope, kind, name, 'seen');
    return seen === stored?.pinned ? registry.text(scope, kind, name, 'pinned') : undefined;
  }

  /** The pin of a resource's template: one that has changed if there is any, otherwise one that is trusted. */
  templateOf(uri: string): PinRecord | undefined {
    const known = this.#setup.ports.registry.pins(this.#launch.scope, 'resource_template');
    const templates = [...known.keys()].filter((name) => matchesTemplate(name, uri));
    const pins = templates.map((name) => this.pin('resource_template', name));
    return ['changed', 'pinned', 'new'].flatMap((status) => pins.find((pin) => pinStatus(pin) === status) ?? [])[0];
  }

  /** @returns the pins by name, the names that must not be shown, and whether all definitions are trusted as they are */
  #compare(
    kind: DefinitionKind,
    definitions: readonly Definition[],
    { isWhole, problems }: { readonly isWhole: boolean; readonly problems: readonly string[] },
  ): { readonly pins: ReadonlyMap<string, PinRecord>; readonly names: ReadonlySet<string>; readonly areAllPinned: boolean } {
    const { registry, clock } = this.#setup.ports;
    const { scope, trustsFirstUse: trustFirstUse } = this.#launch;
    this.#facts.clear();
    const read = (): ReadonlyMap<string, PinRecord> => (isWhole ? registry.pins(scope, kind) : this.#pinsOf(kind, definitions));
    const known = read();
    const { sights: compared, writes } = compareListing(known, definitions, { trustFirstUse, isWhole });
    const sights = this.#untold.recall(compared);
    if (writes.length > 0) registry.write(scope, writes, clock.now());
    const pins = writes.length > 0 ? read() : known;
    const isKept = !this.#overfull.has(kind);
    if (isKept && definitions.some(({ name }) => !known.has(name) && this.#seen.get(kind)?.has(name) === true)) this.#tellLost();
    this.#remember(kind, definitions);
    const kept = sights.filter(({ status, definition }) => status !== 'new' || pins.has(definition.name));
    // A definition that can't be kept would be news on each listing.
    if (kept.length < sights.length) this.#noteOverfull(kind, sights.length - kept.length);
    this.#compared.push({ kind, definitions, news: readNews(this.#setup, { scope, kind, sights: kept, problems }) });
    const untrusted = sights.filter(
      ({ definition }) => pinStatus(this.#asSeen(definition, pins.get(definition.name))) !== 'pinned',
    );
    const hidden = this.#hides ? untrusted : [];
    return { pins, names: new Set(hidden.map(({ definition }) => definition.name)), areAllPinned: untrusted.length === 0 };
  }

  get #hides(): boolean {
    const { enabled, onChange } = this.#setup.policy.current().policy.pinning;
    return enabled && onChange === 'hide';
  }

  #noteOverfull(kind: DefinitionKind, count: number): void {
    const { server, ports } = this.#setup;
    if (!this.#overfull.has(kind))
      ports.warn(`${JSON.stringify(server)}lists more definitions than clawai keeps: ${count} (${kind}) are not trusted`);
    this.#overfull.add(kind);
  }

  /** Warns that the store lost definitions that this very connection has seen. */
  #tellLost(): void {
    const { server, ports } = this.#setup;
    if (!this.#hasReportedLost)
      ports.warn(`what was trusted of ${JSON.stringify(server)}is lost with the store: clawai treats what it lists now as new`);
    this.#hasReportedLost = true;
  }

  #remember(kind: DefinitionKind, definitions: readonly Definition[]): void {
    const seen = this.#seen.get(kind) ?? new Map<string, string>();
    this.#seen.set(kind, seen);
    for (const { name, fingerprint } of definitions) {
      if (seen.size < MOST_NAMES || seen.has(name)) seen.set(name, fingerprint);
      else this.#unknown.add(kind);
    }
  }

  /** Combines a definition with a differing one of an earlier page: it is not known which of them a client goes by. */
  #withEarlier(kind: DefinitionKind, cursor: string | undefined, listed: readonly Definition[]): readonly Definition[] {
    const { registry } = this.#setup.ports;
    return listed.map((definition) => {
      const { name, fingerprint } = definition;
      const earlier = this.#pages.earlier(kind, cursor, name);
      if (earlier === undefined || earlier === fingerprint) return definition;
      const text = registry.text(this.#launch.scope, kind, name, 'seen') ?? '[';
      // For combined definitions, the fingerprint is enough: an endless list would make an endless text.
      const short = text.startsWith('[') ? JSON.stringify(earlier) : text;
      return combineDefinitions([{ kind, name, text: short, fingerprint: earlier }, definition]);
    });
  }

  #pinsOf(kind: DefinitionKind, definitions: readonly Definition[]): ReadonlyMap<string, PinRecord> {
    const { registry } = this.#setup.ports;
    const known = new Map<string, PinRecord>();
    for (const { name } of definitions) {
      const pin = registry.pin(this.#launch.scope, kind, name);
      if (pin !== undefined) known.set(name, pin);
    }
    return known;
  }

  /** Notes the definitions that no page of the list had. */
  #noteGone(kind: DefinitionKind, names: ReadonlySet<string>): void {
    const { registry, clock } = this.#setup.ports;
    const { scope } = this.#launch;
    const all = [...registry.pins(scope, kind).values()];
    const gone = all.filter(({ name, isListed }) => isListed && !names.has(name));
    const writes = gone.map(({ name }): PinWrite => ({ kind, name, isListed: false }));
    if (writes.length > 0) registry.write(scope, writes, clock.now());
  }
}

function placesOf(names: ReadonlySet<string>, result: JsonObject, { kind, member }: ListMethod): ReadonlySet<number> {
  const list = result[member];
  const places = new Set<number>();
  if (!Array.isArray(list)) return places;
  for (const [index, element] of (list as readonly JsonValue[]).entries()) {
    const name = definitionName(kind, element);
    if (name !== undefined && names.has(name)) places.add(index);
  }
  return places;
}

/** Some clients accept something other than a list, and nobody knows how they read it. */
function isListOrNone(list: JsonValue | undefined): boolean {
  return list === undefined || list === null || Array.isArray(list);
}
