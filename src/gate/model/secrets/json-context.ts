/** Most levels of JSON in strings of JSON that are followed. */
const MOST_LEVELS = 4;

/** Matches the info string of a block of code that may be JSON. */
const JSON_FENCE = /^\s*(?:json[\w-]{0,8}|ndjson)?\s*$/i;

/** Most characters of an info string that are kept. */
const MOST_INFO = 32;

/** Follows a text, and tells in how many strings of JSON its end is: the text is JSON, or has JSON in blocks of code. */
export class JsonContext {
  readonly #level: number;
  /** `start`: JSON may begin. `opened`: its first bracket has come. `words`: no JSON. */
  #at: 'start' | 'opened' | 'json' | 'string' | 'words' = 'start';
  #bracket = '';
  #depth = 0;
  #isEscaped = false;
  #inner: JsonContext | undefined;
  #ticks = 0;
  #isFenced = false;
  /** The text behind the beginning of a block, up to the line's end. */
  #info: string | undefined;

  constructor(level = 0) {
    this.#level = level;
  }

  /** How often a text has to be escaped here. */
  get levels(): number {
    return this.#at === 'string' ? 1 + (this.#inner?.levels ?? 0) : 0;
  }

  /** True if what comes next depends on what came. */
  get isOpen(): boolean {
    return this.#at === 'opened' || this.#at === 'json' || this.#at === 'string' || this.#ticks > 0 || this.#isFenced;
  }

  push(text: string): void {
    // Only a fence ends words.
    if (this.#at === 'words' && this.#info === undefined && !text.includes('`')) this.#ticks = 0;
    else this.#pushEach(text);
  }

  #pushEach(text: string): void {
    for (let at = 0; at < text.length; at++) this.#add(text.charAt(at));
  }

  #add(character: string): void {
    if (this.#at === 'string') this.#addToString(character);
    else if (this.#level > 0 || !this.#addToFence(character)) this.#addOutside(character);
  }

  /** @returns true for a part of a fence */
  #addToFence(character: string): boolean {
    this.#ticks = character === '`' ? this.#ticks + 1 : 0;
    if (this.#ticks === 3) {
      this.#isFenced = !this.#isFenced;
      this.#info = this.#isFenced ? '' : undefined;
      this.#at = 'words';
    } else if (this.#info !== undefined && character === '\n') {
      this.#at = JSON_FENCE.test(this.#info) ? 'start' : 'words';
      this.#info = undefined;
    } else if (this.#info !== undefined) {
      if (character !== '`' && this.#info.length < MOST_INFO) this.#info += character;
    } else return this.#ticks > 0;
    return true;
  }

  #addOutside(character: string): void {
    if (this.#at === 'words' || /\s/.test(character)) return;
    if (this.#at === 'start') {
      this.#at = character === '{' || character === '[' ? 'opened' : 'words';
      this.#bracket = character;
      this.#depth = 1;
      return;
    }
    if (this.#at === 'opened') this.#at = (this.#bracket === '{' ? /["}]/ : /[{["\]\d\-tfn]/).test(character) ? 'json' : 'words';
    if (this.#at === 'words') return;
    if (character === '"') {
      this.#at = 'string';
      this.#isEscaped = false;
      this.#inner = this.#level < MOST_LEVELS ? new JsonContext(this.#level + 1) : undefined;
    } else if (character === '{' || character === '[') this.#depth += 1;
    else if ((character === '}' || character === ']') && --this.#depth === 0) this.#at = 'start';
  }

  #addToString(character: string): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#inner?.push(ESCAPES.get(character) ?? character);
    } else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#at = 'json';
    // JSON has no line end in a string.
    else if (character === '\n') this.#at = 'words';
    else this.#inner?.push(character);
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Escapes a text for a string of JSON within so many others. */
export function escapedFor(text: string, levels: number): string {
  let escaped = text;
  for (let level = 0; level < levels; level++) escaped = JSON.stringify(escaped).slice(1, -1);
  return escaped;
}
