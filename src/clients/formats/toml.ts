import { parseToml } from '../../core/policy/toml.ts';
import { type AST, parseTomlSyntax } from '../../core/policy/toml-layout.ts';
import type { MemberWriter } from '../edit-json.ts';
import { formatLike, type NewMember } from '../json-style.ts';
import type { JsonMember, JsonNode, JsonScan } from '../scan-json.ts';
import {
  endOfLine,
  lineEndOf,
  inlineRemoval,
  lineRemoval,
  nameItems,
  newNode,
  type OpenNode,
  startOfLine,
  type TextFormat,
} from './format.ts';

/** The pair that a value stands in: offset of the first part of its key, and whether it is in an inline table. */
interface Pair {
  readonly start: number;
  readonly isInline: boolean;
}

const pairs = new WeakMap<JsonNode, Pair>();

/**
 * TOML. Tables have no text of their own: one may be spread over several headers and dotted keys, and only values are edited. What is written is
 * TOML 1.0.
 */
export const TOML: TextFormat = {
  scan,
  writer: { replace: (text, { member }, value) => write(text, value, member), insert, remove },
  parseAgain(text) {
    const read = parseToml(text);
    return read.ok ? read.table : undefined;
  },
};

function scan(text: string): JsonScan {
  const read = parseToml(text);
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  if (!read.ok) {
    const { line, column, message } = read.syntax;
    return { ok: false, offset: mark + offsetOf(text.slice(mark), line, column), message };
  }
  const program = parseTomlSyntax(text.slice(mark));
  if (program === undefined) return { ok: false, offset: 0, message: 'not every parser can read this TOML' };
  const tree = new Tree(text, mark);
  for (const part of program.body[0].body) {
    if (part.type === 'TOMLKeyValue') tree.addPair(tree.root, part, false);
    else tree.addTable(part);
  }
  tree.nameLists();
  return { ok: true, root: tree.root };
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

/** Makes one tree of what tables and dotted keys say. */
class Tree {
  readonly root: OpenNode;
  readonly #text: string;
  readonly #mark: number;
  readonly #lists: OpenNode[] = [];
  /** The same nodes as in the tree, which can still be added to. */
  readonly #open = new Map<JsonNode, OpenNode>();

  constructor(text: string, mark: number) {
    this.#text = text;
    this.#mark = mark;
    this.root = this.#node('object', 0, text.length);
  }

  addTable(table: AST.TOMLTable): void {
    const keys = [...table.key.keys];
    let node = this.root;
    for (const part of table.resolvedKey) {
      if (typeof part === 'number') {
        node = this.#itemOf(node, part, table);
        continue;
      }
      const key = keys.shift();
      const isList = table.kind === 'array' && keys.length === 0;
      if (key !== undefined) node = this.#memberOf(node, key, isList ? 'array' : 'object');
    }
    for (const pair of table.body) this.addPair(node, pair, false);
  }

  addPair(container: OpenNode, pair: AST.TOMLKeyValue, isInline: boolean): void {
    const keys = [...pair.key.keys];
    const last = keys.pop();
    if (last === undefined) return;
    const node = keys.reduce((parent, key) => this.#memberOf(parent, key, 'object'), container);
    const value = this.#parseAgain(pair.value);
    pairs.set(value, { start: pair.range[0] + this.#mark, isInline });
    node.members.push(this.#member(last, value));
  }

  nameLists(): void {
    for (const list of this.#lists) nameItems(list);
  }

  #memberOf(parent: OpenNode, key: AST.TOMLBare | AST.TOMLQuoted, kind: 'object' | 'array'): OpenNode {
    const found = parent.members.find((member) => member.key === nameOf(key));
    const known = found && this.#open.get(found.node);
    if (known !== undefined) return known;
    const node = this.#node(kind, key.range[0] + this.#mark, key.range[1] + this.#mark);
    parent.members.push(this.#member(key, node));
    return node;
  }

  #itemOf(list: OpenNode, index: number, { range }: AST.TOMLTable): OpenNode {
    const found = list.items[index];
    const known = found && this.#open.get(found);
    if (known !== undefined) return known;
    const node = this.#node('object', range[0] + this.#mark, range[1] + this.#mark);
    list.items.push(node);
    return node;
  }

  #member(key: AST.TOMLBare | AST.TOMLQuoted, node: JsonNode): JsonMember {
    const [keyStart, keyEnd] = [key.range[0] + this.#mark, key.range[1] + this.#mark];
    return { key: nameOf(key), keyStart, keyEnd, comma: undefined, node };
  }

  #parseAgain(value: AST.TOMLContentNode): OpenNode {
    const [start, end] = [value.range[0] + this.#mark, value.range[1] + this.#mark];
    if (value.type === 'TOMLInlineTable') {
      const table = this.#node('object', start, end);
      for (const pair of value.body) this.addPair(table, pair, true);
      return table;
    }
    if (value.type === 'TOMLArray') {
      const list = this.#node('array', start, end);
      list.items.push(...value.elements.map((element) => this.#parseAgain(element)));
      return list;
    }
    if (value.kind === 'string') return newNode('string', start, end, value.value);
    return newNode(value.kind === 'boolean' ? 'boolean' : 'number', start, end, this.#text.slice(start, end));
  }

  #node(kind: 'object' | 'array', start: number, end: number): OpenNode {
    const node = newNode(kind, start, end);
    this.#open.set(node, node);
    if (kind === 'array') this.#lists.push(node);
    return node;
  }
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

/** A member that was not there: behind its sibling or the last value, on the next line, or in the same inline table. */
function insert(
  text: string,
  object: JsonNode,
  { key, value, after }: { key: string; value: NewMember; after: string | undefined },
): ReturnType<MemberWriter['insert']> {
  const sibling = object.members.find((member) => member.key === after) ?? object.members.findLast(({ node }) => pairs.has(node));
  const pair = sibling && pairs.get(sibling.node);
  if (sibling === undefined || pair === undefined) throw new Error('a table has no value that a new one could follow');
  const written = write(text, value, undefined);
  // In `a.command = "x"`, the `a.` belongs to the new key too.
  const name = `${text.slice(pair.start, sibling.keyStart)}${key}`;
  if (pair.isInline) return { at: sibling.node.end, inserted: `, ${name} = ${written}`, value: written };
  const indent = text.slice(startOfLine(text, pair.start), pair.start).replace('\uFEFF', '');
  const at = endOfLine(text, sibling.node.end);
  return { at, inserted: `${lineEndOf(text)}${indent}${name} = ${written}`, value: written };
}

function remove(text: string, _object: JsonNode, member: JsonMember): ReturnType<MemberWriter['remove']> {
  const pair = pairs.get(member.node);
  if (pair === undefined) throw new Error('a table is no value that could be removed');
  const span = { start: pair.start, end: member.node.end };
  return [pair.isInline ? inlineRemoval(text, span) : lineRemoval(text, span)];
}

function write(text: string, value: NewMember, member: JsonMember | undefined): string {
  if ('raw' in value) return value.raw;
  if ('json' in value) throw new Error('clawai writes no tables');
  if (typeof value.value === 'string') return writeString(value.value);
  const items = value.value.map(writeString);
  return member === undefined ? `[${items.join(', ')}]` : formatLike(text, member.node, { items, comma: ', ' });
}

/** JSON's strings are basic strings of TOML, but for this character. */
function writeString(value: string): string {
  return JSON.stringify(value).replaceAll('\u007F', String.raw`\u007F`);
}
