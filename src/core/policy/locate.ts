import { parseTOML, type AST } from 'toml-eslint-parser';

import type { PolicyPath } from './types.ts';

/** 1-based, as editors count. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

interface PlacedPath extends TextPlace {
  readonly path: PolicyPath;
}

/**
 * Finds where in a policy's text a path is written: the key or list element itself, else the nearest table around it
 * (what is missing has no place of its own). What several headers make up is where the first of them is. The text must be TOML; where the parser disagrees the place is the beginning.
 */
export function locate(text: string, path: PolicyPath): TextPlace {
  return nearestIn(placesIn(text), path);
}

/** The same for several paths, for which the text is parsed once. */
export function locateAll(text: string, paths: readonly PolicyPath[]): readonly TextPlace[] {
  const places = placesIn(text);
  return paths.map((path) => nearestIn(places, path));
}

function nearestIn(places: readonly PlacedPath[], path: PolicyPath): TextPlace {
  let nearest: PlacedPath = { path: [], line: 1, column: 1 };
  for (const placed of places) {
    if (placed.path.length > nearest.path.length && placed.path.every((part, index) => part === path[index])) nearest = placed;
  }
  return { line: nearest.line, column: nearest.column };
}

function placesIn(text: string): PlacedPath[] {
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(text.replace(/^\uFEFF/, ''), { tomlVersion: 'latest' });
  } catch {
    // Two parsers rarely disagree; the message is worth more than its place, so it must not be lost for it.
    return [];
  }
  const places: PlacedPath[] = [];
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLTable') {
      // `[[rules]]` is where both `rules` and its first table are written, and `[rule.args]` alone is where `rule` is.
      for (const end of node.resolvedKey.keys()) places.push(placeOf(node, node.resolvedKey.slice(0, end + 1)));
      for (const pair of node.body) addPair(pair, node.resolvedKey, places);
    } else addPair(node, [], places);
  }
  return places;
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
 * Where a rule begins in a policy's text, as an index: its `[[rule]]`, or the first of the comment lines right above it, which belong to
 * it. Undefined where there is no such header: there are fewer rules, or they are written as one list.
 */
export function findRuleStart(text: string, index: number): number | undefined {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const body = text.slice(bom);
  const program = parseTOML(body, { tomlVersion: 'latest' });
  const header = program.body[0].body.find((node) => isRuleHeader(node, index));
  if (header === undefined) return undefined;
  // What looks like a comment may be within a text of several lines.
  const comments = new Set(program.comments.map(({ range }) => range[0]));
  let start = lineStart(body, header.range[0]);
  while (start > 0) {
    const above = lineStart(body, start - 1);
    const indent = /^[ \t]*/.exec(body.slice(above, start))?.[0].length ?? 0;
    if (!comments.has(above + indent)) break;
    start = above;
  }
  return start + bom;
}

function isRuleHeader(node: AST.TOMLTopLevelTable['body'][number], index: number): boolean {
  if (node.type !== 'TOMLTable' || node.kind !== 'array') return false;
  const [first, second, ...others] = node.resolvedKey;
  return first === 'rule' && second === index && others.length === 0;
}

/** The beginning of the line that an index is in. */
function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
