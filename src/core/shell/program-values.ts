import type { JsonObject, JsonValue } from '../json.ts';
import { changedNames, countDeclared } from './program-names.ts';
import { nameOf, partOf, partsOf, type PlacedNode, type SyntaxNode } from './syntax.ts';

/** Values inside of each other that are read, and characters that are put together: a program may double a text with each line. */
const MOST_DEPTH = 40;
const MOST_CHARACTERS = 1_000_000;

/** A value that the program's text settles; undefined where only a run would. */
type Known = JsonValue | undefined;

/** The values that the pieces of a program have for sure. */
export class ProgramValues {
  /** All names that the program declares. */
  readonly declared: ReadonlySet<string>;
  /** The values of names that have one, whenever they are read. */
  readonly #constants = new Map<string, SyntaxNode>();
  /** The same of all names that are declared once. */
  readonly #initial = new Map<string, SyntaxNode>();
  readonly #counters = new Set<string>();
  readonly #read = new Map<SyntaxNode, { readonly value: Known }>();
  readonly #likely = new Map<SyntaxNode, string>();
  #joined = 0;

  constructor(nodes: readonly PlacedNode[]) {
    const times = countDeclared(nodes);
    const changed = changedNames(nodes);
    this.declared = new Set(times.keys());
    for (const { node, parent } of nodes) {
      const [name, init] = [nameOf(partOf(node, 'id')), partOf(node, 'init')];
      if (node.type !== 'VariableDeclarator' || name === undefined || init === undefined || times.get(name) !== 1) continue;
      this.#initial.set(name, init);
      const changes = changed.get(name) ?? [];
      if (parent?.['kind'] === 'const' && changes.length === 0) this.#constants.set(name, init);
      if (parent?.['kind'] === 'let' && isNumeral(init) && changes.every(isCounting)) this.#counters.add(name);
    }
  }

  /** The value of an expression if it is a literal, or made of literals and constants alone. */
  read(node: SyntaxNode | undefined, depth = 0): Known {
    if (node === undefined || depth > MOST_DEPTH) return undefined;
    const found = this.#read.get(node);
    if (found !== undefined) return found.value;
    // A constant may be made of itself.
    this.#read.set(node, { value: undefined });
    const value = this.#value(node, depth + 1);
    this.#read.set(node, { value });
    return value;
  }

  /** Tells whether an expression is a number in any case, as the index of a list is. */
  isNumber(node: SyntaxNode | undefined, depth = 0): boolean {
    if (node === undefined || depth > MOST_DEPTH) return false;
    const sides = [partOf(node, 'left'), partOf(node, 'right')];
    if (node.type === 'BinaryExpression')
      return (
        /^[-*/%]$/.test(String(node['operator'])) ||
        (node['operator'] === '+' && sides.every((each) => this.isNumber(each, depth + 1)))
      );
    return isNumeral(node) || this.#counters.has(nameOf(node) ?? '');
  }

  /** A text that an expression may have, without those of its parts that nobody knows; empty if it is no text. */
  likely(node: SyntaxNode | undefined, depth = 0): string {
    if (node === undefined || depth > MOST_DEPTH) return '';
    const found = this.#likely.get(node);
    if (found !== undefined) return found;
    this.#likely.set(node, '');
    const value = this.read(node, depth);
    if (value !== undefined) return typeof value === 'object' ? '' : String(value);
    const initial = this.#initial.get(nameOf(node) ?? '');
    if (initial !== undefined) return this.likely(initial, depth + 1);
    const text = partsOfText(node).map((part) => (typeof part === 'string' ? part : this.likely(part, depth + 1)));
    const whole = this.#join(text) ?? '';
    this.#likely.set(node, whole);
    return whole;
  }

