import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { CATEGORIES, type Category } from '../core/registry/category.ts';
import type { PinStatus } from '../core/registry/facts.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { describe, didYouMean, type Origin } from './fixture-value.ts';
import { escapePointer } from './json-places.ts';

/** What a fixture says is known of the tool, resource or prompt, and of its server. What it does not say, nobody asked. */
export type FixtureContext = Pick<Snapshot, 'registry' | 'categories'>;

const KEYS = ['pin', 'category', 'fingerprint', 'serverIdentity'];
const STATUSES: readonly PinStatus[] = ['pinned', 'changed', 'new', 'unlisted'];
const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

/** Reads a fixture's `context`: `{"pin": "changed", "category": ["send"], "fingerprint": "sha256:…", "serverIdentity": "changed"}`. */
export function readContext(value: JsonValue | undefined, { pointer, fail }: Origin): FixtureContext {
  if (value === undefined) return {};
  const place = `${pointer}/context`;
  if (!isJsonObject(value)) return fail(place, `expected an object, found ${describe(value)}`);
  for (const key of Object.keys(value)) {
    if (KEYS.includes(key)) continue;
    const hint = didYouMean(key, KEYS) ?? `a context has ${KEYS.join(', ')}`;
    fail(`${place}/${escapePointer(key)}`, `unknown key ${JSON.stringify(key)}`, hint);
  }
  const at = { pointer: place, fail };
  const categories = readCategories(value['category'], at);
  const registry = readRegistry(value, at);
  return { ...(registry === undefined ? {} : { registry }), ...(categories === undefined ? {} : { categories }) };
}

type Place = Pick<Origin, 'pointer' | 'fail'>;

function readRegistry(context: JsonObject, at: Place): Snapshot['registry'] {
  const { pin, fingerprint, serverIdentity } = context;
  if (pin === undefined && fingerprint === undefined && serverIdentity === undefined) return undefined;
  const status = readOneOf(pin, { key: 'pin', known: STATUSES }, at) ?? 'pinned';
  const seen = readFingerprint(fingerprint, at);
  if (status === 'unlisted' && seen !== undefined) at.fail(`${at.pointer}/fingerprint`, 'what is unlisted has no fingerprint');
  const isServerChanged = readOneOf(serverIdentity, { key: 'serverIdentity', known: ['changed'] }, at) !== undefined;
  return { status, fingerprint: seen, definition: () => undefined, isServerChanged };
}

function readFingerprint(value: JsonValue | undefined, { pointer, fail }: Place): string | undefined {
  if (value === undefined || (typeof value === 'string' && FINGERPRINT.test(value))) return value;
  return fail(`${pointer}/fingerprint`, `expected "sha256:" and 64 digits of 0-9a-f, found ${describe(value)}`);
}

function readCategories(value: JsonValue | undefined, { pointer, fail }: Place): readonly Category[] | undefined {
  if (value === undefined) return undefined;
  const place = `${pointer}/category`;
  if (!Array.isArray(value) || value.length === 0) {
    return fail(place, `expected a list of categories, found ${Array.isArray(value) ? 'an empty one' : describe(value)}`);
  }
  return (value as readonly JsonValue[]).map((item, index) => {
    const category = CATEGORIES.find((known) => known === item);
    return category ?? fail(`${place}/${index}`, `expected ${listed(CATEGORIES)}, found ${describe(item)}`);
  });
}

function readOneOf<Value extends string>(
  value: JsonValue | undefined,
  { key, known }: { readonly key: string; readonly known: readonly Value[] },
  { pointer, fail }: Place,
): Value | undefined {
  const found = known.find((each) => each === value);
  if (value === undefined || found !== undefined) return found;
  return fail(`${pointer}/${key}`, `expected ${listed(known)}, found ${describe(value)}`);
}

function listed(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(', ');
}
