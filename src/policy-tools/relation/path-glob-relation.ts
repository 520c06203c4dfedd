import { normalizeSegments, toSlashes } from '../../core/paths/absolute-path.ts';
import { foldPath } from '../../core/paths/fold-path.ts';
import { areGlobsDisjoint, globOf, includesGlob } from './glob-language.ts';

/**
 * What is taken for true of folders that patterns name. `any`: each may be a link to elsewhere, and then a pattern is about that place
 * too, which a wider one need not be. `none`: no folder is a link, so what is written says all.
 */
export type Links = 'any' | 'none';

/** Is whatever the path-like glob `inner` matches, in any form, matched by `outer` in the same one? On every platform. */
export function includesPathGlob(outer: string, inner: string, links: Links): boolean {
  if (outer === inner) return true;
  if (!includesGlob(outer, inner) || !isPlain(outer) || !isPlain(inner)) return false;
  return variantsOf(outer, inner).every(([a, b]) => includesGlob(a, b) && includesPlaces(a, b, links));
}

/** The absolute patterns, and those with the real paths of their folders in front. */
function includesPlaces(outer: string, inner: string, links: Links): boolean {
  if (isAnywhere(outer)) return isAnywhere(inner) || includesGlob(outer, `**${splitPattern(inner).rest}`);
  if (isAnywhere(inner)) return false;
  const [a, b] = [splitPattern(outer), splitPattern(inner)];
  if (a.rest !== '' && b.rest !== '' && a.head === b.head) return includesGlob(a.rest, b.rest);
  return links === 'none' && rootOf(outer) === rootOf(inner) && isTidy(outer) && isTidy(inner);
}

/** Can no path be certain to match both? Told only of patterns that begin at the root. */
export function arePathGlobsDisjoint(first: string, second: string): boolean {
  if (![first, second].every((pattern) => pattern.startsWith('/') && isPlain(pattern) && isTidy(pattern))) return false;
  return variantsOf(first, second).every(([a, b]) => areGlobsDisjoint(a, b));
}

/** Is this very text among what a path-like glob matches, wherever it is read and whatever else it may be read as? */
export function pathGlobMatches(pattern: string, text: string): boolean {
  if (text.includes('\0') || !isNameSafe(pattern)) return false;
  return variantsOf(pattern, text).every(([glob, value]) => globOf(glob).matches(value));
}

/** The only path-like globs that can match all of a glob's texts as they are: those of an ending. */
export function endingIncludes(outer: string, inner: string): boolean {
  return /^\*\*[^*?/]+$/.test(outer) && isNameSafe(outer) && includesGlob(outer, inner);
}

/** Keys of arguments and numbers are compared without a look at how file names fold, so capitals there may not match themselves. */
function isNameSafe(pattern: string): boolean {
  return pattern.includes('/') || /^[!-@[-~]*$/.test(pattern);
}

/** With something in it that is read otherwise than it is written, on some platform. */
const ODD = /\\|^file:(?!\/\/\/)|^file:.*[%#]|^[a-z]:/i;

function isPlain(pattern: string): boolean {
  return !ODD.test(pattern);
}

function isAnywhere(pattern: string): boolean {
  return pattern.startsWith('**');
}

/** As in `path-pattern.ts`. */
function splitPattern(pattern: string): { readonly head: string; readonly rest: string } {
  const wildcard = pattern.search(/[*?]/);
  if (wildcard === -1) return { head: pattern, rest: '' };
  const slash = pattern.lastIndexOf('/', wildcard);
  return {
    head: slash === -1 ? '.' : pattern.slice(0, slash + 1),
    rest: `/${normalizeSegments(`/${pattern.slice(slash + 1)}`)}`,
  };
}

/** From where a pattern is made absolute: the same for two patterns with the same one. */
function rootOf(pattern: string): string {
  return /^(?:file:\/\/|[a-z][a-z0-9+.-]*:\/\/(?=[^/*?]+\/)|~(?=\/)|\.(?=\/)|(?=\/))/i.exec(pattern)?.[0].toLowerCase() ?? 'cwd';
}

/** Is nothing in it that making it absolute would remove? */
function isTidy(pattern: string): boolean {
  const path = pattern.replace(/^(?:file:\/\/|[a-z][a-z0-9+.-]*:\/\/|~|\.(?=\/))/i, '');
  return !path
    .split('/')
    .slice(1)
    .some((segment) => segment === '' || segment === '.' || segment === '..');
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7F]*$/;

/** A pattern and a text or another pattern, as each platform folds them; what is ASCII folds letter by letter, so that says nothing new. */
function variantsOf(first: string, second: string): readonly (readonly [string, string])[] {
  const asWritten = [first, second] as const;
  if (ASCII.test(first) && ASCII.test(second) && !first.includes('\\')) return [asWritten];
  const onMac = [foldPath(first, 'macos'), foldPath(second, 'macos')] as const;
  return [asWritten, onMac, [foldPath(toSlashes(first), 'windows'), foldPath(toSlashes(second), 'windows')]];
}
