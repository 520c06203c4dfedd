import type { Definition, PinRecord, PinWrite, Sight, SightStatus } from './definition.ts';
import { combineDefinitions } from './fingerprint.ts';
import { isPinned } from './pin-status.ts';
import { findRenamed } from './renamed.ts';

interface CompareOptions {
  /** What was never trusted is trusted when it is seen. */
  readonly trustFirstUse: boolean;
  /** `listed` is all of the list: what is not in it is gone. */
  readonly isWhole: boolean;
}

/** What came of a comparison. */
export interface Comparison {
  /** One of each name that was listed, in that order. */
  readonly sights: readonly Sight[];
  /** What is to be noted; nothing for what is as it was. */
  readonly writes: readonly PinWrite[];
}

/**
 * Holds what a server lists against what is known of it. What differs from its pin is `changed` each time that it is listed: a pin
 * is set once, for what has none, and whatever is listed never moves it.
 *
 * A definition without a pin is `new` when it is seen first, when it is another one than before, and when it is trusted now; else it is as
 * it was. Of what is both, `changed` comes before `restored`, and that before `returned`.
 *
 * @param known by name: of the kind that was listed and no other; all of them where the list is whole
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
  // Under a name that has another definition now, the one that it had is gone as well.
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

/** A list may have a name on several of its pages. */
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

/** What was known under a name that has another definition now, without that; undefined where it has what it had. */
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
