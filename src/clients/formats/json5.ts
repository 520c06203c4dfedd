import { parseValue } from '../../core/shell/parse-program.ts';
import type { SyntaxNode } from '../../core/shell/syntax.ts';
import { JSON_WRITER } from '../edit-json.ts';
import type { JsonMember, JsonNode, JsonScan } from '../scan-json.ts';
import { newNode, type OpenNode, type TextFormat } from './format.ts';

/** JSON5, which is a part of JavaScript. What is written is JSON, and so JSON5 too. */
export const JSON5: TextFormat = { scan, writer: JSON_WRITER };

/** A part of JavaScript that JSON5 does not have. */
class NotJson5 extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super();
    this.offset = offset;
  }
}

function scan(text: string): JsonScan {
  // Offsets stay as they are.
  const source = text.replace(/^\uFEFF/, ' ');
  if (/^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*$/.test(source)) return { ok: true, root: undefined };
  const parsed = parseValue(source);
  if (!parsed.ok) return { ok: false, offset: parsed.offset, message: `this is not JSON5: ${parsed.message}` };
  try {
    return { ok: true, root: build(parsed.value, { text: source, before: parsed.before }) };
  } catch (error) {
    if (error instanceof NotJson5) return { ok: false, offset: error.offset, message: 'this is JavaScript, and not JSON5' };
    throw error;
  }
}

interface Source {
  readonly text: string;
  /** The difference between places in the tree and offsets in the text. */
  readonly before: number;
}

const NUMBER = /^(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|Infinity|NaN)$/i;

function build(node: SyntaxNode, source: Source): OpenNode {
  const [start, end] = placeOf(node, source);
  const raw = source.text.slice(start, end);
  switch (node.type) {
    case 'ObjectExpression':
      return buildObject(node, source);
    case 'ArrayExpression': {
      const built = newNode('array', start, end);
      for (const item of node['elements'] as readonly (SyntaxNode | null)[]) {
        if (item === null) throw new NotJson5(start);
        built.items.push(build(item, source));
      }
      return { ...built, duplicate: duplicateIn(built) };
    }
    case 'Literal': {
      const { value } = node;
      if (typeof value === 'string' && !/\\u\{/.test(raw)) return newNode('string', start, end, value);
      if (typeof value === 'boolean') return newNode('boolean', start, end, raw);
      if (value === null && raw === 'null') return newNode('null', start, end);
      if (typeof value === 'number' && NUMBER.test(raw)) return newNode('number', start, end, raw);
      throw new NotJson5(start);
    }
    case 'Identifier':
    case 'UnaryExpression':
      if (NUMBER.test(raw.replace(/^[+-]/, ''))) return newNode('number', start, end, raw);
      throw new NotJson5(start);
    default:
      throw new NotJson5(start);
  }
}

function buildObject(node: SyntaxNode, source: Source): OpenNode {
  const [start, end] = placeOf(node, source);
  const built = newNode('object', start, end);
  for (const property of node['properties'] as readonly SyntaxNode[]) {
    const key = property['key'] as SyntaxNode | undefined;
    const name = key?.type === 'Identifier' ? key['name'] : key?.['value'];
    const isPlain =
      property['kind'] === 'init' && ['computed', 'shorthand', 'method'].every((trait) => property[trait] === false);
    if (key === undefined || typeof name !== 'string' || !isPlain) throw new NotJson5(placeOf(property, source)[0]);
    const [keyStart, keyEnd] = placeOf(key, source);
    const member = { key: name, keyStart, keyEnd, comma: commaBehind(built.members, source) };
    built.members.push({ ...member, node: build(property['value'] as SyntaxNode, source) });
  }
  return { ...built, trailingComma: commaBehind(built.members, source), duplicate: duplicateIn(built) };
}

function placeOf({ start, end }: SyntaxNode, { before }: Source): readonly [number, number] {
  return [Number(start) - before, Number(end) - before];
}

/** The comma behind the last member, if there is one. */
function commaBehind(members: readonly JsonMember[], { text }: Source): number | undefined {
  const last = members.at(-1);
  if (last === undefined) return undefined;
  const comma = /(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*,/y;
  comma.lastIndex = last.node.end;
  return comma.test(text) ? comma.lastIndex - 1 : undefined;
}

function duplicateIn({ members, items }: JsonNode): string | undefined {
  const keys = new Set<string>();
  const own = members.find(({ key }) => keys.has(key) || !keys.add(key));
  return own?.key ?? [...items, ...members.map(({ node }) => node)].find(({ duplicate }) => duplicate !== undefined)?.duplicate;
}
