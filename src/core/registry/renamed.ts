import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { canonicalText } from './canonical-text.ts';
import type { Definition, PinRecord } from './definition.ts';
import { fingerprintOf, NAME_MEMBERS } from './fingerprint.ts';

/** UTF-16 units that are hashed to find out: it is a hint, and a server may list as much as it likes. */
const MOST_HASHED = 2 * 1024 * 1024;

/** So many besides for what had gone earlier: of that there is ever more, and it is gone through each time that something is new. */
const MOST_HASHED_EARLIER = 128 * 1024;

/** Hashing takes as long as that of so many units, however short the text. */
const LEAST_HASHED = 256;

/**
 * Which definitions are those that have gone, under another name: what had that name's fingerprint, as it was seen last or as it is
 * trusted, is what this one would be with it. What has gone just now comes before what had gone earlier, for all that was added.
 *
 * @param added never seen before, or another than the trusted one
 * @param gone not listed now as it was: each is found at most once
 * @returns the earlier names, by the new ones; not all of them where there are many
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
