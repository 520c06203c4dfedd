import type { Evidence } from '../../finding.ts';
import type { JsonObject } from '../../json.ts';
import { EvidenceOf, type Hit, type Span } from './evidence-of.ts';
import { type FeatureKind, visitFeatures } from './features.ts';
import { MarkTable } from './mark-table.ts';
import { MOST_HASHES } from './result-reader.ts';
import type { SentValues } from './known-values.ts';
import { SEALED_BYTES, type ValueHasher } from './value-hasher.ts';
import { viewsOf } from './views.ts';

/** Most results that are remembered, and most marks of all; the oldest result is forgotten first. With all marks that takes about 9 MiB. */
export const MOST_RESULTS = 256;
const MOST_MARKS = 64 * MOST_HASHES;

/** Bound on the numbers of results in the table: larger than their count, so that forgotten ones are only cleared from time to time. */
const MOST_NUMBERS = 1024;

/**
 * A passage in the results of so many other servers is common text. With two, one may have it from the other. Keys and numbers are never
 * common.
 */
const MANY_SERVERS = 3;

/** Hashes of the values in one result, as a `ResultReader` returns them. */
export interface ResultValues {
  /** Id of the call, and the server that answered it. */
  readonly source: string;
  readonly server: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly hashes: Uint8Array;
}

/** Most values of one result that are examined in one reading of arguments: more would be no better evidence. */
const MOST_HITS = 1000;

const NOTHING_SENT = { has: () => false, hasForgotten: () => false };

interface Remembered {
  readonly source: string;
  readonly server: string;
  readonly time: number;
  readonly marks: Float64Array;
}

/** The values of a session's results, which are searched for in the arguments of later calls. */
export class ValueIndex {
  readonly #hasher: ValueHasher;
  /** Results by their numbers in the table; forgotten ones are undefined. */
  #results: (Remembered | undefined)[] = [];
  #oldest = 0;
  #table = createTable();
  /** Times when servers first gave values that they gave again later: a server that was told one in between has it from there. */
  #first = createTimes();
  /** Number of marks of all remembered results. */
  #marks = 0;

  constructor(hasher: ValueHasher) {
    this.#hasher = hasher;
  }

