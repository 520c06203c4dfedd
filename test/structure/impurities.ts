import { asNode, importsOf, parseSource, walk, type SyntaxNode } from './source.ts';

/** Globals that reach outside of a function's arguments. */
const IMPURE_GLOBALS = new Set([
  'process',
  'console',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'performance',
  'fetch',
  'globalThis',
  'global',
  'require',
  'crypto',
]);

/** Of node:crypto, only what gives the same answer for the same input. */
const PURE_CRYPTO = new Set(['createHash', 'hash', 'timingSafeEqual']);

const MEMBERS_READ_FROM_OUTSIDE = new Set(['Date.now', 'Math.random', 'import.meta']);

/**
 * Says what in a source text is not pure: reads of the clock, randomness, the environment, output, timers, and waiting.
 * Returns one description for each use, in source order; names in comments, strings, types and properties don't count.
 */
export function findImpurities(text: string): string[] {
  const program = parseSource(text);
  const found: string[] = [];
  walk(program, (node, parent, property) => {
    const impurity = impurityOf(node, parent, property);
    if (impurity !== undefined) found.push(impurity);
  });
  for (const { specifier, names } of importsOf(program)) {
    if (specifier !== 'node:crypto') continue;
    for (const name of names) if (!PURE_CRYPTO.has(name)) found.push(`node:crypto ${name}`);
  }
  return found;
}

function impurityOf(node: SyntaxNode, parent: SyntaxNode | undefined, property: string): string | undefined {
  switch (node.type) {
    case 'AwaitExpression':
      return 'await';
    case 'ForOfStatement':
      return node['await'] === true ? 'for await' : undefined;
    case 'ImportExpression':
      return 'import()';
    case 'NewExpression':
      return nameOf(node['callee']) === 'Date' && (node['arguments'] as unknown[]).length === 0 ? 'new Date()' : undefined;
    case 'CallExpression':
      return nameOf(node['callee']) === 'Date' ? 'Date()' : undefined;
    case 'MetaProperty':
      return 'import.meta';
    case 'MemberExpression': {
      const member = `${nameOf(node['object'])}.${nameOf(node['property'])}`;
      return MEMBERS_READ_FROM_OUTSIDE.has(member) ? member : undefined;
    }
    case 'Identifier': {
      const name = String(node['name']);
      return IMPURE_GLOBALS.has(name) && isReference(parent, property) ? name : undefined;
    }
    default:
      return undefined;
  }
}

/** False for `x.process`, `{ process: 1 }`, a method's name and names in types. A shorthand `{ process }` holds a reference as its value. */
function isReference(parent: SyntaxNode | undefined, property: string): boolean {
  if (parent === undefined) return true;
  if (parent.type.startsWith('TS') && !TYPED_EXPRESSIONS.has(parent.type)) return false;
  if (parent['computed'] === true) return true;
  return !(property === 'key' || (parent.type === 'MemberExpression' && property === 'property'));
}

const TYPED_EXPRESSIONS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

function nameOf(value: unknown): string {
  return String(asNode(value)?.['name'] ?? asNode(value)?.['value']);
}
