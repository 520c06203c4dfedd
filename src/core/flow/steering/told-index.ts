import type { JsonObject } from '../../json.ts';
import type { ResultValues } from '../values/value-index.ts';
import type { ValueHasher } from '../values/value-hasher.ts';
import { type KnownValues, textsOf, type ToldValue } from './find-steering.ts';
import { addressesIn } from './addresses.ts';
import { FIELD } from './told.ts';
import type { ToldBefore } from './read-words.ts';
import { allowedValue, askedHash, hashOf, PLACES, SAID_SOURCE, TOLD_SOURCE } from './told-marks.ts';

/** Most values of all results that are remembered, and of all that the user and the agent said; the oldest are forgotten first. */
const MOST_TOLD = 64 * 1024;
const MOST_SAID = 64 * 1024;

/** Most results that are remembered. */
const MOST_RESULTS = 256;

/** Most calls whose arguments wait to be read, weight of all of them, and characters of one argument that are read. */
const MOST_WAITING = 64;
const MOST_WEIGHT = 1024 * 1024;
const MOST_TEXT = 16 * 1024;

interface Result {
  readonly source: string;
  readonly time: number;
  readonly marks: Float64Array;
}

/** Numbers of results are below. */
const NUMBERS = 2 * MOST_RESULTS;

/** A value that was told: its places, and the numbers of two results: the first that told it, and the one that is its source. */
interface Told {
  readonly bits: number;
  readonly source: number;
  readonly first: number;
}

function pack({ bits, source, first }: Told): number {
  return (first * NUMBERS + source) * PLACES + bits;
}

function unpack(told: number): Told {
  const numbers = Math.floor(told / PLACES);
  return { bits: told % PLACES, source: numbers % NUMBERS, first: Math.floor(numbers / NUMBERS) };
}

/** The values that results told in a session, and those that its user and its agent said before. */
export class ToldIndex {
  readonly #hasher: ValueHasher;
  #results: Result[] = [];
  #count = 0;
  /** Values that were told, each packed into a number, by hash. */
  #told = new Map<number, number>();
  /** Values that the user said. */
  readonly #said = new Set<number>();
  #asked: number | undefined;
  /** Times at which the agent first sent an address. */
  readonly #sent = new Map<number, number>();
  #waiting: { readonly args: JsonObject; readonly time: number }[] = [];
  #weight = 0;

  constructor(hasher: ValueHasher) {
    this.#hasher = hasher;
  }

  /** Adds remembered marks, by the beginning of their source. */
  add({ source, time, hashes }: Pick<ResultValues, 'source' | 'time' | 'hashes'>): void {
    if (source.startsWith(SAID_SOURCE)) {
      this.#addSaid(this.#hasher.open(hashes));
      return;
    }
    const result = { source: source.slice(TOLD_SOURCE.length), time, marks: this.#hasher.open(hashes) };
    this.#results.push(result);
    this.#count += result.marks.length;
    if (this.#count > MOST_TOLD || this.#results.length > MOST_RESULTS) this.#forget();
    else this.#addTold(this.#results.length - 1, result);
  }

  /**
   * Notes the arguments of a call: what the agent says before a result tells it does not come from there. They are read when asked for.
   *
   * @param weight their characters
   */
  noteSent(args: JsonObject, time: number, weight = 0): void {
    this.#waiting.push({ args, time });
    this.#weight += weight;
    if (this.#waiting.length >= MOST_WAITING || this.#weight > MOST_WEIGHT) this.#readSent();
  }

  /** The knowledge for a decision on a call of a tool. */
  known(tool: string): KnownValues {
    this.#readSent();
    const isSaid = (value: string): boolean => this.#said.has(hashOf(value, this.#hasher));
    return {
      told: (value) => this.#toldValue(hashOf(value, this.#hasher)),
      isSaid: (value, parameter) => isSaid(value) || isSaid(allowedValue(value, { tool, parameter })),
      asked: this.#asked,
    };
  }

  /**
   * Tells about values whether results told them before a time.
   *
   * @param isRepeated tells whether the words in question repeat a result
   */
  toldBefore(time: number, isRepeated: (result: Pick<Result, 'source' | 'time'>) => boolean): ToldBefore {
    const earlier = this.#results.filter((result) => result.time <= time);
    const hashesOf = (results: readonly Result[]): ReadonlySet<number> =>
      new Set(results.flatMap(({ marks }) => Array.from(marks, (mark) => Math.floor(mark / PLACES))));
    let repeated: ReadonlySet<number> | undefined;
    return {
      before: (hash) => {
        const told = this.#told.get(hash);
        return told !== undefined && (this.#results[unpack(told).first]?.time ?? Infinity) <= time;
      },
      inRepeated: (hash) => (repeated ??= hashesOf(earlier.filter(isRepeated))).has(hash),
    };
  }

  #toldValue(hash: number): ToldValue | undefined {
    const found = this.#told.get(hash);
    if (found === undefined) return undefined;
    const { bits, source, first } = unpack(found);
    const result = this.#results[source];
    if (result === undefined || (this.#sent.get(hash) ?? Infinity) < (this.#results[first]?.time ?? 0)) return undefined;
    return { bits, source: result.source };
  }

  #addTold(index: number, { marks }: Result): void {
    for (const mark of marks) {
      const hash = Math.floor(mark / PLACES);
      const bits = mark % PLACES;
      const known = this.#told.get(hash);
      const before = known === undefined ? undefined : unpack(known);
      // The newest text is the source, lest a request for an old value seems as old; data tells less.
      const source = before !== undefined && bits <= FIELD && before.bits > FIELD ? before.source : index;
      this.#told.set(hash, pack({ bits: bits | (before?.bits ?? 0), source, first: before?.first ?? index }));
    }
  }

  #addSaid(marks: Float64Array): void {
    const asked = askedHash(this.#hasher);
    if (this.#said.size > MOST_SAID) this.#said.clear();
    for (const mark of marks) {
      const hash = Math.floor(mark / PLACES);
      if (hash === asked) this.#asked = (this.#asked ?? 0) | (mark % PLACES);
      else this.#said.add(hash);
    }
  }

  /** Forgets the older half of the results. */
  #forget(): void {
    this.#results = this.#results.slice(Math.ceil(this.#results.length / 2));
    this.#count = 0;
    this.#told = new Map();
    for (const [index, result] of this.#results.entries()) {
      this.#count += result.marks.length;
      this.#addTold(index, result);
    }
  }

  #readSent(): void {
    this.#weight = 0;
    for (const { args, time } of this.#waiting.splice(0)) {
      for (const { text } of textsOf(args)) {
        for (const { text: address } of addressesIn(text.slice(0, MOST_TEXT))) {
          const hash = hashOf(address, this.#hasher);
          if (!this.#sent.has(hash)) this.#sent.set(hash, time);
        }
      }
    }
    while (this.#sent.size > MOST_SAID) this.#sent.delete(this.#sent.keys().next().value ?? 0);
  }
}
