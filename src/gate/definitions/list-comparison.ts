import type { JsonObject, JsonValue } from '../../core/json.ts';
import { compareListing } from '../../core/registry/compare.ts';
import type { Definition, DefinitionKind, PinRecord, PinWrite } from '../../core/registry/definition.ts';
import type { RegistryFacts } from '../../core/facts.ts';
import { combineDefinitions, definitionName } from '../../core/registry/fingerprint.ts';
import { matchesTemplate } from '../../core/registry/uri-template.ts';
import { pinStatus } from '../../core/registry/trust.ts';
import { type Compared, readNews } from './definition-news.ts';
import type { DefinitionLooks } from '../detection/definition-looks.ts';
import { ListPages, MOST_NAMES, type ReadPage } from './list-pages.ts';
import { cursorKey, type ListMethod } from '../messages/list-methods.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { ServerLaunch } from './server-launch.ts';
import { UntoldNews } from './untold-news.ts';

/** A page of a list, as a server sent it. */
export interface ListPage extends ListMethod {
  /** Where it was asked to begin: empty for the list's beginning, undefined where that is not known. */
  readonly cursor: string | undefined;
  /** Of its bytes. */
  readonly digest: string;
  /** Reads it, where that is needed; undefined where it is no result. */
  readonly read: () => ReadPage | undefined;
}

/** Of the definition; the server's own are besides. */
interface Facts extends Omit<RegistryFacts, 'isServerChanged' | 'detection'> {
  /** What is known of it, or of the template that it comes of. */
  readonly pin: PinRecord | undefined;
}

const NO_NAME: Facts = { status: 'pinned', fingerprint: undefined, definition: () => undefined, pin: undefined };

/** What came of comparing a page. */
export interface ComparedPage {
  /** Places in the list of what is not to be shown, from 0. */
  readonly hidden: ReadonlySet<number>;
  /** What is known now of what it lists, by name; to be asked in the same transaction. */
  readonly pins: () => ReadonlyMap<string, PinRecord>;
}

/** Characters of a kind and a name that are remembered for the time of a transaction. */
const LONGEST_KEY = 256;

const NOTHING: ReadonlySet<number> = new Set();

/** Holds the lists of one connection's server against what is known of them, and notes what is new. All of it in open transactions. */
export class ListComparison {
  readonly #setup: GateSetup;
  readonly #launch: Pick<ServerLaunch, 'scope' | 'trustsFirstUse'>;
  /** What this server listed, which may not be what another process of it did: fingerprints by names. */
  readonly #seen = new Map<DefinitionKind, Map<string, string>>();
  readonly #pages = new ListPages();
  readonly #untold: UntoldNews;
  #compared: Compared[] = [];
  /** Kinds of which something was listed that can't be kept apart: too much of it, or under names that nobody can use. */
  #hasToldLost = false;
  #facts = new Map<string, Facts>();
  #factsIn: object | undefined;
  readonly #overfull = new Set<DefinitionKind>();
  /** Kinds of which a list could not be read, or has more names than are remembered: what is not in `#seen` may be anything. */
  readonly #unknown = new Set<DefinitionKind>();

  constructor(setup: GateSetup, launch: Pick<ServerLaunch, 'scope' | 'trustsFirstUse'>) {
    this.#setup = setup;
    this.#launch = launch;
    this.#untold = new UntoldNews(setup, launch);
  }

