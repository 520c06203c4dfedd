import type { JsonObject } from '../../json.ts';
import { mix, type ValueHasher } from '../values/value-hasher.ts';
import { textsOf } from './find-steering.ts';
import { visitSaid, visitTold } from './told.ts';

/** Begin the sources of remembered marks that are no values of a result: what results told, and what the user said. */
export const TOLD_SOURCE = 'told:';
export const SAID_SOURCE = 'said:';

/** Bits of a mark below those of the hash: they tell the places of a value, or the actions that a user asks for. */
const PLACE_BITS = 9;
export const PLACES = 2 ** PLACE_BITS;
/** Bits of the second half of a hash that a mark of 53 bits has room for. */
const REST_BITS = 12;

/** Most values of one result, and of what a user said at once. Those of requests come first. */
const MOST = 4096;
/** Most characters of a result that are read. */
const MOST_READ = 1024 * 1024;

/** Most names of tools that are looked for in texts. */
const MOST_TOOLS = 512;

/** Matches names of tools that hardly any text has by chance: of several words. */
const TELLING_NAME = /^(?=.{6,})[\w.-]*(?:[_-]|[a-z][A-Z])[\w.-]*$/;

/** The value of the mark under which the actions are kept that the user asked for. */
const ASKED = '\0asked';

/** Hashes a value to 44 bits. */
export function hashOf(value: string, { salts }: ValueHasher): number {
  let low = salts[4] ?? 1;
  let high = salts[5] ?? 1;
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, salts[6] ?? 1) ^ (low >>> 15);
  }
  const rest = mix(high, salts[7] ?? 1) & (2 ** REST_BITS - 1);
  return (mix(low, salts[8] ?? 1) >>> 0) * 2 ** REST_BITS + rest;
}

/** The names of tools that count as named in a text. */
export function tellingNames(tools: Iterable<string>): readonly string[] {
  return [...new Set(tools)].filter((name) => TELLING_NAME.test(name)).slice(0, MOST_TOOLS);
}

/**
 * Reads what a result tells, in steps of a few milliseconds.
 *
 * @param tools names of the agent's tools
 * @returns sealed marks, to be remembered
 */
export function* readTold(
  texts: readonly string[],
  tools: readonly string[],
  hasher: ValueHasher,
): Generator<undefined, Uint8Array> {
  const found = new Map<number, number>();
  const told = (value: string, bits: number): void => {
    const hash = hashOf(value, hasher);
    found.set(hash, (found.get(hash) ?? 0) | bits);
  };
  let room = MOST_READ;
  for (const text of texts) {
    yield* visitTold(text.slice(0, room), tools, told);
    room -= text.length;
    if (room <= 0) break;
  }
  return seal(found, hasher);
}

/** Reads what a user said. @returns sealed marks, to be remembered */
export function readSaid(text: string, hasher: ValueHasher): Uint8Array {
  const found = new Map<number, number>();
  const actions = visitSaid(text.slice(0, MOST_READ), (value) => found.set(hashOf(value, hasher), 0));
  if (actions !== undefined) found.set(hashOf(ASKED, hasher), actions);
  return seal(found, hasher);
}

/** Reads the values of a call's arguments that a person has allowed: they count as said for their parameters. @returns sealed marks */
export function readAllowed(tool: string, args: JsonObject, hasher: ValueHasher): Uint8Array {
  const found = new Map<number, number>();
  for (const { name, text } of textsOf(args))
    visitSaid(text, (value) => found.set(hashOf(allowedValue(value, { tool, parameter: name }), hasher), 0));
  return seal(found, hasher);
}

/** A value as it is kept if a person has allowed it for a tool's parameter: who lets a mail pass that quotes an address need not want to write there. */
export function allowedValue(value: string, { tool, parameter }: { readonly tool: string; readonly parameter: string }): string {
  return `${tool}\0${parameter}\0${value}`;
}

/** Tells whether remembered marks are those of this module. */
export function isOfSteering(source: string): boolean {
  return source.startsWith(TOLD_SOURCE) || source.startsWith(SAID_SOURCE);
}

/** The hash under which `readSaid` keeps the actions. */
export function askedHash(hasher: ValueHasher): number {
  return hashOf(ASKED, hasher);
}

/** Seals marks of values, with the bits of their places. */
export function seal(found: ReadonlyMap<number, number>, hasher: ValueHasher): Uint8Array {
  let marks = Array.from(found, ([hash, bits]) => hash * PLACES + bits);
  if (marks.length > MOST) marks = marks.sort((one, other) => rankOf(other) - rankOf(one)).slice(0, MOST);
  return hasher.seal(Float64Array.from(marks, (mark) => mark || 1));
}

/** Ranks a mark by its place: what speaks to an agent first. */
function rankOf(mark: number): number {
  return mark % PLACES;
}
