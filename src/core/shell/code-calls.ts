import { isJsonObject, type JsonObject, type JsonValue, parseContainer } from '../json.ts';
import { mayLeak, memberName } from './program-leaks.ts';
import { isSum, keyOf, ProgramValues } from './program-values.ts';
import { listNodes, nameOf, partOf, partsOf, type PlacedNode, type SyntaxNode } from './syntax.ts';

/** A call of a tool by a program that a model wrote. */
export interface CodeCall {
  readonly name: string;
  readonly args: JsonObject;
  /** True for the call before, without the arguments that are not certain. */
  readonly isBare?: true;
}

/** The tools of a program. */
export interface ProgramTools {
  /** The name of the object that has them. */
  readonly object: string;
  /** The argument that a tool gets if it is called with a text. */
  readonly textArgument: string;
  /** The tool that runs a command. */
  readonly command: string;
  /** The argument of a tool that counts most. */
  readonly argumentOf: (tool: string) => string;
  /** Tells whether a name is one of a tool. */
  readonly isTool: (name: string) => boolean;
}

/** Most calls that are read one by one, tools that get all texts, and names of arguments that they get them by. */
const MOST_CALLS = 200;
const MOST_TOOLS = 32;
const MOST_ARGUMENTS = 16;
const MOST_TEXTS = 4000;

/** More characters are given to a tool by few names only. */
const MANY_CHARACTERS = 16_384;

/** The texts of a program, its names, and those of members, for calls that are not read. */
interface Unread {
  readonly texts: readonly JsonValue[];
  readonly names: readonly string[];
  readonly keys: readonly string[];
}

/**
 * Finds the calls in a program in JavaScript that has its tools as members of one object, e.g. `await tools.exec_command({ cmd: 'ls' })`.
 *
 * Only calls in this form are read, with arguments that are literals or made of literals and constants. For an argument that is not, all texts of
 * the program stand, each by itself and joined; and since none of them may be the true one, the same call counts without it as well, so that
 * no rule allows it by that argument. A program that may reach its tools in another way counts as such a call of the tool that runs
 * commands, and of each tool that it names.
 *
 * @param program the program's syntax; undefined if it could not be read
 */
export function findCodeCalls(code: string, program: SyntaxNode | undefined, tools: ProgramTools): readonly CodeCall[] {
  const nodes = program && listNodes(program);
  if (nodes === undefined) {
    const texts = [...new Set(code.split(/["'`\n]/))].slice(0, MOST_TEXTS);
    return anyCalls({ texts: [code, ...texts], names: [...new Set(code.match(/[$\w]+/g))], keys: [] }, tools);
  }
  const values = new ProgramValues(nodes);
  const uses = nodes.flatMap(({ node }) => readUse(node, values, tools.object) ?? []);
  const read = new Set(uses.map(({ object }) => object));
  const how = { object: tools.object, isRead: (node: SyntaxNode) => read.has(node) };
  const isOpen = uses.length > MOST_CALLS || nodes.some((placed) => mayLeak(placed, values, how));
  let cached: Unread | undefined;
  const unread = (): Unread => (cached ??= readAll(nodes, values));
  const calls = uses.length > MOST_CALLS ? [] : uses.flatMap((use) => callsOf(use, { values, unread, tools }));
  if (!isOpen) return calls;
  const names = [...unread().names, ...uses.map(({ name }) => name)];
  return [
    ...calls,
    ...anyCalls(
      { ...unread(), names },
      { ...tools, isTool: (name) => tools.isTool(name) || uses.some((use) => use.name === name) },
    ),
  ];
}

/** A call of a tool by its name, and the identifier that stands for the tools in it. */
interface Use {
  readonly name: string;
  readonly object: SyntaxNode;
  readonly given: readonly (SyntaxNode | undefined)[];
}

function readUse(node: SyntaxNode, values: ProgramValues, tools: string): Use | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const [callee, given] = [partOf(node, 'callee'), partsOf(node, 'arguments')];
  const object = callee?.type === 'MemberExpression' ? partOf(callee, 'object') : undefined;
  if (callee === undefined || object === undefined || nameOf(object) !== tools) return undefined;
  const name = memberName(callee, values);
  return name === undefined || given.some((each) => each?.type === 'SpreadElement') ? undefined : { name, object, given };
}

function callsOf(
  { name, given: [first] }: Use,
  { values, unread, tools }: { readonly values: ProgramValues; readonly unread: () => Unread; readonly tools: ProgramTools },
): readonly CodeCall[] {
  if (first === undefined) return [{ name, args: {} }];
  const value = values.read(first);
  const read = typeof value === 'string' ? (parseContainer(value) ?? value) : value;
  if (read !== undefined) return [{ name, args: isJsonObject(read) ? read : { [tools.textArgument]: read } }];
  const members = values.members(first);
  if (members === undefined) return anyCall(name, unread(), tools);
  const { texts } = unread();
  const known = members.flatMap(([key, is]) => (is === undefined ? [] : [[key, is] as const]));
  const all = members.map(([key, is]) => [key, is ?? texts] as const);
  return [
    { name, args: Object.fromEntries(all) },
    { name, args: Object.fromEntries(known), isBare: true },
  ];
}

/** A call with arguments that nobody knows. */
function anyCall(name: string, { texts, keys }: Unread, { argumentOf }: ProgramTools): readonly CodeCall[] {
  const args = Object.fromEntries([...keys, argumentOf(name)].map((key) => [key, texts]));
  return [
    { name, args },
    { name, args: {}, isBare: true },
  ];
}

/** The calls that a program may make that is not read. */
function anyCalls(unread: Unread, tools: ProgramTools): readonly CodeCall[] {
  const { command, isTool } = tools;
  const names = [...new Set([command, ...unread.names.filter(isTool)])];
  return names.flatMap((name, at) => (at < MOST_TOOLS ? anyCall(name, unread, tools) : [{ name, args: {} }]));
}

/** All texts of a program, and the same joined; the names of members; and those that it gives to members of its own. */
function readAll(nodes: readonly PlacedNode[], values: ProgramValues): Unread {
  const [texts, names, keys] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { node, parent, part } of nodes) {
    for (const text of isSum(parent) && isSum(node) ? [] : textsOf(node, values)) texts.add(text);
    const name = nameOf(node) ?? (typeof node['value'] === 'string' ? node['value'] : '');
    names.add(name);
    const isGiven = (part === 'property' && parent?.['computed'] !== true) || part === 'key';
    if (isGiven && name !== '') keys.add(name);
  }
  const list = [...texts].filter((text) => text !== '');
  const joined = ['', '\n'].map((between) => list.join(between));
  const isLarge = (joined[0]?.length ?? 0) > MANY_CHARACTERS;
  return {
    texts: [...list.slice(0, MOST_TEXTS), ...joined],
    names: [...names],
    keys: isLarge ? [] : [...keys].slice(0, MOST_ARGUMENTS),
  };
}

/** The texts of a piece: as they are written, and as far as they are known when they are put together. */
function textsOf(node: SyntaxNode, values: ProgramValues): readonly string[] {
  const { value } = node as { readonly value?: unknown };
  if (typeof value === 'string') return [value];
  if (node.type === 'Property') return [String(keyOf(node) ?? '')].filter((key) => /\W/.test(key));
  if (node.type === 'TemplateElement') {
    const { cooked, raw } = value as { readonly cooked?: string | null; readonly raw: string };
    return cooked === raw ? [raw] : [cooked ?? '', raw];
  }
  return node.type === 'TemplateLiteral' || isSum(node) ? [values.likely(node)] : [];
}
