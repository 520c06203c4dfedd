import { createScanner } from 'jsonc-parser';
import type { JsonSyntax } from './client.ts';

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
  /** Offset of the first character that cannot stand there. */
  | { readonly ok: false; readonly offset: number; readonly message: string };

/** The numbers that jsonc-parser gives its tokens; its own names for them are const enums, which do not outlive its build. */
const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  unknown: 16,
  end: 17,
} as const;

const KINDS: ReadonlyMap<number, JsonNode['kind']> = new Map([
  [TOKEN.null, 'null'],
  [TOKEN.true, 'boolean'],
  [TOKEN.false, 'boolean'],
  [TOKEN.string, 'string'],
  [TOKEN.number, 'number'],
]);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface OpenNode extends Mutable<Omit<JsonNode, 'members' | 'items'>> {
  readonly members: JsonMember[];
  readonly items: JsonNode[];
}

interface Frame {
  readonly isObject: boolean;
  /** Undefined where nobody asked. */
  readonly node: OpenNode | undefined;
  /** What is still to go for each pattern; undefined where everything below counts. */
  readonly patterns: readonly JsonPattern[] | undefined;
  key: string;
  keyStart: number;
  keyEnd: number;
  comma: number | undefined;
  /** Whether the member or item that is being read leads to something that was asked for. */
  next: readonly JsonPattern[] | undefined | 'skip';
}

type Expected = 'value' | 'value or close' | 'key' | 'key or close' | 'colon' | 'comma or close' | 'end';

const WORDS: Readonly<Record<Expected, string>> = {
  value: 'a value is missing here',
  'value or close': 'a value or "]" is missing here',
  key: 'a key in double quotes is missing here',
  'key or close': 'a key in double quotes or "}" is missing here',
  colon: '":" is missing here',
  'comma or close': '"," or the closing bracket is missing here',
  end: 'there is something behind the end of the value',
};

/**
 * Reads a text as a client would and keeps the places of what the patterns lead to, with everything below, so that the rest of a file
 * of many megabytes costs no memory. Never recurses. A byte order mark at the start is passed over.
 */
