import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { SseEvent } from '../../protocol/sse/sse-event.ts';

/** Bytes of an event that is read; characters and values that are kept of a stream. */
const MOST = { event: 256 * 1024, text: 1024 * 1024, values: 8192, depth: 16 } as const;

/** Members by which APIs tell apart what their events are about. */
const PLACES = ['index', 'output_index', 'content_index'] as const;

/** Members whose texts are pieces, and under which all texts are: of most APIs, of Gemini's parts, of the arguments in them. */
const PIECES: ReadonlySet<string> = new Set(['delta', 'text', 'stringValue']);

/** What is known of an object or a list. */
interface Sum {
  readonly isList: boolean;
  readonly members: Map<string, Sum | Leaf>;
}

type Leaf = string | number | boolean | null;

/**
 * What the events of a stream add up to, whatever the API: of each kind of event, of each member, the last value; of what comes in pieces (a
 * `delta`, the `text` of Gemini's parts), the pieces as one. A secret that came in pieces is whole again, and is seen; and what is beside a value
 * stays there, since names say which values are secret.
 */
export class EventSum {
  readonly #sums = new Map<string, Sum>();
  #room: number = MOST.text;
  #values: number = MOST.values;
  /** Something was left out. */
  isCut = false;

  /** Takes an event; whatever is no JSON object counts for nothing. */
  add({ data, dataStart, dataEnd }: Pick<SseEvent, 'data' | 'dataStart' | 'dataEnd'>): void {
    if (data === undefined) return;
    if (dataEnd - dataStart > MOST.event || this.#isFull) {
      this.isCut = true;
      return;
    }
    const event = parseObject(data.toString('utf8', dataStart, dataEnd));
    if (event === undefined) return;
    const places = PLACES.flatMap((name) => (typeof event[name] === 'number' ? [event[name]] : []));
    const type = typeof event['type'] === 'string' ? event['type'] : 'event';
    const key = [type, ...places].join(' ');
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { isList: false, members: new Map() };
      this.#sums.set(key, sum);
      this.#count(key.length);
    }
    this.#walk(event, sum, { isPiece: false, depth: 0 });
  }

  /** All of it. Arguments that came in pieces are what their JSON says. */
  toJson(): JsonObject {
    return Object.fromEntries(Array.from(this.#sums, ([key, sum]) => [key, toJson(sum)]));
  }

  get #isFull(): boolean {
    return this.#room <= 0 || this.#values <= 0;
  }

  #walk(value: object, sum: Sum, at: { readonly isPiece: boolean; readonly depth: number }): void {
    for (const [place, member] of Object.entries(value) as [string, JsonValue][]) {
      if (this.#isFull) {
        this.isCut = true;
        return;
      }
      const name = sum.isList ? nameIn(member, place) : place;
      const isPiece = at.isPiece || (!sum.isList && PIECES.has(name));
      if (typeof member !== 'object' || member === null) this.#put(member, name, { sum, isPiece });
      else if (at.depth < MOST.depth)
        this.#walk(member, this.#inside(sum, name, Array.isArray(member)), { isPiece, depth: at.depth + 1 });
      else this.isCut = true;
    }
  }

  /** What is known of an object or a list in another one. */
  #inside(sum: Sum, name: string, isList: boolean): Sum {
    const before = sum.members.get(name);
    if (typeof before === 'object' && before?.isList === isList) return before;
    const inside: Sum = { isList, members: new Map() };
    sum.members.set(name, inside);
    this.#count(name.length);
    return inside;
  }

  #put(value: Leaf, name: string, { sum, isPiece }: { readonly sum: Sum; readonly isPiece: boolean }): void {
    const before = sum.members.get(name);
    const isMore = isPiece && name !== 'type' && typeof before === 'string' && typeof value === 'string';
    const length = lengthOf(value);
    const added = isMore || before === undefined ? length : length - lengthOf(before);
    if (added > this.#room) {
      // What comes behind a gap may be the end of a secret, and not be seen to be one.
      this.isCut = true;
      this.#room = 0;
      return;
    }
    sum.members.set(name, isMore ? before + value : value);
    if (before === undefined) this.#count(length + name.length);
    else this.#room -= added;
  }

  #count(length: number): void {
    this.#room -= length;
    this.#values -= 1;
  }
}

function lengthOf(value: Leaf | Sum): number {
  return typeof value === 'string' ? value.length : 8;
}

/** Where an element of a list belongs: APIs send one alone and say in it which it is, Gemini's by a path into the arguments. */
function nameIn(element: JsonValue, place: string): string {
  if (!isJsonObject(element)) return place;
  const { index, jsonPath } = element;
  if (typeof jsonPath === 'string') return jsonPath;
  return typeof index === 'number' ? String(index) : place;
}

function toJson({ isList, members }: Sum): JsonValue {
  const inside = Array.from(members, ([name, member]): [string, JsonValue] => {
    if (typeof member === 'object' && member !== null) return [name, toJson(member)];
    return [name, typeof member === 'string' ? (parseObject(member) ?? member) : member];
  });
  return isList && inside.every(([name]) => /^\d+$/.test(name)) ? inside.map(([, value]) => value) : Object.fromEntries(inside);
}

function parseObject(text: string): JsonObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    // Numbers as JavaScript has them: keeping their spelling takes ten times as long.
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Text that only looks like it.
    return undefined;
  }
}
