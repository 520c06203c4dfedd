import { type AST, parseTOML } from 'toml-eslint-parser';
import type { PolicyPath } from './types.ts';

/** Matches texts and comments, which may contain a header without being one, headers of rules, and line ends. */
const PARTS = /"""(?:\\[\s\S]|[^\\])*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|\[\[[ \t]*rule[ \t]*\]\]|\n/g;

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
  /** The index behind the last value below it; comments behind that belong to no table. */
  readonly end: number;
}

/** The places of a TOML text's parts. */
export interface TomlLayout {
  /** Keys, elements of lists and tables, in the order of the text. */
  readonly places: readonly PlacedPath[];
  readonly comments: readonly TomlComment[];
  readonly headers: readonly TomlHeader[];
}

const EMPTY: TomlLayout = { places: [], comments: [], headers: [] };

export type { AST } from 'toml-eslint-parser';

/**
 * Parses a TOML text to its syntax tree, with the place of everything in it, including comments. A BOM in front is not part of it.
 * Undefined if the parser refuses it: another parser decides what a policy means, and the two rarely disagree.
 */
export function parseTomlSyntax(text: string): AST.TOMLProgram | undefined {
  try {
    return parseTOML(text, { tomlVersion: 'latest' });
  } catch {
    // The parser's only way to report that the text is not TOML.
    return undefined;
  }
}

/**
 * Reads the places of a text's parts. Empty if this parser refuses the text: the two parsers rarely disagree, and nothing may be lost
 * because of it.
 */
export function readTomlLayout(text: string): TomlLayout {
  const program = parseTomlSyntax(text.replace(/^\uFEFF/, ''));
  // A message about the text is worth more than its place.
  if (program === undefined) return EMPTY;
  const places: PlacedPath[] = [];
  const headers: TomlHeader[] = [];
  for (const node of program.body[0].body) {
    if (node.type !== 'TOMLTable') {
      addPair(node, [], places);
      continue;
    }
    headers.push({ path: node.resolvedKey, isArray: node.kind === 'array', start: node.range[0], end: node.range[1] });
    // `[[rules]]` is the place of both `rules` and its first table, and `[rule.args]` alone is that of `rule`.
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

/**
 * The line, from 1, of each `[[rule]]` in a policy's text, which must be TOML; takes a fraction of the time of parsing it with places.
 * Headers in other forms are not found; a caller that knows their number notices.
 */
export function findRuleHeaders(text: string): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  for (const [part] of text.matchAll(PARTS)) {
    if (part.startsWith('[')) lines.push(line);
    else if (!part.startsWith('#')) line += countLines(part);
  }
  return lines;
}

function countLines(part: string): number {
  let count = 0;
  for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) count += 1;
  return count;
}
