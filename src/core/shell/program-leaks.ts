import type { ProgramValues } from './program-values.ts';
import { keyOf } from './program-values.ts';
import { nameOf, partOf, type PlacedNode, type SyntaxNode } from './syntax.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Names that programs have besides their tools, and that lead neither to these nor to other code. */
const HARMLESS = words(
  'ALL_TOOLS clearTimeout exit forward_output image load notify setTimeout store text yield_control ' +
    'Array Boolean Date Error Infinity JSON Map Math NaN Number Promise RangeError RegExp Set String SyntaxError TypeError console undefined ' +
    'decodeURIComponent encodeURIComponent isFinite isNaN parseFloat parseInt',
);
const HARMLESS_OF_OBJECT = words('assign entries freeze fromEntries groupBy hasOwn is keys values');

/** Names by which a program reaches all others, or runs a text. A declaration of the same name may not be the one that counts. */
const REACHING = words('Function Object Proxy Reflect ShadowRealm eval global globalThis self top window');

/** Members that lead from any value to such a name, or change what other values have. */
const LEADING = words(
  '__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ arguments callee caller captureStackTrace constructor defineProperties ' +
    'defineProperty getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getPrototypeOf prepareStackTrace prototype setPrototypeOf toJSON',
);

/** Pieces that do so by themselves. */
const LEADING_NODES = /^(?:Class|Decorator|Export|Import|MetaProperty|Super|ThisExpression|WithStatement)/;

/** Members that every object has. */
const OF_ANY_OBJECT = words('hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf');

/**
 * Tells whether a program may reach its tools through this piece in a way that is not read.
 *
 * @param isRead tells of an identifier whether the use of the tools there has been read
 */
export function mayLeak(
  { node, parent, part }: PlacedNode,
  values: ProgramValues,
  { object, isRead }: { readonly object: string; readonly isRead: (node: SyntaxNode) => boolean },
): boolean {
  if (LEADING_NODES.test(node.type)) return true;
  // Without modules, `<!--` begins a comment.
  if (node.type === 'UnaryExpression' && node['operator'] === '!' && partOf(node, 'argument')?.type === 'UpdateExpression')
    return true;
  if (node.type === 'MemberExpression') return leadsByMember(node, values);
  if (node.type === 'Property') return leadsByProperty(node, parent, values);
  const name = nameOf(node);
  if (name === undefined || isLabel(parent, part)) return false;
  if (name === object) return !isRead(node);
  if (name === 'Object')
    return !HARMLESS_OF_OBJECT.has(parent?.type === 'MemberExpression' ? (memberName(parent, values) ?? '') : '');
  return REACHING.has(name) || !(values.declared.has(name) || HARMLESS.has(name));
}

/** The name of the member that is read, if it is known and is not one that every object has. */
export function memberName(node: SyntaxNode, values: ProgramValues): string | undefined {
  const property = partOf(node, 'property');
  const name = node['computed'] === true ? values.read(property) : nameOf(property);
  return typeof name !== 'string' || LEADING.has(name) || OF_ANY_OBJECT.has(name) ? undefined : name;
}

function leadsByMember(node: SyntaxNode, values: ProgramValues): boolean {
  const property = partOf(node, 'property');
  if (node['computed'] !== true) return LEADING.has(nameOf(property) ?? '');
  const name = values.read(property);
  return typeof name === 'string' ? LEADING.has(name) : typeof name !== 'number' && !values.isNumber(property);
}

function leadsByProperty(node: SyntaxNode, parent: SyntaxNode | undefined, values: ProgramValues): boolean {
  const name = node['computed'] === true ? values.read(partOf(node, 'key')) : keyOf(node);
  return name === undefined ? parent?.type === 'ObjectPattern' : LEADING.has(String(name));
}

/** Tells whether an identifier is the name of a member or a label, and stands for no value. */
function isLabel(parent: SyntaxNode | undefined, part: string): boolean {
  if (parent === undefined) return false;
  if (part === 'property' || part === 'key') return parent['computed'] !== true;
  return part === 'label';
}
