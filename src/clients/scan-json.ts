import type { JsonSyntax } from './client.ts';
import { visitJson, type JsonMistake, type JsonVisitor } from './jsonc.ts';

/** A value in a JSON text: offsets of its first character and of the one behind its last. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  readonly start: number;
  readonly end: number;
  /** Strings decoded; other scalars as they stand. */
  readonly value: string;
  /** The members of an object; of one that is only on the way to what was asked for, those that lead there. */
  readonly members: readonly JsonMember[];
  /** The elements of an array. */
  readonly items: readonly JsonNode[];
  /** The offset of the comma behind an object's last member, if there is one. */
  readonly trailingComma: number | undefined;
  /** A key that the object has twice, or one somewhere inside; of an object that is only on the way, none inside. */
  readonly duplicate: string | undefined;
  /** The reason why its text must stay, a sentence without full stop: in YAML a value can stand elsewhere, or mean several. */
  readonly obstacle?: string | undefined;
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

/** The part of a value to keep: nothing, all, or what the rest of some patterns leads to. */
type Keep = 'nothing' | 'all' | readonly JsonPattern[];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface OpenNode extends Mutable<Omit<JsonNode, 'members' | 'items'>> {
  readonly members: JsonMember[];
  readonly items: JsonNode[];
}

/** An object or array that is being read. */
interface Frame {
  readonly keep: Keep;
  /** Undefined if nothing is kept. */
  readonly node: OpenNode | undefined;
  /** The member of an object that is being read. */
  member: Omit<JsonMember, 'node'> | undefined;
  /** The comma behind which nothing has come yet. */
  comma: number | undefined;
  keepNext: Keep;
}

/**
 * Reads a text as a client would and keeps the places of what the patterns lead to, with everything below, so that the rest of a file
 * of many megabytes costs no memory. A byte order mark at the start is passed over.
 */
export function scanJson(text: string, syntax: JsonSyntax, patterns: readonly JsonPattern[]): JsonScan {
  // Offsets stay as they are.
  const json = text.replace(/^\uFEFF/, ' ');
  const builder = new TreeBuilder(json, patterns);
  const mistake = visitJson(json, syntax, builder);
  if (mistake === undefined) return { ok: true, root: builder.root };
  return { ok: false, offset: mistake.offset, message: describeMistake(text, mistake) };
}

function describeMistake(text: string, { offset, expected, problem }: JsonMistake): string {
  if (problem !== undefined) return problem;
  if (offset >= text.length) return 'the file ends too early';
  if (expected === 'the end of the file') return 'there is something behind the end of the value';
  return `${expected} is missing here`;
}

/** Makes nodes of what is to be kept. */
class TreeBuilder implements JsonVisitor {
  root: JsonNode | undefined;
  readonly #text: string;
  readonly #keepRoot: Keep;
  readonly #stack: Frame[] = [];

  constructor(text: string, patterns: readonly JsonPattern[]) {
    this.#text = text;
    this.#keepRoot = patterns.some((pattern) => pattern.length === 0) ? 'all' : patterns;
  }

  onBegin(isObject: boolean, start: number): void {
    const keep = this.#keepNext();
    const node = keep === 'nothing' ? undefined : newNode(isObject ? 'object' : 'array', start);
    // An array is no way to anything: patterns are of keys.
    const keepNext = keep === 'all' ? 'all' : 'nothing';
    this.#stack.push({ keep, node, member: undefined, comma: undefined, keepNext });
  }

  onKey(key: string, keyStart: number, keyEnd: number): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined || frame.keep === 'nothing') return;
    frame.member = { key, keyStart, keyEnd, comma: frame.comma };
    frame.comma = undefined;
    frame.keepNext = follow(frame.keep, key);
  }

  onComma(offset: number): void {
    const frame = this.#stack.at(-1);
    if (frame !== undefined) frame.comma = offset;
  }

  onScalar(scalar: string | number | boolean | null, start: number, end: number): void {
    if (this.#keepNext() === 'nothing') return;
    const kind = scalar === null ? 'null' : (typeof scalar as 'string' | 'number' | 'boolean');
    this.#add({ ...newNode(kind, start), end, value: typeof scalar === 'string' ? scalar : this.#text.slice(start, end) });
  }

  onEnd(end: number): void {
    const frame = this.#stack.pop();
    if (frame?.node === undefined) return;
    const { node, comma } = frame;
    node.end = end;
    if (node.kind === 'object') node.trailingComma = comma;
    node.duplicate = findDuplicate(node.members) ?? node.duplicate;
    this.#add(node);
  }

  /** The part to keep of the value that comes next. */
  #keepNext(): Keep {
    const frame = this.#stack.at(-1);
    return frame === undefined ? this.#keepRoot : frame.keepNext;
  }

  #add(node: JsonNode): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) this.root = node;
    if (frame?.node === undefined) return;
    if (frame.member === undefined) frame.node.items.push(node);
    else if (frame.keepNext !== 'nothing') frame.node.members.push({ ...frame.member, node });
    if (frame.keep === 'all') frame.node.duplicate ??= node.duplicate;
  }
}

function newNode(kind: JsonNode['kind'], start: number): OpenNode {
  return { kind, start, end: start, value: '', members: [], items: [], trailingComma: undefined, duplicate: undefined };
}

/** The part to keep below a key. */
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