  #value(node: SyntaxNode, depth: number): Known {
    switch (node.type) {
      case 'Literal':
        return literal(node['value']);
      case 'Identifier':
        return this.#constant(nameOf(node) ?? '', depth);
      case 'UnaryExpression':
        return isNumeral(node) ? -Number(partOf(node, 'argument')?.['value']) : undefined;
      case 'TemplateLiteral':
      case 'BinaryExpression':
        return this.#text(node, depth);
      case 'ArrayExpression': {
        const values = partsOf(node, 'elements').map((each) => this.read(each, depth));
        return values.every((each) => each !== undefined) ? values : undefined;
      }
      case 'ObjectExpression': {
        const members = this.members(node, depth);
        return members?.every(([, value]) => value !== undefined) ? (Object.fromEntries(members) as JsonObject) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** The members of an object whose names are known, with the values that are. Undefined if it may have others, or hide one by another. */
  members(node: SyntaxNode | undefined, depth = 0): readonly (readonly [name: string, value: Known])[] | undefined {
    if (node?.type !== 'ObjectExpression') return undefined;
    const members = partsOf(node, 'properties').map((each) => {
      if (each === undefined || each['computed'] === true || each['kind'] !== 'init' || each['method'] === true) return undefined;
      const name = keyOf(each);
      return name === undefined ? undefined : ([name, this.read(partOf(each, 'value'), depth)] as const);
    });
    const named = members.filter((each) => each !== undefined);
    const names = new Set(named.map(([name]) => name));
    return named.length === members.length && names.size === members.length && !names.has('__proto__') ? named : undefined;
  }

  /** An object may have been changed since: only plain values count. */
  #constant(name: string, depth: number): Known {
    const value = this.read(this.#constants.get(name), depth);
    return typeof value === 'object' ? undefined : value;
  }

  #text(node: SyntaxNode, depth: number): string | undefined {
    const parts = partsOfText(node).map((part) => (typeof part === 'string' ? part : this.read(part, depth)));
    const texts = parts.filter((part) => typeof part === 'string');
    return parts.length > 0 && texts.length === parts.length ? this.#join(texts) : undefined;
  }

  #join(texts: readonly string[]): string | undefined {
    this.#joined += texts.reduce((sum, { length }) => sum + length, 0);
    return this.#joined > MOST_CHARACTERS ? undefined : texts.join('');
  }
}

/** The parts of a template or a sum, in order; none for others. */
function partsOfText(node: SyntaxNode): readonly (string | SyntaxNode)[] {
  if (node.type === 'TemplateLiteral') {
    const between = partsOf(node, 'expressions');
    const parts = partsOf(node, 'quasis').flatMap((each, at) => [cookedOf(each), ...between.slice(at, at + 1)]);
    return parts.filter((each) => each !== undefined);
  }
  const sum: SyntaxNode[] = [];
  let left: SyntaxNode | undefined = node;
  for (; left !== undefined && isSum(left); left = partOf(left, 'left')) sum.push(partOf(left, 'right') ?? left);
  return sum.length === 0 || left === undefined ? [] : [left, ...sum.toReversed()];
}

/** Tells whether it adds two values, which may be texts. */
export function isSum(node: SyntaxNode | undefined): boolean {
  return node?.type === 'BinaryExpression' && node['operator'] === '+';
}

function cookedOf(node: SyntaxNode | undefined): string | undefined {
  const value = node?.['value'] as { readonly cooked?: unknown } | undefined;
  return typeof value?.cooked === 'string' ? value.cooked : undefined;
}

/** The name of a member that is no expression. */
export function keyOf(node: SyntaxNode): string | undefined {
  const key = partOf(node, 'key');
  const value = key?.['value'];
  return nameOf(key) ?? (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);
}

function literal(value: unknown): Known {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isNumeral(node: SyntaxNode): boolean {
  const number = node.type === 'UnaryExpression' && node['operator'] === '-' ? partOf(node, 'argument') : node;
  return number?.type === 'Literal' && typeof literal(number['value']) === 'number';
}

/** Tells whether a change of a name leaves a number a number. */
function isCounting(change: SyntaxNode): boolean {
  if (change.type === 'UpdateExpression') return true;
  const right = partOf(change, 'right');
  return (
    change.type === 'AssignmentExpression' &&
    /^[-+]=$/.test(String(change['operator'])) &&
    right !== undefined &&
    isNumeral(right)
  );
}
