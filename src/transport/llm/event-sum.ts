import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { SseEvent } from '../../protocol/sse/event.ts';

/** Limits: bytes of a parsed event; characters and values kept of a stream; depth. */
const MOST = { event: 256 * 1024, text: 1024 * 1024, values: 8192, depth: 16 } as const;

/** Members by which APIs identify the subject of an event. */
const PLACES = ['index', 'output_index', 'content_index'] as const;

/** Members whose texts come in pieces, and below which all texts do: of most APIs, of Gemini's parts, of the arguments in them. */
const PIECES: ReadonlySet<string> = new Set(['delta', 'text', 'stringValue']);

/** The accumulated members of an object or a list. */
interface Sum {
  readonly isList: boolean;
  readonly members: Map<string, Sum | Leaf>;
}

type Leaf = string | number | boolean | null;

/**
 * Accumulates the events of a stream, for any API. It keeps the last value of each member, per kind of event; texts that come in pieces (a
 * `delta`, the `text` of Gemini's parts) are joined. So a secret that came in pieces is whole again and can be detected. Values keep their
 * neighbours, since names show which values are secret.
 */
export class EventSum {
  readonly #sums = new Map<string, Sum>();
  #room: number = MOST.text;
  #values: number = MOST.values;
  /** True if something was left out. */
  isCut = false;

  /** Adds an event; anything but a JSON object is ignored. */
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

  /** Returns everything. Arguments that came in pieces are parsed. */
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

  /** Returns the sum of an object or a list inside another one. */
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
      // Text after a gap may be the end of a secret that is not recognised.
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

/** Returns the place of a list's element: APIs send an element alone with its index in it, Gemini with a path into the arguments. */
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
    // Numbers are parsed as JavaScript's: keeping their spelling takes ten times as long.
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The text only looks like JSON.
    return undefined;
  }
}
