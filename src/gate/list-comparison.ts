import type { JsonObject, JsonValue } from '../core/json.ts';
import { compareListing } from '../core/registry/compare.ts';
import type { Definition, DefinitionKind, PinRecord, PinWrite, Sight } from '../core/registry/definition.ts';
import { definitionName } from '../core/registry/fingerprint.ts';
import { pinStatus } from '../core/registry/pin-status.ts';
import { readListing } from '../core/registry/read-listing.ts';
import { tellNews } from './definition-news.ts';
import type { ListMethod } from './list-methods.ts';
import { ListPages, MOST_NAMES } from './list-pages.ts';
import type { GateSetup } from './ports.ts';

/** A page of a list, as a server sent it. */
export interface ListPage extends ListMethod {
  /** Where it was asked to begin: empty for the list's beginning, undefined where that is not known. */
  readonly cursor: string | undefined;
  /** Of its bytes. */
  readonly digest: string;
  /** The result, read where it is needed; undefined where it is none. */
  readonly result: () => JsonObject | undefined;
}

const NOTHING: ReadonlySet<number> = new Set();

/** Holds the lists of one connection's server against what is known of them, and notes what is new. All of it in open transactions. */
export class ListComparison {
  readonly #setup: GateSetup;
  /** What this server listed, which may not be what another process of it did. */
  readonly #seen = new Map<string, string>();
  readonly #pages = new ListPages();
  /** Kinds of which something was listed that can't be kept apart: too much of it, or under names that nobody can use. */
  readonly #overfull = new Set<DefinitionKind>();

  constructor(setup: GateSetup) {
    this.#setup = setup;
  }

  /** @returns places in the list of what is not to be shown, from 0 */
  look(page: ListPage): ReadonlySet<number> {
    const { server, ports } = this.#setup;
    const { registry, clock } = ports;
    const { kind, cursor, digest } = page;
    const isFirst = cursor === '';
    if (isFirst && registry.page(server, kind, '') === digest) return NOTHING;
    const result = page.result();
    if (result === undefined) return NOTHING;
    const { definitions, problems, nextCursor, unusable } = readListing(page.kind, result);
    if (unusable.length > 0) this.#overfull.add(kind);
    const isWhole = isFirst && nextCursor === undefined;
    const { sights, names } = this.#compare(kind, definitions, { isWhole, problems });
    if (!isWhole) this.#follow(kind, definitions, { isFirst, isLast: nextCursor === undefined });
    // What is noted here is not looked at again, so nothing may be in it that is told each time, or left out.
    const isAsTrusted = names.size === 0 && problems.length === 0 && sights.every(({ definition }) => this.#isPinned(definition));
    registry.writePage(server, kind, '', isWhole && isAsTrusted ? digest : undefined, clock.now());
    return names.size === 0 ? NOTHING : placesOf(names, result, page);
  }

  /** Notes instructions, which are a list of one. */
  lookAt(instructions: Definition): void {
    this.#compare('instructions', [instructions], { isWhole: true, problems: [] });
  }

  /** What is known of a definition, as this connection's server has it. */
  pin(kind: DefinitionKind, name: string): PinRecord | undefined {
    const known = this.#setup.ports.registry.pin(this.#setup.server, kind, name);
    // It may have been in the part that could not be kept: then it is not known to be what it was.
    if (known === undefined) return this.#overfull.has(kind) ? { kind, name, pinned: '', seen: '', isListed: true } : undefined;
    const seen = this.#seen.get(`${kind} ${name}`);
    return seen === undefined ? known : { ...known, seen };
  }

  /** @returns besides, the names of what is not to be shown */
  #compare(
    kind: DefinitionKind,
    definitions: readonly Definition[],
    { isWhole, problems }: { readonly isWhole: boolean; readonly problems: readonly string[] },
  ): { readonly sights: readonly Sight[]; readonly names: ReadonlySet<string> } {
    const { server, policy, ports } = this.#setup;
    const { registry, clock } = ports;
    const { enabled, onChange, trustFirstUse } = policy.current().policy.pinning;
    const known = isWhole ? registry.pins(server, kind) : this.#pinsOf(kind, definitions);
    const { sights, writes } = compareListing(known, definitions, { trustFirstUse, isWhole });
    if (writes.length > 0) registry.write(server, writes, clock.now());
    for (const { name, fingerprint } of definitions) {
      if (this.#seen.size < MOST_NAMES) this.#seen.set(`${kind} ${name}`, fingerprint);
    }
    if (definitions.some(({ name }) => registry.pin(server, kind, name) === undefined)) this.#overfull.add(kind);
    tellNews(this.#setup, { kind, sights, problems });
    const hidden = enabled && onChange === 'hide' ? sights.filter(({ definition }) => !this.#isPinned(definition)) : [];
    return { sights, names: new Set(hidden.map(({ definition }) => definition.name)) };
  }

  #isPinned({ kind, name }: Definition): boolean {
    return pinStatus(this.pin(kind, name)) === 'pinned';
  }

  #pinsOf(kind: DefinitionKind, definitions: readonly Definition[]): ReadonlyMap<string, PinRecord> {
    const { server, ports } = this.#setup;
    const known = new Map<string, PinRecord>();
    for (const { name } of definitions) {
      const pin = ports.registry.pin(server, kind, name);
      if (pin !== undefined) known.set(name, pin);
    }
    return known;
  }

  /** Notes what none of a list's pages had, once the last one has come. */
  #follow(
    kind: DefinitionKind,
    definitions: readonly Definition[],
    place: { readonly isFirst: boolean; readonly isLast: boolean },
  ): void {
    const names = this.#pages.follow(kind, definitions, place);
    if (names === undefined) return;
    const { server, ports } = this.#setup;
    const all = [...ports.registry.pins(server, kind).values()];
    const gone = all.filter(({ name, isListed }) => isListed && !names.has(name));
    const writes = gone.map(({ name }): PinWrite => ({ kind, name, isListed: false }));
    if (writes.length > 0) ports.registry.write(server, writes, ports.clock.now());
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