  /** @returns undefined where it can't be read */
  look(page: ListPage): ComparedPage | undefined {
    const { registry, clock } = this.#setup.ports;
    const { scope } = this.#launch;
    const { kind, cursor, digest } = page;
    this.#facts.clear();
    const isFirst = cursor === '';
    if (isFirst && registry.page(scope, kind, '') === digest) {
      // All of it is as it was trusted, whatever was listed before.
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
    // What is noted here is not looked at again, so nothing may be in it that is told each time, or left out.
    const isAsTrusted = areAllPinned && problems.length === 0;
    registry.writePage(scope, kind, '', isWhole && isAsTrusted ? digest : undefined, clock.now());
    const hidesNothing = !this.#hides || (names.size === 0 && unusable.length === 0);
    const hidden = hidesNothing ? NOTHING : placesOf(names, read.result, page).union(new Set(unusable));
    return { hidden, pins: () => pins };
  }

  /** Notes instructions, which are a list of one. */
  lookAt(instructions: Definition): void {
    this.#compare('instructions', [instructions], { isWhole: true, problems: [] });
  }

  /**
   * Places in a list of what detection keeps from the model, and of what has no name that a person could approve.
   *
   * @param pins as they came of comparing it
   */
  placesOf(page: ListPage, { pins }: ComparedPage, looks: Pick<DefinitionLooks, 'isHidden'>): ReadonlySet<number> {
    const read = page.read();
    if (read === undefined) return NOTHING;
    const { definitions, unusable } = read.listing;
    const known = pins();
    const hidden = definitions.filter((one) => looks.isHidden(one, this.#asSeen(one, known.get(one.name))));
    if (hidden.length === 0 && unusable.length === 0) return NOTHING;
    return placesOf(new Set(hidden.map(({ name }) => name)), read.result, page).union(new Set(unusable));
  }

  /** What was compared since this was asked last. */
  takeCompared(): readonly Compared[] {
    const compared = this.#compared;
    this.#compared = [];
    return compared;
  }

  /** What is known of a definition, as this connection's server has it. */
  pin(kind: DefinitionKind, name: string): PinRecord | undefined {
    return this.#asSeen({ kind, name }, this.#setup.ports.registry.pin(this.#launch.scope, kind, name));
  }

  /** @param known what all connections know of it */
  #asSeen({ kind, name }: Pick<Definition, 'kind' | 'name'>, known: PinRecord | undefined): PinRecord | undefined {
    const seen = this.#seen.get(kind)?.get(name);
    // It may have been in the part that could not be kept. Resources there may be without number, and what is dangerous is not how one is declared.
    const isLeftOut = known === undefined && kind !== 'resource' && this.#overfull.has(kind);
    const isUnknown = isLeftOut || (seen === undefined && this.#unknown.has(kind));
    if (isUnknown) return { kind, name, pinned: '', seen: '', isListed: true };
    if (known === undefined || seen === undefined) return known;
    // Connections of one remote server reach the same one: where another has seen it changed since, it is.
    return this.#setup.paths.remote && seen === known.pinned ? known : { ...known, seen };
  }

  /**
   * What is known of what a call is about.
   *
   * @param transaction the open one, in which nobody else changes anything: it is looked up once
   */
  facts(kind: DefinitionKind, name: string | undefined, transaction: object): Facts {
    if (name === undefined) return NO_NAME;
    if (this.#factsIn !== transaction) this.#facts = new Map();
    this.#factsIn = transaction;
    const key = `${kind} ${name}`;
    const known = this.#facts.get(key);
    if (known !== undefined) return known;
    // Most resources are never listed: what is known of one is its template.
    const pin = this.pin(kind, name) ?? (kind === 'resource' ? this.templateOf(name) : undefined);
    const definition = (): string | undefined => this.#textOf(kind, name);
    const facts = { status: pinStatus(pin), fingerprint: pin?.seen, definition, pin };
    if (key.length <= LONGEST_KEY) this.#facts.set(key, facts);
    return facts;
  }

  /** The definition as this connection's server has it; undefined where only another one of it is kept. */
  #textOf(kind: DefinitionKind, name: string): string | undefined {
    const { registry } = this.#setup.ports;
    const { scope } = this.#launch;
    const seen = this.#seen.get(kind)?.get(name);
    const stored = registry.pin(scope, kind, name);
    if (seen === undefined || seen === stored?.seen) return registry.text(scope, kind, name, 'seen');
    return seen === stored?.pinned ? registry.text(scope, kind, name, 'pinned') : undefined;
  }

  /** The same for the template that a resource comes of: one that has changed, where there is any, else one that is trusted. */
  templateOf(uri: string): PinRecord | undefined {
    const known = this.#setup.ports.registry.pins(this.#launch.scope, 'resource_template');
    const templates = [...known.keys()].filter((name) => matchesTemplate(name, uri));
    const pins = templates.map((name) => this.pin('resource_template', name));
    return ['changed', 'pinned', 'new'].flatMap((status) => pins.find((pin) => pinStatus(pin) === status) ?? [])[0];
  }

  /** @returns what is known then by name, the names of what is not to be shown, and whether all is trusted as it is */
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
    // What can't be kept would be news each time that it is listed.
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
      ports.warn(`${JSON.stringify(server)} lists more than is kept: ${count} definitions (${kind}) are not trusted`);
    this.#overfull.add(kind);
  }

  /** What this very connection has seen is not known any more. */
  #tellLost(): void {
    const { server, ports } = this.#setup;
    if (!this.#hasToldLost)
      ports.warn(
        `what was trusted of ${JSON.stringify(server)} is lost with the store: what it lists now is seen for the first time`,
      );
    this.#hasToldLost = true;
  }

  #remember(kind: DefinitionKind, definitions: readonly Definition[]): void {
    const seen = this.#seen.get(kind) ?? new Map<string, string>();
    this.#seen.set(kind, seen);
    for (const { name, fingerprint } of definitions) {
      if (seen.size < MOST_NAMES || seen.has(name)) seen.set(name, fingerprint);
      else this.#unknown.add(kind);
    }
  }

  /** What earlier pages of the list had otherwise is both: which of them a client goes by is not known. */
  #withEarlier(kind: DefinitionKind, cursor: string | undefined, listed: readonly Definition[]): readonly Definition[] {
    const { registry } = this.#setup.ports;
    return listed.map((definition) => {
      const { name, fingerprint } = definition;
      const earlier = this.#pages.earlier(kind, cursor, name);
      if (earlier === undefined || earlier === fingerprint) return definition;
      const text = registry.text(this.#launch.scope, kind, name, 'seen') ?? '[';
      // Of several, the fingerprint is enough: else a list without end would make a text without end.
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

  /** Notes what none of a list's pages had. */
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

/** Some clients make do with what is no list, and nobody knows how. */
function isListOrNone(list: JsonValue | undefined): boolean {
  return list === undefined || list === null || Array.isArray(list);
}
