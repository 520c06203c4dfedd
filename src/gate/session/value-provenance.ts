import type { Call, Category } from '../../core/call.ts';
import type { Evidence, Steering } from '../../core/finding.ts';
import { findSteering } from '../../core/flow/steering/find-steering.ts';
import { addressesIn, withoutAddresses } from '../../core/flow/steering/addresses.ts';
import { piecesOf, readWords, type ToldBefore, type Words } from '../../core/flow/steering/read-words.ts';
import { withPlaces } from '../../core/flow/with-places.ts';
import { ToldIndex } from '../../core/flow/steering/told-index.ts';
import { hashOf, isOfSteering, readAllowed, readSaid, readTold } from '../../core/flow/steering/told-marks.ts';
import { ResultReader } from '../../core/flow/values/result-reader.ts';
import { sealSecrets } from '../../core/flow/values/secret-hashes.ts';
import { SentValues } from '../../core/flow/values/known-values.ts';
import { ValueHasher } from '../../core/flow/values/value-hasher.ts';
import { ValueIndex } from '../../core/flow/values/value-index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { SECRET_SOURCE } from '../../core/outgoing/known-secrets.ts';
import type { Provenance, ReadValues, RememberedValues, WordsContext } from '../ports/session-port.ts';

/** Weight of a value besides its characters. */
const EACH = 16;

/** Length of the shortest text that may have a value. */
const SHORTEST = 8;

const NOTHING: ReadValues = { hashes: new Uint8Array(), isCut: false, hasBinary: false };

/** Matches an escape in the JSON of a definition, whose letters would join the address behind it. */
const JSON_ESCAPE = /\\(?:u[\da-f]{4}|.)/gis;

/** Milliseconds within which nobody reads a result and answers: what repeats it by then was written by a program. */
const AT_ONCE = 1000;

/** Characters of a text that are read in one step, and characters that overlap with the step before, lest a value lies across. */
const PIECE = 16 * 1024;
const OVERLAP = 256;

/** Most calls whose arguments wait to be read, and characters of all; reading is only needed for a question. */
const MOST_WAITING = 64;
const MOST_CHARACTERS = 1024 * 1024;

/**
 * Longest arguments that are remembered: without a bound, a server that never answers would make us keep them all. Forgetting makes more
 * alarms, never fewer.
 */
const LONGEST = 256 * 1024;

/** The arguments that one server was told: those that were read, and those that wait. */
class SentTo {
  readonly #hasher: () => ValueHasher;
  #sent: SentValues | undefined;
  #waiting: { readonly args: JsonObject; readonly time: number }[] = [];
  #weight = 0;

  constructor(hasher: () => ValueHasher) {
    this.#hasher = hasher;
  }

  add(args: JsonObject, time: number, weight: number): void {
    this.#waiting.push({ args, time });
    this.#weight += weight;
    if (this.#waiting.length >= MOST_WAITING || this.#weight > MOST_CHARACTERS) this.read();
  }

  /** Notes arguments that are too long to be kept. */
  forget(time: number): void {
    this.#known().forget(time);
  }

  /** Reads all waiting arguments. */
  read(): SentValues {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#weight = 0;
    const sent = this.#known();
    for (const { args, time } of waiting) sent.add(args, time);
    return sent;
  }

  #known(): SentValues {
    return (this.#sent ??= new SentValues(this.#hasher()));
  }
}

/** Provenance of one session's calls, in the memory of a process. Works nothing out before it is needed. */
export class ValueProvenance implements Provenance {
  readonly #key: () => Uint8Array;
  #hasher: ValueHasher | undefined;
  #index: ValueIndex | undefined;
  #secrets: ValueIndex | undefined;
  #told: ToldIndex | undefined;
  readonly #byServer = new Map<string, SentTo>();

  /** @param key secret bytes that all processes share; called once, and must not throw */
  constructor(key: () => Uint8Array) {
    this.#key = key;
  }

  noteSent(server: string, args: JsonObject | undefined, time: number): void {
    if (args === undefined) return;
    const weight = weightOf(args, LONGEST);
    if (weight <= LONGEST) this.#sentTo(server).add(args, time, weight);
    else this.#sentTo(server).forget(time);
  }

