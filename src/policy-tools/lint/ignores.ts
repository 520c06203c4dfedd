import { endWithComments, lineStart, startWithComments } from '../../core/policy/locate.ts';
import type { TomlHeader, TomlLayout } from '../../core/policy/toml-layout.ts';

/** A comment `lint-ignore ID[, ID]: REASON`. */
export interface Ignore {
  readonly ids: readonly string[];
  readonly reason: string;
  readonly line: number;
  readonly column: number;
  /** The line that it is about, besides its rule: its own, or the next that is no comment. */
  readonly about: number;
  /** Index of the rule that it stands in, or right above. */
  readonly rule: number | undefined;
  /** The range to remove, in the text behind its BOM. */
  readonly start: number;
  readonly end: number;
}

/** The extent of a rule with the comments that touch it and the blank lines below; offsets into the text behind its BOM. */
export interface RuleExtent {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

const IGNORE = /^\s*lint-ignore\b[ \t]*([^:]*)(?::(.*))?$/;

/** Finds the extent of each rule that has a header of its own. A rule that is cut by another table has none. */
export function ruleExtents(body: string, { headers, comments }: TomlLayout): readonly RuleExtent[] {
  const starts = new Set(comments.map(({ start }) => start));
  const extents: RuleExtent[] = [];
  for (const [at, { path, isArray, start, end: ownEnd }] of headers.entries()) {
    const [first, index, ...others] = path;
    if (first !== 'rule' || !isArray || typeof index !== 'number' || others.length > 0) continue;
    const following = headers.slice(at + 1);
    const isOwn = (header: TomlHeader): boolean => header.path[0] === 'rule' && header.path[1] === index;
    const count = following.findIndex((header) => !isOwn(header));
    const own = count === -1 ? following : following.slice(0, count);
    const next = following[own.length];
    const most = next === undefined ? body.length : startWithComments(body, next.start, starts);
    // Comments further down by themselves, a heading or a rule that is commented out, are not this rule's.
    const end = Math.min(endWithComments(body, own.at(-1)?.end ?? ownEnd, starts), most);
    extents.push({ index, start: startWithComments(body, start, starts), end });
  }
  return extents;
}

export function readIgnores(body: string, layout: TomlLayout, extents: readonly RuleExtent[]): readonly Ignore[] {
  const lines = body.split('\n');
  const commentLines = new Set(layout.comments.filter(({ start }) => isAlone(body, start)).map(({ line }) => line));
  return layout.comments.flatMap((comment): Ignore[] => {
    const match = IGNORE.exec(comment.text);
    if (match === null) return [];
    const [, ids = '', reason = ''] = match;
    let about = comment.line;
    while (commentLines.has(about) && about < lines.length) about += 1;
    const isOwn = isAlone(body, comment.start);
    const lineEnd = body.indexOf('\n', comment.end);
    const before = /[ \t]*$/.exec(body.slice(lineStart(body, comment.start), comment.start))?.[0].length ?? 0;
    return [
      {
        ids: ids.split(/[\s,]+/).filter((id) => id !== ''),
        reason: reason.trim(),
        line: comment.line,
        column: comment.column,
        about,
        rule: extents.find(({ start, end }) => comment.start >= start && comment.start < end)?.index,
        start: isOwn ? lineStart(body, comment.start) : comment.start - before,
        end: isOwn && lineEnd !== -1 ? lineEnd + 1 : comment.end,
      },
    ];
  });
}

/** Tells whether nothing is in front of it on its line. */
function isAlone(body: string, at: number): boolean {
  return body.slice(lineStart(body, at), at).trim() === '';
}
