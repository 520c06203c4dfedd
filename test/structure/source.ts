import { readFileSync, readdirSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export const ROOT = resolve(import.meta.dirname, '..', '..');

/** A syntax node as the parser gives it (ESTree with TypeScript nodes), read by property name. */
export interface SyntaxNode {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** What one file imports. */
export interface ImportEdge {
  /** As written; `<computed>` where it is an expression. */
  readonly specifier: string;
  /** The imported names; `*` for the whole module or an unknown part. */
  readonly names: readonly string[];
  /** True where nothing is left of it at run time. */
  readonly isTypeOnly: boolean;
}

/** Lists files under a folder of the project, as sorted POSIX paths from the project's root. */
export function listFiles(folder: string, ...extensions: readonly string[]): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (extensions.length === 0 || extensions.some((each) => entry.name.endsWith(each))))
    .map((entry) => posix.join(toPosix(entry.parentPath.slice(ROOT.length + 1)), entry.name))
    .toSorted();
}

/** Reads a file of the project. */
export function readSource(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Parses TypeScript source, with or without JSX; throws on a syntax error. */
export function parseSource(text: string): SyntaxNode {
  const lang = JSX.test(text) ? 'tsx' : 'ts';
  return parseAst(text, { lang }) as unknown as SyntaxNode;
}

/** An element that closes: types have no such thing. */
const JSX = /<\/[\w.]*>|<\w[^<>]*\/>/;

/** Every import of a program: static, `import type`, `export … from`, `import()` and the type `import('…')`. */
export function importsOf(program: SyntaxNode): ImportEdge[] {
  const edges: ImportEdge[] = [];
  walk(program, (node) => {
    if (!IMPORTING.has(node.type)) return;
    const source = asNode(node['source']) ?? asNode(node['argument']);
    if (source === undefined) return; // `export { x }` without `from`
    const literal = asNode(source['literal']) ?? source;
    const specifier = literal['value'];
    // A computed specifier cannot be checked, so it is reported as one that no rule allows.
    const isTypeOnly = node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type';
    edges.push({ specifier: typeof specifier === 'string' ? specifier : '<computed>', names: importedNames(node), isTypeOnly });
  });
  return edges;
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
  'TSExternalModuleReference',
]);

function importedNames(node: SyntaxNode): string[] {
  const specifiers = node['specifiers'];
  if (!Array.isArray(specifiers)) return ['*'];
  return specifiers.map((specifier: SyntaxNode) => {
    const name = asNode(specifier['imported']) ?? asNode(specifier['local']);
    return specifier.type === 'ImportSpecifier' || specifier.type === 'ExportSpecifier' ? String(name?.['name']) : '*';
  });
}

/** Calls `visit` for every node below and including `node`, with the node it hangs on and the property that holds it. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxNode | undefined, property: string) => void,
  parent?: SyntaxNode,
  property = '',
): void {
  visit(node, parent, property);
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      const childNode = asNode(child);
      if (childNode !== undefined) walk(childNode, visit, node, key);
    }
  }
}

/** The value as a syntax node, or undefined where it is none. */
export function asNode(value: unknown): SyntaxNode | undefined {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
    ? (value as SyntaxNode)
    : undefined;
}

/** Resolves a relative specifier against the importing file, as a path from the project's root. */
export function resolveSpecifier(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier);
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/');
}