  *read(server: string, texts: readonly string[]): Generator<undefined, ReadValues> {
    const sent = this.#sentTo(server).read();
    // Calls that only do something mostly return a word or two.
    if (texts.every((text) => text.length < SHORTEST)) return NOTHING;
    const reader = new ResultReader(this.#hashing(), sent);
    for (const text of texts) {
      for (let start = 0; start === 0 || start < text.length; start += PIECE) {
        reader.add(text.slice(Math.max(start - OVERLAP, 0), start + PIECE));
        yield undefined;
      }
    }
    return reader.finish();
  }

  readSecrets(secrets: readonly string[]): Uint8Array {
    return sealSecrets(this.#hashing(), secrets);
  }

  add(values: RememberedValues): void {
    // Apart from other values: a value counts for the newest source that had it.
    if (isOfSteering(values.source)) this.#steering().add(values);
    else if (values.source.startsWith(SECRET_SOURCE)) (this.#secrets ??= new ValueIndex(this.#hashing())).add(values);
    else (this.#index ??= new ValueIndex(this.#hashing())).add(values);
  }

  *readTold(texts: readonly string[], tools: readonly string[]): Generator<undefined, Uint8Array> {
    return yield* readTold(texts, tools, this.#hashing());
  }

  noteSaid(args: JsonObject | undefined, time: number): void {
    if (args === undefined) return;
    const weight = weightOf(args, LONGEST);
    if (weight <= LONGEST) this.#steering().noteSent(args, time, weight);
  }

  readSaid(text: string): Uint8Array {
    return readSaid(text, this.#hashing());
  }

  *readWords(texts: readonly Words[], { time, declared }: WordsContext): Generator<undefined, Uint8Array> {
    const found: { readonly words: Words; readonly told: ToldBefore }[] = [];
    const own = new Set<number>();
    for (const piece of declared.flatMap((text) => piecesOf(text.replaceAll(JSON_ESCAPE, ' ')))) {
      for (const { text } of addressesIn(piece)) own.add(hashOf(text, this.#hashing()));
      yield undefined;
    }
    for (const words of texts) {
      const repeated = new Set<string>();
      for (const piece of words.by === 'user' ? piecesOf(words.text) : []) {
        // Whoever names an address again has read it; whoever has the words around it has copied them.
        const text = withoutAddresses(piece, addressesIn(piece));
        for (const source of this.#index?.sharing(text) ?? []) repeated.add(source);
        yield undefined;
      }
      const isRepeated = (result: { readonly source: string; readonly time: number }): boolean =>
        result.time > time - AT_ONCE || repeated.has(result.source);
      const told = this.#steering().toldBefore(time, isRepeated);
      const before = (hash: number): boolean => told.before(hash) || (words.by === 'system' && own.has(hash));
      found.push({ words, told: { ...told, before } });
    }
    return yield* readWords(found, this.#hashing());
  }

  readAllowed({ tool = '', args = {} }: Call): Uint8Array {
    return readAllowed(tool, args, this.#hashing());
  }

  findSteering(
    { tool, args }: Call,
    categories: readonly Category[],
    knowsAddress: (address: string) => boolean = () => false,
  ): Steering | undefined {
    if (tool === undefined || args === undefined || this.#told === undefined) return undefined;
    const known = this.#told.known(tool);
    return findSteering(
      { tool, categories, args },
      { ...known, isSaid: (value, parameter) => known.isSaid(value, parameter) || knowsAddress(value) },
    );
  }

  clear(): void {
    this.#told = undefined;
    this.#index = undefined;
    this.#secrets = undefined;
    this.#byServer.clear();
  }

  find(args: JsonObject | undefined, server: string): readonly Evidence[] {
    const found = this.#findIn(this.#index, args, server);
    if (args === undefined || found.length === 0) return found;
    return withPlaces(found, args, (text) => this.#findIn(this.#index, { text }, server));
  }

  findSecrets(args: JsonObject | undefined, server: string): readonly Evidence[] {
    return this.#findIn(this.#secrets, args, server);
  }

  #findIn(index: ValueIndex | undefined, args: JsonObject | undefined, server: string): readonly Evidence[] {
    if (index === undefined) return [];
    // Arguments are read when they matter, or along with a result.
    const values = (): SentValues => this.#sentTo(server).read();
    const sent = {
      has: (mark: number, before?: number) => values().has(mark, before),
      hasForgotten: (since: number) => values().hasForgotten(since),
    };
    return index.find(args, { server, sent });
  }

  #steering(): ToldIndex {
    return (this.#told ??= new ToldIndex(this.#hashing()));
  }

  #hashing(): ValueHasher {
    return (this.#hasher ??= new ValueHasher(this.#key()));
  }

  #sentTo(server: string): SentTo {
    const known = this.#byServer.get(server);
    if (known !== undefined) return known;
    const sent = new SentTo(() => this.#hashing());
    this.#byServer.set(server, sent);
    return sent;
  }
}

/** Estimates the number of characters of a call's arguments, including their keys; more than `most` if they exceed it. */
export function weightOf(args: JsonObject, most: number): number {
  let weight = 0;
  const waiting: JsonValue[] = [args];
  while (weight <= most) {
    const value = waiting.pop();
    if (value === undefined) break;
    weight += EACH;
    if (typeof value === 'string') weight += value.length;
    else if (Array.isArray(value)) {
      const list = value as readonly JsonValue[];
      if (list.length * EACH > most) return list.length * EACH;
      for (const item of list) waiting.push(item);
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        weight += key.length;
        waiting.push(member);
      }
    }
  }
  return weight;
}
