import { isJsonObject, type JsonObject, type JsonValue, parseContainer } from '../json.ts';
import { type CodeToken, readCodeTokens } from './code-tokens.ts';

/** A call of a tool by a program that a model wrote. */
export interface CodeCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** Most calls that are read from one program, values inside of each other, and characters of a name's value. */
const MOST_CALLS = 200;
const MOST_DEPTH = 24;
const MOST_VALUE = 262_144;

/** Most tokens that are looked at, again and again, and characters of values: a program may make them grow with each line. */
const MOST_WORK = 4_000_000;

/** The member of a call's arguments that has what the program says and nobody can tell from its form. */
const OTHER = 'code';

/**
 * Finds the calls in a program in JavaScript that has its tools as members of one object, e.g. `await tools.exec_command({ cmd: 'ls' })`.
 * Arguments are read from the text: literals, sums and templates of them, and names that are set to them. For what the program computes,
 * the texts of the expression stand, or all texts of the program. A call by another way of writing has all texts as its arguments.
 *
 * @param object the name of the object that has the tools
 * @param textArgument the argument that a tool gets if it is called with a text
 */
export function findCodeCalls(code: string, object: string, textArgument: string): readonly CodeCall[] {
  const tokens = readCodeTokens(code);
  const reader = tokens && new CodeReader(tokens);
  const found = reader && callsIn(reader, new Set([object]), textArgument);
  // Only the names are known where the program is too much to read.
  if (found === undefined || found.length > MOST_CALLS || reader?.isSpent === true)
    return namedIn(code, object).map((name) => ({ name, args: { [OTHER]: code } }));
  return found;
}

/** @param objects names of the object that has the tools; those that the program gives to it are added */
function callsIn(reader: CodeReader, objects: Set<string>, textArgument: string): readonly CodeCall[] {
  const { tokens } = reader;
  const calls: CodeCall[] = [];
  for (const [at, token] of tokens.entries()) {
    if (calls.length > MOST_CALLS || reader.isSpent) break;
    if (token.kind === 'template') {
      for (const part of token.parts)
        if (typeof part !== 'string') calls.push(...callsIn(reader.inside(part), objects, textArgument));
    }
    if (token.kind !== 'name' || !objects.has(token.value)) continue;
    const member = reader.member(at + 1);
    const owner = signAt(tokens, at - 1) === '=' ? tokens[at - 2] : undefined;
    if (member !== undefined) calls.push({ name: member.name, args: reader.args(member.end, textArgument) });
    else if (owner?.kind === 'name') objects.add(owner.value);
    else calls.push(...takenFrom(tokens, at).map((name) => ({ name, args: { [OTHER]: reader.all } })));
  }
  return calls;
}

/** The names that are taken out of the object, as in `const { exec_command: run } = tools`. */
function takenFrom(tokens: readonly CodeToken[], at: number): readonly string[] {
  if (signAt(tokens, at - 1) !== '=' || signAt(tokens, at - 2) !== '}') return [];
  const names: string[] = [];
  for (let index = at - 3; index >= 0 && signAt(tokens, index) !== '{'; index--) {
    const token = tokens[index];
    if (token?.kind === 'name' && signAt(tokens, index - 1) !== ':') names.unshift(token.value);
  }
  return names;
}

function namedIn(code: string, object: string): readonly string[] {
  const member = new RegExp(String.raw`(?<![$\w])${object}\s*\??\.\s*([$\w]+)`, 'g');
  return [...new Set([...code.matchAll(member)].map(([, name = '']) => name))].slice(0, MOST_CALLS);
}

function signAt(tokens: readonly CodeToken[], at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === 'sign' ? token.value : undefined;
}

interface Read {
  readonly value: JsonValue;
  readonly end: number;
}

const WORDS: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null, undefined: null };

class CodeReader {
  readonly tokens: readonly CodeToken[];
  /** The values that names are set to, in the order of the program. */
  readonly #names: Map<string, JsonValue>;
  /** The same as texts. */
  readonly #texts: Map<string, string>;
  readonly #ends: Uint32Array;
  #work = 0;
  /** All texts of the program, a line each, and what its names are set to. */
  readonly all: string;

