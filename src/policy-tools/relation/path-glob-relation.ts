import { foldPath, normalizeSegments, toSlashes } from '../../core/paths/absolute-path.ts';
import { areGlobsDisjoint, globOf, includesGlob } from './glob-language.ts';

/**
 * Assumption about the folders that patterns name. `any`: each may be a link to elsewhere, and then a pattern is about that place too,
 * which a wider one need not be. `none`: no folder is a link, so the written pattern says all.
 */
export type Links = 'any' | 'none';

/** Tells whether `outer` matches whatever the path-like glob `inner` does, in the same form, on every platform. */
export function includesPathGlob(outer: string, inner: string, links: Links): boolean {
  if (outer === inner) return true;
  if (!includesGlob(outer, inner) || !isPlain(outer) || !isPlain(inner)) return false;
  return variantsOf(outer, inner).every(([a, b]) => includesGlob(a, b) && includesPlaces(a, b, links));
}

/** Compares the patterns once they are absolute, and once the real paths of their folders stand in front. */
function includesPlaces(outer: string, inner: string, links: Links): boolean {
  if (isAnywhere(outer)) return isAnywhere(inner) || includesGlob(outer, `**${splitPattern(inner).rest}`);
  if (isAnywhere(inner)) return false;
  const [a, b] = [splitPattern(outer), splitPattern(inner)];
  if (a.rest !== '' && b.rest !== '' && a.head === b.head) return includesGlob(a.rest, b.rest);
  return links === 'none' && rootOf(outer) === rootOf(inner) && isTidy(outer) && isTidy(inner);
}

/** Tells whether no path is certain to match both. True only for patterns that begin at the root. */
export function arePathGlobsDisjoint(first: string, second: string): boolean {
  if (![first, second].every((pattern) => pattern.startsWith('/') && isPlain(pattern) && isTidy(pattern))) return false;
  return variantsOf(first, second).every(([a, b]) => areGlobsDisjoint(a, b));
}

/** Tells whether a path-like glob matches this very text on every platform, whatever else the text may be read as. */
export function pathGlobMatches(pattern: string, text: string): boolean {
  if (text.includes('\0') || !isNameSafe(pattern)) return false;
  return variantsOf(pattern, text).every(([glob, value]) => globOf(glob).matches(value));
}

/** Tells whether `outer` includes `inner` as the glob of an ending. No other path-like glob matches texts as they are. */
export function endingIncludes(outer: string, inner: string): boolean {
  return /^\*\*[^*?/]+$/.test(outer) && isNameSafe(outer) && includesGlob(outer, inner);
}

/** Tells whether a pattern matches itself in keys and numbers, which are not folded: it has a slash, or is ASCII without capitals. */
function isNameSafe(pattern: string): boolean {
  return pattern.includes('/') || /^[!-@[-~]*$/.test(pattern);
}

/** Patterns with a part that some platform reads otherwise than it is written. */
const ODD = /\\|^file:(?!\/\/\/)|^file:.*[%#]|^[a-z]:/i;

function isPlain(pattern: string): boolean {
  return !ODD.test(pattern);
}

function isAnywhere(pattern: string): boolean {
  return pattern.startsWith('**');
}

/** Splits a pattern at the last `/` before its first wildcard, as `path-pattern.ts` does. */
function splitPattern(pattern: string): { readonly head: string; readonly rest: string } {
  const wildcard = pattern.search(/[*?]/);
  if (wildcard === -1) return { head: pattern, rest: '' };
  const slash = pattern.lastIndexOf('/', wildcard);
  return {
    head: slash === -1 ? '.' : pattern.slice(0, slash + 1),
    rest: `/${normalizeSegments(`/${pattern.slice(slash + 1)}`)}`,
  };
}

/** The place from which a pattern is made absolute. */
function rootOf(pattern: string): string {
  return /^(?:file:\/\/|[a-z][a-z0-9+.-]*:\/\/(?=[^/*?]+\/)|~(?=\/)|\.(?=\/)|(?=\/))/i.exec(pattern)?.[0].toLowerCase() ?? 'cwd';
}

/** Tells whether making a pattern absolute removes nothing from it. */
function isTidy(pattern: string): boolean {
  const path = pattern.replace(/^(?:file:\/\/|[a-z][a-z0-9+.-]*:\/\/|~|\.(?=\/))/i, '');
  return !path
    .split('/')
    .slice(1)
    .some((segment) => segment === '' || segment === '.' || segment === '..');
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7F]*$/;

/** A pattern and a text or another pattern, as each platform folds them. ASCII folds letter by letter, which adds nothing. */
function variantsOf(first: string, second: string): readonly (readonly [string, string])[] {
  const asWritten = [first, second] as const;
  if (ASCII.test(first) && ASCII.test(second) && !first.includes('\\')) return [asWritten];
  const onMac = [foldPath(first, 'macos'), foldPath(second, 'macos')] as const;
  return [asWritten, onMac, [foldPath(toSlashes(first), 'windows'), foldPath(toSlashes(second), 'windows')]];
}
