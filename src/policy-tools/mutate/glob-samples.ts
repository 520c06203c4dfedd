import { tokenizeGlob, type GlobToken } from '../../core/patterns/glob-automaton.ts';
import { compileGlob } from '../../core/patterns/glob.ts';

/** More are not tried; that many have three wildcards in every reading. */
const MOST = 256;

/** Texts that a glob matches, in which each wildcard stands for something, for several segments and for nothing. */
export function globSamples(pattern: string): readonly string[] {
  const tokens = tokenizeGlob(pattern);
  let samples = [''];
  for (const [index, token] of tokens.entries()) {
    const options = optionsFor(token, { isFirst: index === 0, next: tokens[index + 1] });
    // The first option of each reads best; it stands alone if there are too many.
    const used = samples.length * options.length > MOST ? options.slice(0, 1) : options;
    samples = samples.flatMap((before) => used.map((option) => before + option));
  }
  return samples.filter((sample) => sample !== '');
}

/** A text that one of these globs matches and none of those; undefined if none of the samples is one. */
export function findWitness(of: readonly string[], notOf: readonly string[]): string | undefined {
  const others = new Set(notOf);
  const globs = notOf.map((pattern) => compileGlob(pattern));
  for (const pattern of of) {
    if (others.has(pattern)) continue;
    const found = globSamples(pattern).find((sample) => !globs.some((glob) => glob.matches(sample)));
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Around {
  readonly isFirst: boolean;
  readonly next: GlobToken | undefined;
}

function optionsFor(token: GlobToken, { isFirst, next }: Around): readonly string[] {
  if (token.kind === 'text') return [token.text];
  if (token.kind === 'one') return ['x'];
  if (token.kind === 'star') return ['some', ''];
  // A `**` in front of a slash is the folders on the way, from the root.
  const isFolder = isFirst && next?.kind === 'text' && next.text.startsWith('/');
  return isFolder ? ['/some/folder', '/some', ''] : ['some', 'some/more', ''];
}
