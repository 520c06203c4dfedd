import type { JsonSyntax } from './client.ts';
import { JsonTokens, type JsonToken } from './json-tokens.ts';

/** A value in a JSON text: offsets of its first character and of the one behind its last. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  readonly start: number;
  readonly end: number;
  /** Strings decoded; other scalars as they stand. */
  readonly value: string;
  /** Of an object: where it is only on the way to what was asked for, those that lead there. */
  readonly members: readonly JsonMember[];
  /** Of an array. */
  readonly items: readonly JsonNode[];
  /** Offset of the comma behind the last member or item, if there is one. */
  readonly trailingComma: number | undefined;
  /** A key that the object has twice, or one somewhere inside; of an object that is only on the way, none inside. */
  readonly duplicate: string | undefined;
}

export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** Offset of the comma before it; undefined for the first of its object. */
  readonly comma: number | undefined;
  readonly node: JsonNode;
}

/** Stands for every key of an object. */
export const ANY = Symbol('any key');

export type JsonPattern = readonly (string | typeof ANY)[];

export type JsonScan =
  /** `root` is undefined when the text holds no value at all. */
  | { readonly ok: true; readonly root: JsonNode | undefined }
  /** Offset of the first token that cannot stand there. */
  | { readonly ok: false; readonly offset: number; readonly message: string };

/** What of a value to keep: nothing, all, or what the rest of some patterns leads to. */
type Keep = 'nothing' | 'all' | readonly JsonPattern[];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface OpenNode extends Mutable<Omit<JsonNode, 'members' | 'items'>> {
  readonly members: JsonMember[];
  readonly items: JsonNode[];
}

/** An object or array that is being read. */
interface Frame {
  readonly isObject: boolean;
  readonly keep: Keep;
  /** Undefined where nothing is kept. */
  readonly node: OpenNode | undefined;
  /** The member that is being read. */
  key: string;
  keyStart: number;
  keyEnd: number;
  /** The last comma. */
  comma: number | undefined;
  keepNext: Keep;
}

const MISSING = {
  value: 'a value is missing here',
  'value or close': 'a value or "]" is missing here',
  key: 'a key in double quotes is missing here',
  'key or close': 'a key in double quotes or "}" is missing here',
  colon: '":" is missing here',
  'comma or close': '"," or the closing bracket is missing here',
  end: 'there is something behind the end of the value',
} as const;

type Expected = keyof typeof MISSING;

/** More than any config has; what reads it besides calls itself for each level. */
const MOST_LEVELS = 1000;

const TRAILING_COMMA = 'trailing commas are not allowed here';

/**
 * Reads a text as a client would and keeps the places of what the patterns lead to, with everything below, so that the rest of a file
 * of many megabytes costs no memory. Never recurses. A byte order mark at the start is passed over.
 */
export function scanJson(text: string, syntax: JsonSyntax, patterns: readonly JsonPattern[]): JsonScan {
  const tokens = new JsonTokens(text, text.startsWith('\uFEFF') ? 1 : 0);
  const reader = new TreeReader(tokens, patterns, syntax);
  let isEmpty = true;
  for (;;) {
    const token = tokens.next();
    if (token === 'comment' && syntax.comments) continue;
    if (token === 'end') {
      if (reader.isDone || isEmpty) return { ok: true, root: reader.root };
      return { ok: false, offset: tokens.start, message: 'the file ends too early' };
    }
    isEmpty = false;
    const problem = token === 'comment' ? 'comments are not allowed here' : reader.take(token);
    if (problem !== undefined) return { ok: false, offset: tokens.start, message: problem };
  }
}

/** The grammar: which token may follow which, and what becomes of it. */
class TreeReader {
  root: JsonNode | undefined;
  readonly #tokens: JsonTokens;
  readonly #keepRoot: Keep;
  readonly #syntax: JsonSyntax;
  readonly #stack: Frame[] = [];
  #expected: Expected = 'value';

  constructor(tokens: JsonTokens, patterns: readonly JsonPattern[], syntax: JsonSyntax) {
    this.#tokens = tokens;
    this.#keepRoot = patterns.some((pattern) => pattern.length === 0) ? 'all' : patterns;
    this.#syntax = syntax;
  }

  get isDone(): boolean {
    return this.#expected === 'end';
  }

