import { ExactNumber, isContainer, isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { DECODINGS } from './decodings.ts';
import { lowerCase, plainText } from './letters.ts';

/** Most levels of a JSON text that are read. */
const MOST_JSON_DEPTH = 64;

/** Most characters of arguments that are read. */
export const MOST_LOOKED_AT = 1024 * 1024;

/** Most nested decodings. */
const MOST_NESTED = 2;

/** Most characters of all decoded texts, as a multiple of the arguments' length, but at least this many. */
const MOST_TIMES = 6;
const LEAST_DECODED = 16 * 1024;
/** Length of the shortest text that may have a value. */
const SHORTEST = 9;

/** One reading of arguments. */
export interface View {
  /** In lower case. */
  readonly text: string;
  /** As in `plain`, or from the outside in: `url, base64`. */
  readonly encoding: string;
}

/** Most levels of arguments that are read. */
const MOST_DEPTH = 200;

/**
 * The readings of arguments: their strings and numbers, one a line, then their keys, then the values of JSON in strings, then each of these
 * decoded.
 */
export function viewsOf(args: JsonObject | undefined): readonly View[] {
  const walk = new Walk();
  if (args !== undefined) walk.visit(args, 0);
  const plain = plainText(walk.values.join('\n'));
  const keys = plainText(walk.keys.join('\n'));
  let level = [plain, keys].filter((text) => text.length >= SHORTEST).map((text) => ({ text, names: [] as readonly string[] }));
  let room = Math.max(LEAST_DECODED, MOST_TIMES * (plain.length + keys.length));
  const views: View[] = level.map(({ text }) => viewOf(text, []));
  if (walk.members.length > 0) views.push(viewOf(plainText(walk.members.join('\n')), []));
  for (let depth = 0; depth < MOST_NESTED; depth += 1) {
    const next: typeof level = [];
    for (const { text, names } of level) {
      for (const { name, decode } of DECODINGS) {
        const decoded = decode(text)?.slice(0, Math.max(0, room));
        if (decoded === undefined || decoded.length < SHORTEST) continue;
        room -= decoded.length;
        const chain = [...names, name];
        const inner = plainText(decoded);
        next.push({ text: inner, names: chain });
        views.push(viewOf(inner, chain));
        const members = jsonValues(inner);
        if (members !== undefined) views.push(viewOf(members, chain));
      }
    }
    level = next;
  }
  return views;
}

function viewOf(text: string, names: readonly string[]): View {
  // Escapes are how JSON and code write any text, so they are not named as hiding.
  const telling = names.filter((name) => name !== 'escaped');
  return { text: lowerCase(text), encoding: telling.length === 0 ? (names[0] ?? 'plain') : telling.join(', ') };
}

class Walk {
  readonly values: string[] = [];
  readonly keys: string[] = [];
  /** Values of strings that are JSON. */
  readonly members: string[] = [];
  #room = MOST_LOOKED_AT;

  visit(value: JsonValue, depth: number): void {
    if (typeof value === 'string') {
      const text = this.#take(this.values, value);
      const members = jsonValues(text);
      if (members !== undefined) this.members.push(members);
    } else if (typeof value === 'number') this.#take(this.values, String(value));
    else if (value instanceof ExactNumber) this.#take(this.values, value.source);
    else if (depth >= MOST_DEPTH || this.#room <= 0) return;
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        this.#take(this.keys, key);
        this.visit(member, depth + 1);
      }
    } else if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) this.visit(item, depth + 1);
  }

  #take(list: string[], text: string): string {
    const taken = text.slice(0, Math.max(0, this.#room));
    this.#room -= taken.length;
    if (taken !== '') list.push(taken);
    return taken;
  }
}

/** Levels of nesting beyond which JSON is read as plain text: the parser takes a hundred bytes for each level that is open. */
const DEEPEST = 1000;

/** Tells whether a text opens more levels than people nest. Brackets in strings do not count. */
function isDeeplyNested(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '[' || char === '{') {
      if (++depth > DEEPEST) return true;
    } else if (char === ']' || char === '}') depth--;
    else if (char === '"') {
      at++;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    }
  }
  return false;
}

/**
 * The strings and numbers of a JSON text, one a line and without the names of members, which belong to the format and not to the data. A
 * table then reads the same as JSON and as lines.
 *
 * @returns undefined if the text is no JSON object or array
 */
export function jsonValues(text: string): string | undefined {
  if (!isContainer(text) || isDeeplyNested(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // it only looked like JSON, and is read as it stands
  }
  const lines: string[] = [];
  collect(value, lines, 0);
  return lines.join('\n');
}

function collect(value: unknown, lines: string[], depth: number): void {
  if (typeof value === 'string') lines.push(value);
  else if (typeof value === 'number') lines.push(String(value));
  else if (typeof value !== 'object' || value === null || depth >= MOST_JSON_DEPTH) return;
  else for (const member of Object.values(value)) collect(member, lines, depth + 1);
}