  /** Remembers a result. Results are added in the order of their times. */
  add(values: ResultValues): void {
    const { source, server, time } = values;
    const marks = this.#hasher.open(values.hashes.subarray(0, MOST_HASHES * SEALED_BYTES));
    if (marks.length === 0) return;
    if (this.#results.length >= MOST_NUMBERS || this.#table.count + marks.length > MOST_MARKS * 1.15) this.#rebuild();
    this.#results.push({ source, server, time, marks });
    this.#marks += marks.length;
    this.#addMarks(this.#results.length - 1);
    while (this.#results.length - this.#oldest > MOST_RESULTS || this.#marks > MOST_MARKS) {
      this.#marks -= this.#results[this.#oldest]?.marks.length ?? 0;
      this.#results[this.#oldest] = undefined;
      this.#oldest += 1;
    }
  }

  /**
   * Finds values in arguments that results of other servers had.
   *
   * @param about the called server, and the values that it was told before this call
   * @returns one for each result, newest first; none that the called server gave itself without having been told, or was told before the
   * result came
   */
  find(
    args: JsonObject | undefined,
    about: { readonly server: string; readonly sent: Pick<SentValues, 'has' | 'hasForgotten'> },
  ): readonly Evidence[] {
    if (this.#table.count === 0) return [];
    const found = new Map<number, Evidence & { readonly bits: number }>();
    for (const view of viewsOf(args)) {
      for (const [number, hits] of this.#hitsIn(view.text, about)) {
        const result = this.#results[number];
        const evidence = new EvidenceOf(view.text, hits);
        if (result === undefined || !evidence.isEnough() || evidence.bits <= (found.get(number)?.bits ?? 0)) continue;
        const { source } = result;
        found.set(number, { source, encoding: view.encoding, description: evidence.describe(), bits: evidence.bits });
      }
    }
    return [...found]
      .sort(([first], [second]) => second - first)
      .map(([, { source, encoding, description }]) => ({ source, encoding, description }));
  }

  /** The calls whose results share anything with a text, however little it tells. */
  sharing(text: string): ReadonlySet<string> {
    const numbers = viewsOf({ text }).flatMap((view) => [...this.#hitsIn(view.text, { server: '', sent: NOTHING_SENT }).keys()]);
    return new Set(numbers.flatMap((number) => this.#results[number]?.source ?? []));
  }

  #hitsIn(
    text: string,
    about: { readonly server: string; readonly sent: Pick<SentValues, 'has' | 'hasForgotten'> },
  ): ReadonlyMap<number, readonly Hit[]> {
    const hits = new Map<number, Hit[]>();
    // Passages that tell nothing; a line that contains one tells nothing either.
    const plain: Span[] = [];
    const visit = (kind: FeatureKind, mark: number, start: number, end: number): void => {
      const first = this.#table.find(mark);
      if (first === -1) return;
      let numbers: number[] = [];
      let own: number | undefined;
      for (let place = first; place !== -1; place = this.#table.next(mark, place)) {
        const number = this.#table.at(place);
        const result = this.#results[number];
        if (result === undefined) continue;
        if (result.server === about.server) own = result.time;
        else if (!about.sent.has(mark, this.#givenAt(mark, result))) numbers.push(number);
      }
      if (own !== undefined) numbers = numbers.filter((number) => this.#mayBeSent(mark, number, { own, sent: about.sent }));
      const isWeak = kind === 'passage' || kind === 'line';
      if (numbers.length === 0 || (isWeak && numbers.length >= MANY_SERVERS)) {
        if (kind === 'passage') plain.push({ start, end });
        return;
      }
      for (const number of numbers) {
        const list = hits.get(number);
        if (list === undefined) hits.set(number, [{ kind, start, end }]);
        else if (list.length < MOST_HITS) list.push({ kind, start, end });
      }
    };
    visitFeatures(text, this.#hasher, { mayMatter: (low) => this.#table.mayHave(low), visit });
    if (plain.length === 0) return hits;
    const isTelling = (hit: Hit): boolean => hit.kind !== 'line' || !hasSpanIn(hit, plain);
    return new Map([...hits].map(([number, list]) => [number, list.filter(isTelling)]));
  }

  /** Adds a result's marks. A mark has one entry for each server, with its newest result. */
  #addMarks(number: number): void {
    const result = this.#results[number];
    if (result === undefined) return;
    for (const mark of result.marks) {
      let place = this.#table.find(mark);
      while (place !== -1 && this.#results[this.#table.at(place)]?.server !== result.server)
        place = this.#table.next(mark, place);
      if (place === -1) this.#table.add(mark, number);
      else {
        const before = this.#results[this.#table.at(place)];
        if (before !== undefined && this.#firstTime(mark) === undefined) this.#first.add(mark, before.time);
        this.#table.put(place, number);
      }
    }
  }

  /**
   * Tells whether a server that gave a value itself may have been told it after another one gave it, in a call that is forgotten by now.
   */
  #mayBeSent(mark: number, number: number, { own, sent }: { own: number; sent: Pick<SentValues, 'hasForgotten'> }): boolean {
    const result = this.#results[number];
    if (result === undefined) return false;
    const given = this.#givenAt(mark, result);
    return own >= given && sent.hasForgotten(given);
  }

  #givenAt(mark: number, result: Remembered): number {
    return this.#firstTime(mark) ?? result.time;
  }

  #firstTime(mark: number): number | undefined {
    const place = this.#first.find(mark);
    return place === -1 ? undefined : this.#first.at(place);
  }

  #rebuild(): void {
    const first = this.#first;
    this.#results = this.#results.slice(this.#oldest);
    this.#oldest = 0;
    this.#table = createTable();
    this.#first = createTimes();
    for (const result of this.#results) {
      for (const mark of result?.marks ?? []) {
        const place = first.find(mark);
        if (place !== -1 && this.#first.find(mark) === -1) this.#first.add(mark, first.at(place));
      }
    }
    for (const number of this.#results.keys()) this.#addMarks(number);
  }
}

/** Tells whether one of the spans is within another one. @param spans of about one length, in the order of their starts */
function hasSpanIn({ start, end }: Span, spans: readonly Span[]): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.end ?? Infinity) <= end;
}

function createTable(): MarkTable<Uint16Array> {
  return new MarkTable((size) => new Uint16Array(size));
}

function createTimes(): MarkTable<Float64Array> {
  return new MarkTable((size) => new Float64Array(size));
}