  /** Takes the current token; returns what is wrong if it cannot stand there. */
  take(token: JsonToken): string | undefined {
    const { problem } = this.#tokens;
    if (token === 'bad' && problem !== '') return problem;
    const expected = this.#expected;
    const frame = this.#stack.at(-1);
    switch (expected) {
      case 'colon':
        if (token !== ':') return MISSING.colon;
        this.#expected = 'value';
        return undefined;
      case 'key':
      case 'key or close':
        if (token === '}') return this.#close(expected === 'key');
        if (token !== 'string' || frame === undefined) return MISSING[expected];
        this.#openMember(frame);
        return undefined;
      case 'comma or close':
        if (frame === undefined) return MISSING.end;
        if (token === (frame.isObject ? '}' : ']')) return this.#close(false);
        if (token !== ',') return MISSING[expected];
        frame.comma = this.#tokens.start;
        this.#expected = frame.isObject ? 'key' : 'value';
        return undefined;
      case 'value':
      case 'value or close':
        if (token === ']' && frame?.isObject === false) return this.#close(expected === 'value');
        return this.#value(token, frame);
      case 'end':
        return MISSING.end;
    }
  }

  #value(token: JsonToken, frame: Frame | undefined): string | undefined {
    const keep = frame === undefined ? this.#keepRoot : frame.keepNext;
    if (token === '{' || token === '[') {
      if (this.#stack.length === MOST_LEVELS) return `it nests deeper than ${MOST_LEVELS} levels here`;
      this.#open(token === '{', keep);
      return undefined;
    }
    if (token !== 'string' && token !== 'number' && token !== 'boolean' && token !== 'null') {
      return this.#expected === 'value' ? MISSING.value : MISSING['value or close'];
    }
    const { start, end } = this.#tokens;
    if (keep !== 'nothing') this.#add(newNode(token, { start, end, value: this.#tokens.value() }));
    this.#expected = frame === undefined ? 'end' : 'comma or close';
    return undefined;
  }

  #open(isObject: boolean, keep: Keep): void {
    const { start, end } = this.#tokens;
    this.#stack.push({
      isObject,
      keep,
      node: keep === 'nothing' ? undefined : newNode(isObject ? 'object' : 'array', { start, end, value: '' }),
      key: '',
      keyStart: 0,
      keyEnd: 0,
      comma: undefined,
      // An array is no way to anything: patterns are of keys.
      keepNext: keep === 'all' ? 'all' : 'nothing',
    });
    this.#expected = isObject ? 'key or close' : 'value or close';
  }

  #openMember(frame: Frame): void {
    if (frame.keep !== 'nothing') {
      frame.key = this.#tokens.value();
      frame.keyStart = this.#tokens.start;
      frame.keyEnd = this.#tokens.end;
      frame.keepNext = follow(frame.keep, frame.key);
    }
    this.#expected = 'colon';
  }

  #close(isBehindComma: boolean): string | undefined {
    if (isBehindComma && !this.#syntax.trailingCommas) return TRAILING_COMMA;
    const frame = this.#stack.pop();
    this.#expected = this.#stack.length === 0 ? 'end' : 'comma or close';
    if (frame?.node === undefined) return undefined;
    const { node } = frame;
    node.end = this.#tokens.end;
    if (isBehindComma) node.trailingComma = frame.comma;
    node.duplicate = findDuplicate(node.members) ?? node.duplicate;
    this.#add(node);
    return undefined;
  }

  #add(node: JsonNode): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) this.root = node;
    if (frame?.node === undefined) return;
    const { isObject, keep, key, keyStart, keyEnd, comma } = frame;
    if (isObject) {
      if (frame.keepNext === 'nothing') return;
      frame.node.members.push({ key, keyStart, keyEnd, comma, node });
    } else frame.node.items.push(node);
    if (keep === 'all') frame.node.duplicate ??= node.duplicate;
  }
}

function newNode(kind: JsonNode['kind'], place: Pick<JsonNode, 'start' | 'end' | 'value'>): OpenNode {
  return { kind, ...place, members: [], items: [], trailingComma: undefined, duplicate: undefined };
}

/** What to keep below a key. */
function follow(keep: Keep, key: string): Keep {
  if (typeof keep === 'string') return keep;
  const left = keep.filter(([first]) => first === ANY || first === key).map((pattern) => pattern.slice(1));
  if (left.some((pattern) => pattern.length === 0)) return 'all';
  return left.length === 0 ? 'nothing' : left;
}

function findDuplicate(members: readonly JsonMember[]): string | undefined {
  if (members.length < 2) return undefined;
  const seen = new Set<string>();
  for (const { key } of members) {
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return undefined;
}