  /** @param around the program that these tokens are a part of */
  constructor(tokens: readonly CodeToken[], around?: CodeReader) {
    this.tokens = tokens;
    this.#names = around === undefined ? new Map() : around.#names;
    this.#texts = around === undefined ? new Map() : around.#texts;
    this.#ends = endsOf(tokens);
    this.all = textsOf(tokens).join('\n');
    for (const [at, token] of tokens.entries()) {
      const sign = signAt(tokens, at + 1);
      if (token.kind !== 'name' || (sign !== '=' && sign !== '+=') || signAt(tokens, at - 1) === '.') continue;
      if (!this.isSpent) this.#set(token.value, this.#expression(at + 2, 0).value, sign === '+=');
    }
    this.all = [...new Set([this.all, ...this.#texts.values()])].join('\n');
    if (this.all.length > MOST_VALUE) this.#work = Number.POSITIVE_INFINITY;
  }

  /** True if there was too much to look at, so that what was read does not count. */
  get isSpent(): boolean {
    return this.#work > MOST_WORK;
  }

  /** The tool of a member access that begins here, and the index behind it. */
  member(at: number): { readonly name: string; readonly end: number } | undefined {
    const sign = signAt(this.tokens, at);
    const next = this.tokens[at + 1];
    if ((sign === '.' || sign === '?.') && next?.kind === 'name') return { name: next.value, end: at + 2 };
    const open = sign === '?.' ? at + 1 : at;
    if (signAt(this.tokens, open) !== '[') return undefined;
    const { value, end } = this.#expression(open + 1, 0);
    return typeof value === 'string' ? { name: value, end: end + 1 } : undefined;
  }

  /** The arguments of a call whose brackets open here; all texts if none do. */
  args(at: number, textArgument: string): JsonObject {
    const open = signAt(this.tokens, at) === '?.' ? at + 1 : at;
    if (signAt(this.tokens, open) !== '(') return { [OTHER]: this.all };
    if (signAt(this.tokens, open + 1) === ')') return {};
    const { value } = this.#expression(open + 1, 0);
    const given = typeof value === 'string' ? (parseContainer(value) ?? value) : value;
    return isJsonObject(given) ? given : { [textArgument]: value };
  }

  /** A reader of a part of this program. */
  inside(part: readonly CodeToken[]): CodeReader {
    const inner = new CodeReader(part, this);
    this.#work += inner.#work + inner.all.length;
    return inner;
  }

  #set(name: string, value: JsonValue, isAdded: boolean): void {
    const before = this.#names.get(name);
    // Which of several values counts, only a run would tell.
    const both = before === undefined ? value : `${toText(before)}${isAdded ? '' : '\n'}${toText(value)}`;
    const text = toText(both);
    this.#work += text.length;
    // A part of it would hide the rest.
    if (text.length > MOST_VALUE) this.#work = Number.POSITIVE_INFINITY;
    this.#names.set(name, both);
    this.#texts.set(name, text);
  }

  /** Reads an expression up to what ends it. */
  #expression(at: number, depth: number): Read {
    const end = Math.max(this.#ends[at] ?? this.tokens.length, at);
    if (depth > MOST_DEPTH || this.isSpent) return { value: this.all, end };
    let { value, end: next } = this.#operand(at, depth);
    while (value !== undefined && signAt(this.tokens, next) === '+') {
      const other = this.#operand(next + 1, depth);
      value = other.value === undefined ? undefined : toText(value) + toText(other.value);
      next = other.end;
    }
    // A statement may end with its line.
    const isWhole = next === end || /^(?:name|text|number)$/.test(this.tokens[next]?.kind ?? '');
    if (value !== undefined && isWhole) return { value, end };
    const texts = [...new Set(textsOf(this.tokens.slice(at, end), this.#texts))].join(' ');
    this.#work += end - at + texts.length;
    return { value: texts === '' ? this.all : texts, end };
  }

  #operand(at: number, depth: number): { readonly value: JsonValue | undefined; readonly end: number } {
    const token = this.tokens[at];
    const end = at + 1;
    if (token?.kind === 'text') return { value: token.value, end };
    if (token?.kind === 'number') return { value: numberOf(token.value), end };
    if (token?.kind === 'template') return { value: token.parts.map((part) => this.#part(part, depth)).join(''), end };
    if (token?.kind === 'name')
      return { value: Object.hasOwn(WORDS, token.value) ? WORDS[token.value] : this.#names.get(token.value), end };
    if (token?.value === '[') return this.#list(end, depth);
    if (token?.value === '{') return this.#object(end, depth);
    if (token?.value !== '(') return { value: undefined, end };
    const inner = this.#expression(end, depth + 1);
    return { value: inner.value, end: inner.end + 1 };
  }

  #part(part: string | readonly CodeToken[], depth: number): string {
    if (typeof part === 'string') return part;
    const inner = this.inside(part);
    const { value } = inner.#expression(0, depth + 1);
    this.#work += inner.#work;
    return toText(value);
  }

  #list(at: number, depth: number): Read {
    const list: JsonValue[] = [];
    let next = at;
    while (next < this.tokens.length && signAt(this.tokens, next) !== ']') {
      if (signAt(this.tokens, next) === '...') next++;
      const { value, end } = this.#expression(next, depth + 1);
      list.push(value);
      next = signAt(this.tokens, end) === ',' ? end + 1 : Math.max(end, next + 1);
      if (signAt(this.tokens, end) !== ',') break;
    }
    return { value: list, end: next + 1 };
  }

  #object(at: number, depth: number): Read {
    const members: [string, JsonValue][] = [];
    let next = at;
    while (next < this.tokens.length && signAt(this.tokens, next) !== '}') {
      if (signAt(this.tokens, next) === '...') next++;
      const token = this.tokens[next];
      const isSpread = signAt(this.tokens, next - 1) === '...';
      const isNamed = !isSpread && (token?.kind === 'name' || token?.kind === 'text' || token?.kind === 'number');
      const hasValue = signAt(this.tokens, next + 1) === ':';
      const { value, end } = this.#expression(isNamed && hasValue ? next + 2 : next, depth + 1);
      if (isNamed) members.push([token.value, value]);
      else members.push(...(isJsonObject(value) ? Object.entries(value) : [[OTHER, value] as [string, JsonValue]]));
      next = end;
      if (signAt(this.tokens, end) !== ',') break;
      next++;
    }
    return { value: Object.fromEntries(members), end: next + 1 };
  }
}

/** The index of the sign that ends an expression, for each index that one may begin at. */
function endsOf(tokens: readonly CodeToken[]): Uint32Array {
  const ends = new Uint32Array(tokens.length + 1).fill(tokens.length);
  const closing: number[] = [];
  for (let at = tokens.length - 1; at >= 0; at--) {
    const sign = signAt(tokens, at) ?? '';
    if (/^[)\]}]$/.test(sign)) closing.push(at);
    const behind = /^[([{]$/.test(sign) ? (closing.pop() ?? tokens.length) : at;
    ends[at] = /^[,;)\]}]$/.test(sign) ? at : (ends[Math.min(behind + 1, tokens.length)] ?? tokens.length);
  }
  return ends;
}

function textsOf(tokens: readonly CodeToken[], names?: ReadonlyMap<string, string>): readonly string[] {
  return tokens.flatMap((token): readonly string[] => {
    if (token.kind === 'text') return [token.value];
    if (token.kind === 'template')
      return token.parts.flatMap((part) => (typeof part === 'string' ? [part] : textsOf(part, names)));
    const value = token.kind === 'name' ? names?.get(token.value) : undefined;
    return value === undefined ? [] : [value];
  });
}

function numberOf(text: string): JsonValue {
  const value = Number(text.replaceAll('_', ''));
  return Number.isFinite(value) ? value : text;
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
