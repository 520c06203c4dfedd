import { readTomlLayout, type TextPlace, type TomlLayout } from './toml-layout.ts';
import type { PolicyPath } from './types.ts';

export type { TextPlace } from './toml-layout.ts';

/**
 * Finds the place of a path in a policy's text: the key or list element itself, or else the nearest table around it (a missing one has no
 * place of its own). A table with several headers is at the first of them. The text must be TOML; if this parser disagrees, the place is
 * the beginning.
 */
export function locate(text: string, path: PolicyPath): TextPlace {
  return createLocator(readTomlLayout(text)).nearest(path);
}

/** Finds places in one text. */
export interface Locator {
  /** Works like `locate`. */
  nearest(path: PolicyPath): TextPlace;
  /** Undefined if it is not written. */
  exact(path: PolicyPath): TextPlace | undefined;
}

/** Creates a locator for many paths of one text. */
export function createLocator({ places }: Pick<TomlLayout, 'places'>): Locator {
  const firsts = new Map<string, TextPlace>();
  for (const { path, line, column } of places) {
    const key = JSON.stringify(path);
    if (!firsts.has(key)) firsts.set(key, { line, column });
  }
  const exact = (path: PolicyPath): TextPlace | undefined => firsts.get(JSON.stringify(path));
  return {
    exact,
    nearest(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const place = exact(path.slice(0, length));
        if (place !== undefined) return place;
      }
      return { line: 1, column: 1 };
    },
  };
}

/**
 * The index where a rule begins in a policy's text: its `[[rule]]`, or the first of the comment lines right above it, which belong to it.
 * Undefined without such a header: there are fewer rules, or they are written as one list.
 */
export function findRuleStart(text: string, index: number): number | undefined {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const body = text.slice(bom);
  const { headers, comments } = readTomlLayout(body);
  const header = headers.find(({ path, isArray }) => isArray && path.length === 2 && path[0] === 'rule' && path[1] === index);
  if (header === undefined) return undefined;
  return startWithComments(body, header.start, new Set(comments.map(({ start }) => start))) + bom;
}

/** The beginning of the line at an index, with the comment lines right above it. */
export function startWithComments(body: string, at: number, comments: ReadonlySet<number>): number {
  let start = lineStart(body, at);
  while (start > 0) {
    const above = lineStart(body, start - 1);
    const indent = /^[ \t]*/.exec(body.slice(above, start))?.[0].length ?? 0;
    // A line that looks like a comment may belong to a multi-line text.
    if (!comments.has(above + indent)) break;
    start = above;
  }
  return start;
}

/** The end of the line that an index is in, of the comment lines right below it, and of the blank lines below those. */
export function endWithComments(body: string, at: number, comments: ReadonlySet<number>): number {
  let end = lineEnd(body, at);
  while (end < body.length && comments.has(end + indentOf(body, end))) end = lineEnd(body, end);
  while (end < body.length && body.slice(end, lineEnd(body, end)).trim() === '') end = lineEnd(body, end);
  return end;
}

function indentOf(body: string, at: number): number {
  return /^[ \t]*/.exec(body.slice(at, lineEnd(body, at)))?.[0].length ?? 0;
}

/** The index behind the line that an index is in. */
function lineEnd(body: string, at: number): number {
  const found = body.indexOf('\n', at);
  return found === -1 ? body.length : found + 1;
}

/** The beginning of the line that an index is in. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