export function scanJson(text: string, syntax: JsonSyntax, patterns: readonly JsonPattern[]): JsonScan {
  const scanner = createScanner(text, false);
  if (text.startsWith('\uFEFF')) scanner.setPosition(1);
  const stack: Frame[] = [];
  let root: JsonNode | undefined;
  let expected = 'value' as Expected;
  let isEmpty = true;

  /** What to keep of the value that starts now. */
  const wanted = (): Frame['next'] => {
    const frame = stack.at(-1);
    if (frame === undefined) return patterns.some((pattern) => pattern.length === 0) ? undefined : patterns;
    return frame.next;
  };
  const add = (node: JsonNode): void => {
    const frame = stack.at(-1);
    if (frame === undefined) root = node;
    else if (frame.node === undefined) return;
    else if (frame.isObject) {
      frame.node.members.push({ key: frame.key, keyStart: frame.keyStart, keyEnd: frame.keyEnd, comma: frame.comma, node });
      if (frame.patterns === undefined) frame.node.duplicate ??= node.duplicate;
    } else {
      frame.node.items.push(node);
      frame.node.duplicate ??= node.duplicate;
    }
  };
  const open = (isObject: boolean): void => {
    const next = wanted();
    // An array is no way to a server: below it nothing is asked for.
    const keep = next !== 'skip' && (isObject || next === undefined);
    const start = scanner.getTokenOffset();
    const kind = isObject ? 'object' : 'array';
    stack.push({
      isObject,
      node:
        next === 'skip'
          ? undefined
          : { kind, start, end: start, value: '', members: [], items: [], trailingComma: undefined, duplicate: undefined },
      patterns: next === 'skip' ? [] : next,
      key: '',
      keyStart: 0,
      keyEnd: 0,
      comma: undefined,
      next: keep && !isObject ? undefined : 'skip',
    });
    expected = isObject ? 'key or close' : 'value or close';
  };
  const close = (): void => {
    const frame = stack.pop();
    expected = stack.length === 0 ? 'end' : 'comma or close';
    if (frame?.node === undefined) return;
    const { node } = frame;
    node.end = scanner.getTokenOffset() + 1;
    node.duplicate = duplicateKey(node.members) ?? node.duplicate;
    add(node);
  };
  const fail = (message: string): JsonScan => ({ ok: false, offset: scanner.getTokenOffset(), message });

  for (;;) {
    const token: number = scanner.scan();
    if (token === TOKEN.space || token === TOKEN.lineBreak) continue;
    if (token === TOKEN.lineComment || token === TOKEN.blockComment) {
      if (!syntax.comments) return fail('comments are not allowed here');
      if (scanner.getTokenError() !== 0) return fail('a comment has no end');
      continue;
    }
    if (token === TOKEN.end) {
      if (expected === 'end' || isEmpty) return { ok: true, root };
      return fail('the file ends too early');
    }
    isEmpty = false;
    if (scanner.getTokenError() !== 0)
      return fail(token === TOKEN.string ? 'a string is not well-formed' : 'a number is not well-formed');
    const frame = stack.at(-1);

    if (expected === 'colon') {
      if (token !== TOKEN.colon) return fail(WORDS.colon);
      expected = 'value';
    } else if (expected === 'key' || expected === 'key or close') {
      if (token === TOKEN.closeBrace && (expected === 'key or close' || syntax.trailingCommas)) {
        if (expected === 'key' && frame?.node !== undefined) frame.node.trailingComma = frame.comma;
        close();
      } else if (token === TOKEN.string && frame !== undefined) {
        frame.key = scanner.getTokenValue();
        frame.keyStart = scanner.getTokenOffset();
        frame.keyEnd = frame.keyStart + scanner.getTokenLength();
        frame.next = frame.node === undefined ? 'skip' : follow(frame.patterns, frame.key);
        expected = 'colon';
      } else return fail(token === TOKEN.closeBrace ? 'trailing commas are not allowed here' : WORDS[expected]);
    } else if (expected === 'comma or close') {
      if (token === TOKEN.comma && frame !== undefined) {
        frame.comma = scanner.getTokenOffset();
        // An array may only be closed behind a comma where trailing commas are allowed; a flag of its own would say the same.
        expected = frame.isObject ? 'key' : 'value';
      } else if (token === (frame?.isObject === true ? TOKEN.closeBrace : TOKEN.closeBracket)) close();
      else return fail(WORDS[expected]);
    } else if (expected === 'end') return fail(WORDS.end);
    else if (token === TOKEN.openBrace) open(true);
    else if (token === TOKEN.openBracket) open(false);
    else if (
      token === TOKEN.closeBracket &&
      frame?.isObject === false &&
      (expected === 'value or close' || syntax.trailingCommas)
    ) {
      if (expected === 'value' && frame.node !== undefined) frame.node.trailingComma = frame.comma;
      close();
    } else {
      const kind = KINDS.get(token);
      if (kind === undefined) {
        const isTrailing = token === TOKEN.closeBracket && frame?.isObject === false;
        return fail(isTrailing ? 'trailing commas are not allowed here' : WORDS[expected]);
      }
      if (wanted() !== 'skip') {
        const start = scanner.getTokenOffset();
        const end = start + scanner.getTokenLength();
        add({
          kind,
          start,
          end,
          value: scanner.getTokenValue(),
          members: [],
          items: [],
          trailingComma: undefined,
          duplicate: undefined,
        });
      }
      expected = stack.length === 0 ? 'end' : 'comma or close';
    }
  }
}

/** What is left of the patterns below a key; undefined when one of them ends here, so that everything below counts. */
function follow(patterns: readonly JsonPattern[] | undefined, key: string): Frame['next'] {
  if (patterns === undefined) return undefined;
  const left = patterns.filter(([first]) => first === ANY || first === key).map((pattern) => pattern.slice(1));
  if (left.some((pattern) => pattern.length === 0)) return undefined;
  return left.length === 0 ? 'skip' : left;
}

function duplicateKey(members: readonly JsonMember[]): string | undefined {
  if (members.length < 2) return undefined;
  const seen = new Set<string>();
  for (const { key } of members) {
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return undefined;
}
