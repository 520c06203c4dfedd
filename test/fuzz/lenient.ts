/**
 * JSON as the most lenient parsers read it: duplicate keys kept, comments, single quotes, trailing commas, broken escapes and control
 * characters accepted, one value after the other on a line. What a message means is then asked in every way that a parser may choose.
 */
export type Tree =
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Tree])[] }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null; readonly source?: string };

/** One way to find a member: which keys count as the same, and which of several is taken. */
export interface Taste {
  readonly fold: (key: string) => string;
  readonly takes: 'first' | 'last';
}

const exact = (key: string): string => key;
const ignoreCase = (key: string): string => key.replaceAll('\u0130', 'i').toUpperCase().toLowerCase();
const untilNul = (key: string): string => key.split('\0')[0] as string;

export const TASTES: readonly Taste[] = [exact, ignoreCase, untilNul, (key: string) => ignoreCase(untilNul(key))].flatMap(
  (fold) => [
    { fold, takes: 'first' as const },
    { fold, takes: 'last' as const },
  ],
);

/** Every message that some peer may find in these bytes, batches taken apart. */
export function findMessages(bytes: Buffer): Tree[] {
  const line = bytes.toString('utf8').replace(/^\ufeff/, '');
  const pieces = new Set([line, ...line.split(/\r\n?/), ...line.split(/[\u2028\u2029\u0085]/)]);
  return [...pieces].flatMap((piece) => parseAll(piece)).flatMap((tree) => (tree.kind === 'array' ? tree.items : [tree]));
}

export function get(tree: Tree | undefined, key: string, { fold, takes }: Taste): Tree | undefined {
  if (tree?.kind !== 'object') return undefined;
  const wanted = fold(key);
  const found = tree.entries.filter(([name]) => fold(name) === wanted);
  return found.at(takes === 'first' ? 0 : -1)?.[1];
}

export function textOf(tree: Tree | undefined): string | undefined {
  return tree?.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined;
}

/** A plain value, its keys as this taste would look them up. */
export function toValue(tree: Tree, taste: Taste): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'array') return tree.items.map((item) => toValue(item, taste));
  const entries = taste.takes === 'last' ? tree.entries : tree.entries.toReversed();
  return Object.fromEntries(entries.map(([key, value]) => [taste.fold(key), toValue(value, taste)]));
}

function parseAll(source: string): Tree[] {
  const reader = new LenientReader(source);
  const trees: Tree[] = [];
  for (;;) {
    const tree = reader.value();
    if (tree === undefined) return trees;
    trees.push(tree);
  }
}

class LenientReader {
  readonly #text: string;
  #pos = 0;

  constructor(source: string) {
    this.#text = source;
  }

  value(): Tree | undefined {
    const char = this.#skipSpace();
    if (char === '{') return this.#object();
    if (char === '[') return this.#array();
    if (char === '"' || char === "'") return { kind: 'scalar', value: this.#string(char) };
    const word = /^[^\s,:{}[\]"'/]+/.exec(this.#text.slice(this.#pos, this.#pos + 400))?.[0];
    if (word === undefined) return undefined;
    this.#pos += word.length;
    if (word === 'true' || word === 'false') return { kind: 'scalar', value: word === 'true' };
    return { kind: 'scalar', value: word === 'null' ? null : Number(word), source: word };
  }

  #object(): Tree {
    const entries: [string, Tree][] = [];
    this.#pos++;
    for (;;) {
      const char = this.#skipSpace();
      if (char === undefined) break;
      if (char === '}') {
        this.#pos++;
        break;
      }
      if (char === ',') {
        this.#pos++;
        continue;
      }
      const key = char === '"' || char === "'" ? this.#string(char) : this.#word();
      if (key === undefined || this.#skipSpace() !== ':') break;
      this.#pos++;
      const value = this.value();
      if (value === undefined) break;
      entries.push([key, value]);
    }
    return { kind: 'object', entries };
  }

  #array(): Tree {
    const items: Tree[] = [];
    this.#pos++;
    for (;;) {
      const char = this.#skipSpace();
      if (char === ']') this.#pos++;
      if (char === undefined || char === ']') break;
      if (char === ',') {
        this.#pos++;
        continue;
      }
      const item = this.value();
      if (item === undefined) break;
      items.push(item);
    }
    return { kind: 'array', items };
  }

  #word(): string | undefined {
    const word = /^[\w$]+/.exec(this.#text.slice(this.#pos))?.[0];
    this.#pos += word?.length ?? 0;
    return word;
  }

  #string(quote: string): string {
    let value = '';
    this.#pos++;
    while (this.#pos < this.#text.length) {
      const char = this.#text[this.#pos++] as string;
      if (char === quote) break;
      value += char === '\\' ? this.#escape() : char;
    }
    return value;
  }

  #escape(): string {
    const char = this.#text[this.#pos++] ?? '';
    const known: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', 0: '\0' };
    const digits = { u: 4, x: 2 }[char];
    if (digits === undefined) return known[char] ?? char;
    const hex = this.#text.slice(this.#pos, this.#pos + digits);
    if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(hex)) return char;
    this.#pos += digits;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  #skipSpace(): string | undefined {
    const rest = /^(?:\s|\ufeff|\/\*[^]*?\*\/|\/\/[^\n]*)*/.exec(this.#text.slice(this.#pos))?.[0] ?? '';
    this.#pos += rest.length;
    return this.#text[this.#pos];
  }
}
