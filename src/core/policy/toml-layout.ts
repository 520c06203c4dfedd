import { type AST, parseTomlSyntax } from './toml-syntax.ts';
import type { PolicyPath } from './types.ts';

/** 1-based, as editors count. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface PlacedPath extends TextPlace {
  readonly path: PolicyPath;
}

/** Offsets are into the text behind its BOM. */
export interface TomlComment extends TextPlace {
  /** Without the `#`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A header, `[a.b]` or `[[rule]]`, with its place among its like. */
export interface TomlHeader {
  readonly path: PolicyPath;
  readonly isArray: boolean;
  readonly start: number;
  /** Behind the last value below it; comments behind that belong to no table. */
  readonly end: number;
}

/** Where the parts of a TOML text stand. */
export interface TomlLayout {
  /** Keys, elements of lists and tables, in the order of the text. */
  readonly places: readonly PlacedPath[];
  readonly comments: readonly TomlComment[];
  readonly headers: readonly TomlHeader[];
}

const EMPTY: TomlLayout = { places: [], comments: [], headers: [] };

/** Reads where things stand. Empty where the text is no TOML to this parser: two of them rarely disagree, and nothing may be lost for it. */
export function readTomlLayout(text: string): TomlLayout {
  const program = parseTomlSyntax(text.replace(/^\uFEFF/, ''));
  // What is said about the text is worth more than its place.
  if (program === undefined) return EMPTY;
  const places: PlacedPath[] = [];
  const headers: TomlHeader[] = [];
  for (const node of program.body[0].body) {
    if (node.type !== 'TOMLTable') {
      addPair(node, [], places);
      continue;
    }
    headers.push({ path: node.resolvedKey, isArray: node.kind === 'array', start: node.range[0], end: node.range[1] });
    // `[[rules]]` is where both `rules` and its first table are written, and `[rule.args]` alone is where `rule` is.
    for (const end of node.resolvedKey.keys()) places.push(placeOf(node, node.resolvedKey.slice(0, end + 1)));
    for (const pair of node.body) addPair(pair, node.resolvedKey, places);
  }
  const comments = program.comments.map(({ value, range, loc }): TomlComment => ({
    text: value,
    start: range[0],
    end: range[1],
    line: loc.start.line,
    column: loc.start.column + 1,
  }));
  return { places, headers, comments };
}

function addPair(pair: AST.TOMLKeyValue, parent: PolicyPath, places: PlacedPath[]): void {
  let path = parent;
  for (const key of pair.key.keys) {
    path = [...path, key.type === 'TOMLBare' ? key.name : key.value];
    places.push(placeOf(key, path));
  }
  addValue(pair.value, path, places);
}

function addValue(value: AST.TOMLContentNode, path: PolicyPath, places: PlacedPath[]): void {
  if (value.type === 'TOMLInlineTable') for (const pair of value.body) addPair(pair, path, places);
  if (value.type !== 'TOMLArray') return;
  for (const [index, element] of value.elements.entries()) {
    places.push(placeOf(element, [...path, index]));
    addValue(element, [...path, index], places);
  }
}

function placeOf({ loc }: AST.HasLocs, path: PolicyPath): PlacedPath {
  return { path, line: loc.start.line, column: loc.start.column + 1 };
}
