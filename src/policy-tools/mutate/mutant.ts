import type { Policy } from '../../core/policy/tables.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import { tokenizeGlob, type GlobToken } from '../../core/patterns/glob-automaton.ts';
import { compileGlob } from '../../core/patterns/glob.ts';

/** Two lists of globs in the same place of a rule: what was written, and what a mutant has instead. */
export interface GlobLists {
  /** The rule, as a sentence names it. */
  readonly rule: string;
  /** True if they are in its `unless`. */
  readonly isException: boolean;
  /** The field in words of the policy: `tool`, `args.path`. */
  readonly field: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** True if path-like globs are compared with every form of a value; those of names are plain. */
  readonly readsPaths: boolean;
}

/** A change of a policy, before it has an id. */
export interface Change {
  /** The place of the change in the policy; the nearest thing around it if it has no place of its own. */
  readonly path: PolicyPath;
  /** The change in words, as in `tool without "bash"`. */
  readonly what: string;
  /** The fixture that would notice it, as in `a call that "keys" decides`. */
  readonly need: string;
  readonly policy: Policy;
  /** The place of the only rule that is another one; absent if it is something else. */
  readonly rule?: number;
  /** The place of the first of two neighbours that stand the other way round. */
  readonly swapped?: number;
  /** Set if the rule is gone. */
  readonly isDropped?: true;
  /** Set if only globs were changed. */
  readonly globs?: GlobLists;
}

/** A policy that differs from the one that is tested in one thing. */
export interface Mutant extends Change {
  /** `kind:path:number`; the same each time for the same policy. */
  readonly id: string;
  readonly kind: string;
}

/** One way of changing a policy: everything that can be changed so. */
export interface Mutation {
  /** Stable, for programs. */
  readonly kind: string;
  readonly changes: (policy: Policy) => readonly Change[];
}

/**
 * Describes a fixture that would notice a mutant. If only globs were changed, it has a text that one of the two matches and the other
 * does not.
 */
export function describeNeed({ need, globs }: Mutant): string {
  if (globs === undefined) return need;
  const { rule, field, isException, before, after } = globs;
  const lost = findWitness(before, after);
  const text = lost ?? findWitness(after, before);
  if (text === undefined) return need;
  // A rule leaves alone what its exception matches.
  const isDecided = (lost !== undefined) !== isException;
  // The text by itself may be outside of what the rule is about.
  const all = isException ? ` and all else that ${rule} asks,` : '';
  return `a call with ${field} such as ${JSON.stringify(text)}${all} that ${rule} ${isDecided ? 'decides' : 'leaves alone'}`;
}

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
