import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { canonicalText } from './canonical-text.ts';
import type { Definition, PinRecord } from './definition.ts';
import { fingerprintOf, NAME_MEMBERS } from './fingerprint.ts';

/** UTF-16 units that are hashed to find out: it is a hint, and a server may list as much as it likes. */
const MOST_HASHED = 2 * 1024 * 1024;

/** Hashing takes as long as that of so many units, however short the text. */
const LEAST_HASHED = 256;

/**
 * Which definitions are those that have gone, under another name: what had that name's fingerprint is what this one would be with it.
 *
 * @param added never seen before
 * @param gone each is found at most once
 * @returns the earlier names, by the new ones; not all of them where there are many
 */
export function findRenamed(added: readonly Definition[], gone: readonly PinRecord[]): ReadonlyMap<string, string> {
  const left = new Map(gone.map((record) => [record.name, record]));
  const renamed = new Map<string, string>();
  let hashed = 0;
  for (const definition of added) {
    if (left.size === 0) break;
    const cost = definition.text.length + LEAST_HASHED;
    hashed += cost;
    if (hashed > MOST_HASHED) break;
    const rename = createRename(definition);
    if (rename === undefined) continue;
    for (const { name, seen } of left.values()) {
      hashed += cost;
      if (hashed > MOST_HASHED) break;
      if (fingerprintOf(rename(name)) !== seen) continue;
      renamed.set(definition.name, name);
      left.delete(name);
      break;
    }
  }
  return renamed;
}

/** Makes the text that a definition would have under another name. Undefined for several of one name. */
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
