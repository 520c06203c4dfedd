import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { canonicalText, combineDefinitions, fingerprintOf, NAME_MEMBERS } from './fingerprint.ts';
import type { Definition, PinRecord, PinWrite, Sight, SightStatus } from './definition.ts';
import { isPinned } from './trust.ts';

/** Most UTF-16 units that are hashed to find renames: they are a hint, and a server may list as much as it likes. */
const MOST_HASHED = 2 * 1024 * 1024;

/** The same for definitions that had gone earlier: their number only grows, and they are searched each time that something is new. */
const MOST_HASHED_EARLIER = 128 * 1024;

/** Hashing a short text takes as long as so many units. */
const LEAST_HASHED = 256;

interface CompareOptions {
  /** True if unpinned definitions are trusted when seen. */
  readonly trustFirstUse: boolean;
  /** True if `listed` is the whole list: anything not in it is gone. */
  readonly isWhole: boolean;
}

/** The result of a comparison. */
export interface Comparison {
  /** One for each listed name, in order. */
  readonly sights: readonly Sight[];
  /** The changes to note; none for unchanged definitions. */
  readonly writes: readonly PinWrite[];
}

/**
 * Compares a server's list with the known pins. A definition that differs from its pin is `changed` on each listing: a pin is set once, for
 * a definition without one, and listing never moves it.
 *
 * A definition without a pin is `new` when it is seen first, when it differs from the last sight, and when it becomes trusted now;
 * otherwise it is unchanged. If several apply, `changed` comes before `restored`, and that before `returned`.
 *
 * @param known pins by name, only of the listed kind; all of them if the list is whole
 */
export function compareListing(
  known: ReadonlyMap<string, PinRecord>,
  listed: readonly Definition[],
  { trustFirstUse, isWhole }: CompareOptions,
): Comparison {
  const sights: Sight[] = [];
  const writes: PinWrite[] = [];
  const definitions = combineNamesakes(listed);

  for (const definition of definitions.values()) {
    const { kind, name } = definition;
    const record = known.get(name);
    const status = statusOf(definition, record, trustFirstUse);
    sights.push(status === 'changed' ? { definition, status, pinned: record?.pinned } : { definition, status });
    const isTrusted = trustFirstUse && record?.pinned === undefined;
    if (record?.isListed === true && record.seen === definition.fingerprint && !isTrusted) continue;
    writes.push({ kind, name, seen: definition, ...(isTrusted && { isPinned: true }), isListed: true });
  }
  if (!isWhole) return { sights, writes };

  const gone = [...known.values()].filter(({ name }) => !definitions.has(name));
  for (const { kind, name, isListed } of gone) if (isListed) writes.push({ kind, name, isListed: false });
  // If a name has another definition now, the one that it had is gone as well.
  const given = [...known.values()].flatMap((record) => withoutListed(record, definitions.get(record.name)) ?? []);
  const renamed = findRenamed(
    sights
      .filter(({ status, definition }) => (status === 'new' && !known.has(definition.name)) || status === 'changed')
      .map(({ definition }) => definition),
    [...gone, ...given],
  );
  return { sights: renamed.size === 0 ? sights : sights.map((sight) => withName(sight, renamed)), writes };
}

function statusOf({ fingerprint }: Definition, record: PinRecord | undefined, trustFirstUse: boolean): SightStatus {
  if (record === undefined) return 'new';
  if (record.pinned === undefined) {
    if (trustFirstUse || record.seen !== fingerprint) return 'new';
  } else {
    if (!isPinned(record.pinned, fingerprint)) return 'changed';
    if (record.seen !== fingerprint) return 'restored';
  }
  return record.isListed ? 'unchanged' : 'returned';
}

/** Combines definitions that share a name: a list may repeat one on several pages. */
function combineNamesakes(listed: readonly Definition[]): ReadonlyMap<string, Definition> {
  const byName = new Map(listed.map((definition) => [definition.name, definition]));
  if (byName.size === listed.length) return byName;
  const namesakes = new Map<string, [Definition, ...Definition[]]>();
  for (const definition of listed) {
    const others = namesakes.get(definition.name);
    if (others === undefined) namesakes.set(definition.name, [definition]);
    else others.push(definition);
  }
  return new Map([...namesakes].map(([name, all]) => [name, combineDefinitions(all)]));
}

/** The fingerprints that a name had and that its listed definition has not; undefined if none is left. */
function withoutListed(record: PinRecord, definition: Definition | undefined): PinRecord | undefined {
  const now = definition?.fingerprint;
  const [seen, pinned] = [record.seen, record.pinned].map((one) => (one === now ? undefined : one));
  const left = seen ?? pinned;
  return now === undefined || left === undefined ? undefined : { ...record, seen: left, pinned };
}

function withName(sight: Sight, renamed: ReadonlyMap<string, string>): Sight {
  const renamedFrom = renamed.get(sight.definition.name);
  return renamedFrom === undefined ? sight : { ...sight, renamedFrom };
}

/**
 * Finds definitions that returned under another name: with the old name, their text has the fingerprint that was seen last or is trusted
 * under it. Definitions that have gone just now come before those that had gone earlier.
 *
 * @param added never seen before, or different from the trusted one
 * @param gone not listed now as before: each is found at most once
 * @returns the earlier names, by the new ones; not all of them if there are many
 */
export function findRenamed(added: readonly Definition[], gone: readonly PinRecord[]): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  if (added.length === 0) return renamed;
  for (const wasListed of [true, false]) {
    let budget = wasListed ? MOST_HASHED : MOST_HASHED_EARLIER;
    const left = new Map(gone.filter(({ isListed }) => isListed === wasListed).map((record) => [record.name, record]));
    for (const definition of added) {
      if (left.size === 0) break;
      if (renamed.has(definition.name)) continue;
      const cost = definition.text.length + LEAST_HASHED;
      budget -= cost;
      if (budget < 0) break;
      const rename = createRename(definition);
      if (rename === undefined) continue;
      for (const { name, seen, pinned } of left.values()) {
        if (name === definition.name) continue;
        budget -= cost;
        if (budget < 0) break;
        const fingerprint = fingerprintOf(rename(name));
        if (fingerprint !== seen && fingerprint !== pinned) continue;
        renamed.set(definition.name, name);
        left.delete(name);
        break;
      }
    }
  }
  return renamed;
}

/** Creates the text that a definition would have under another name. Undefined for combined definitions. */
function createRename({ kind, text }: Definition): ((name: string) => string) | undefined {
  const value = parseJson(text);
  if (kind === 'instructions' || !isJsonObject(value)) return undefined;
  const member = NAME_MEMBERS[kind];
  const before = membersText(value, (name) => name < member);
  const after = membersText(value, (name) => name > member);
  return (name) => {
    const parts = [before, `${JSON.stringify(member)}:${canonicalText(name)}`, after];
    return `{${parts.filter((part) => part !== '').join(',')}}`;
  };
}

function membersText(value: JsonObject, isWanted: (name: string) => boolean): string {
  return canonicalText(Object.fromEntries(Object.entries(value).filter(([name]) => isWanted(name)))).slice(1, -1);
}
