import { isBuiltin } from 'node:module';
import { importsOf, parseSource, resolveSpecifier } from './source.ts';

/** What a layer may import. A layer is a folder of `src`, or a file directly in it (without its extension). */
export interface LayerRule {
  /** Other layers; an entry with a slash is one file or folder in a layer. A layer may always import itself. */
  readonly layers: readonly string[];
  /** Node's built-in modules: all, none but these, or all but these (with what they contain: `node:fs` is also `node:fs/promises`). */
  readonly builtins: 'all' | { readonly only: readonly string[] } | { readonly except: readonly string[] };
  /** Files and folders that stay forbidden although `layers` names the layer they are in. */
  readonly never?: readonly string[];
}

export type LayerTable = Readonly<Record<string, LayerRule>>;

/** The layer of a file: `src/core/json.ts` is in `core`, `src/errors.ts` in `errors`. */
export function layerOf(file: string): string {
  const [, top = ''] = file.split('/');
  return top.replace(/\.ts$/, '');
}

/** Checks one file's imports against the table. Returns one sentence for each broken rule. */
export function findForbiddenImports(table: LayerTable, file: string, text: string): string[] {
  const layer = layerOf(file);
  const rule = table[layer];
  if (rule === undefined) return [`${file} is in the unknown layer ${layer}`];
  return importsOf(parseSource(text))
    .filter(({ specifier }) => !isAllowed(rule, layer, file, specifier))
    .map(({ specifier }) => `${file} imports ${specifier}`);
}

function isAllowed(rule: LayerRule, layer: string, file: string, specifier: string): boolean {
  if (specifier === '<computed>') return false;
  if (isBuiltin(specifier)) return isBuiltinAllowed(rule, specifier);
  if (!specifier.startsWith('.')) return true; // packages have a test of their own
  const target = resolveSpecifier(file, specifier);
  if (!target.startsWith('src/')) return target === 'package.json';
  const path = target.slice('src/'.length);
  if (rule.never?.some((entry) => isInside(path, entry))) return false;
  return layerOf(target) === layer || rule.layers.some((entry) => isInside(path, entry));
}

function isBuiltinAllowed({ builtins }: LayerRule, specifier: string): boolean {
  if (builtins === 'all') return true;
  const isNamed = (names: readonly string[]): boolean => names.some((name) => `${specifier}/`.startsWith(`${name}/`));
  return 'only' in builtins ? isNamed(builtins.only) : !isNamed(builtins.except);
}

function isInside(path: string, entry: string): boolean {
  return path === `${entry}.ts` || path.startsWith(`${entry}/`);
}

/** The relative imports of each file, as edges of a graph of project paths. */
export function importGraph(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const [file, text] of files) {
    const relative = importsOf(parseSource(text)).filter(({ specifier }) => specifier.startsWith('.'));
    graph.set(
      file,
      relative.map(({ specifier }) => resolveSpecifier(file, specifier)),
    );
  }
  return graph;
}

/** Finds one cycle and returns it as a path that ends where it began; undefined where there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (done.has(file)) return undefined;
    path.push(file);
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
