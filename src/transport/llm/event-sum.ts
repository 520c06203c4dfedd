import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { SseEvent } from '../../protocol/sse/sse-event.ts';

/** Bytes of an event that is read, and characters that are kept of a stream. */
const MOST = { event: 256 * 1024, text: 1024 * 1024, depth: 16 } as const;

/** Members by which APIs tell apart what their events are about. */
const PLACES = ['index', 'output_index', 'content_index'] as const;

/**
 * What the events of a stream add up to, whatever the API: of each kind of event, by the path of each member, the last value; of what comes in
 * pieces (a `delta`, the `text` of Gemini's parts), the pieces as one. A secret that came in pieces is whole again, and is seen.
 */
export class EventSum {
  readonly #sums = new Map<string, Map<string, JsonValue>>();
  #room: number = MOST.text;
  /** Something was left out. */
  isCut = false;

  /** Takes an event; whatever is no JSON object counts for nothing. */
  add({ data, dataStart, dataEnd }: Pick<SseEvent, 'data' | 'dataStart' | 'dataEnd'>): void {
    if (data === undefined) return;
    if (dataEnd - dataStart > MOST.event || this.#room <= 0) {
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
      sum = new Map();
      this.#sums.set(key, sum);
    }
    this.#walk(event, '', { sum, isPiece: false, depth: 0 });
  }

  /** All of it. Arguments that came in pieces are what their JSON says. */
  toJson(): JsonObject {
    const entries = Array.from(this.#sums, ([key, sum]): [string, JsonObject] => [
      key,
      Object.fromEntries(
        Array.from(sum, ([path, value]) => [path, typeof value === 'string' ? (parseObject(value) ?? value) : value]),
      ),
    ]);
    return Object.fromEntries(entries);
  }

  #walk(value: JsonValue, path: string, at: { readonly sum: Map<string, JsonValue>; isPiece: boolean; depth: number }): void {
    if (typeof value !== 'object' || value === null || at.depth > MOST.depth) {
      this.#put(value, path, at);
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      const isPiece = at.isPiece || name === 'delta' || (name === 'text' && path.includes('parts'));
      this.#walk(member, path === '' ? name : `${path}.${name}`, { sum: at.sum, isPiece, depth: at.depth + 1 });
    }
  }

  #put(
    value: JsonValue,
    path: string,
    { sum, isPiece }: { readonly sum: Map<string, JsonValue>; readonly isPiece: boolean },
  ): void {
    const before = sum.get(path);
    const isMore = isPiece && !path.endsWith('.type') && typeof before === 'string' && typeof value === 'string';
    const length = typeof value === 'string' ? value.length : 8;
    if (length > this.#room) this.isCut = true;
    else sum.set(path, isMore ? before + value : value);
    this.#room -= before === undefined ? length + path.length : isMore ? length : 0;
  }
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
