import { compileGlob } from '../../core/patterns/glob.ts';
import { tokenizeGlob, type GlobToken } from '../../core/patterns/glob-automaton.ts';
import { remember } from '../../core/remember.ts';

/** The texts that a glob matches, or one text by itself. */
export type Language = readonly GlobToken[];

/** Steps of a search; globs as people write them take some hundreds. */
const MOST_STEPS = 200_000;

/** Steps of all searches about one policy: a second or so. */
const MOST_STEPS_IN_ALL = 2_000_000;

/** Steps charged for the quick comparison, which tells most globs apart. */
const STEPS_OF_A_LOOK = 2;

let stepsLeft = MOST_STEPS_IN_ALL;

/** Resets the step budget before a policy is examined, so that results do not depend on earlier searches. */
export function refillSteps(): void {
  stepsLeft = MOST_STEPS_IN_ALL;
}

/** Globs to cache: rules are compared with each other, so each of their globs comes up many times. */
const MOST_KNOWN = 4096;

const SLASH = 47;

export function toLanguage(pattern: string): Language {
  return tokenizeGlob(pattern);
}

/** The language of one text, in which stars are stars. */
export function toTextLanguage(text: string): Language {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/** Tells whether `outer` matches every text that `inner` does. False if that takes too long to tell. */
export function includesGlob(outer: string, inner: string): boolean {
  if (outer === inner || outer === '**') return true;
  if (stepsLeft <= 0 && /[*?]/.test(inner)) return false;
  const [a, b] = [globOf(outer), globOf(inner)];
  if (b.isLiteral) return a.matches(b.literalPrefix);
  stepsLeft -= STEPS_OF_A_LOOK;
  // Before a suffix and behind a prefix stands a wildcard, and each of them can be any letter.
  if (a.isLiteral || !b.literalPrefix.startsWith(a.literalPrefix) || !b.literalSuffix.endsWith(a.literalSuffix)) return false;
  if (!samplesOf(inner).every((text) => a.matches(text))) return false;
  return hasText([toLanguage(outer), toLanguage(inner)], ([isOuter, isInner]) => isInner === true && isOuter !== true) === false;
}

/** Tells whether no text matches both. False if that takes too long to tell. */
export function areGlobsDisjoint(first: string, second: string): boolean {
  if (first === '**' || second === '**') return false;
  const [a, b] = [globOf(first), globOf(second)];
  if (a.isLiteral) return !b.matches(a.literalPrefix);
  if (b.isLiteral) return !a.matches(b.literalPrefix);
  if (!a.literalPrefix.startsWith(b.literalPrefix) && !b.literalPrefix.startsWith(a.literalPrefix)) return true;
  if (!a.literalSuffix.endsWith(b.literalSuffix) && !b.literalSuffix.endsWith(a.literalSuffix)) return true;
  return (
    hasText([toLanguage(first), toLanguage(second)], ([inFirst, inSecond]) => inFirst === true && inSecond === true) === false
  );
}

/**
 * Tells whether there is a text for which `isWanted` holds, given which of the languages it is in. Searches the product of their automata
 * with sets of states; letters that none of them names are one letter. Undefined if it gave up.
 */
export function hasText(languages: readonly Language[], isWanted: (isIn: readonly boolean[]) => boolean): boolean | undefined {
  if (stepsLeft <= 0) return undefined;
  const automata = languages.map(toAutomaton);
  const letters: (number | undefined)[] = [...new Set([SLASH, ...automata.flatMap(({ into }) => [...into.keys()])]), undefined];
  const start = automata.map(() => 1n);
  const seen = new Set([start.join()]);
  const open = [start];
  let steps = Math.min(MOST_STEPS, stepsLeft);
  for (let active = open.pop(); active !== undefined; active = open.pop()) {
    const at = active;
    if (isWanted(automata.map(({ last }, index) => ((at[index] ?? 0n) & last) !== 0n))) return true;
    for (const letter of letters) {
      steps -= automata.length;
      stepsLeft -= automata.length;
      if (steps < 0) return undefined;
      const next = automata.map((automaton, index) => advance(automaton, at[index] ?? 0n, letter));
      const key = next.join();
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return false;
}

/** The states of a glob as bits, as in `glob-automaton.ts`: bit `i` is set after `i` letters or `?`, and stars are loops. */
interface Automaton {
  readonly last: bigint;
  readonly into: ReadonlyMap<number, bigint>;
  readonly others: bigint;
  readonly stay: bigint;
  readonly stayAtSlash: bigint;
}

function toAutomaton(language: Language): Automaton {
  const into = new Map<number, bigint>();
  let others = 0n;
  let stay = 0n;
  let stayAtSlash = 0n;
  let bit = 1n;
  for (const token of language) {
    if (token.kind === 'text') {
      for (const char of token.text) {
        const code = char.codePointAt(0) ?? 0;
        bit <<= 1n;
        into.set(code, (into.get(code) ?? 0n) | bit);
      }
    } else if (token.kind === 'one') {
      bit <<= 1n;
      others |= bit;
    } else {
      stay |= bit;
      if (token.kind === 'globstar') stayAtSlash |= bit;
    }
  }
  return { last: bit, into, others, stay, stayAtSlash };
}

function advance({ into, others, stay, stayAtSlash }: Automaton, active: bigint, letter: number | undefined): bigint {
  if (active === 0n) return 0n;
  const named = letter === undefined ? 0n : (into.get(letter) ?? 0n);
  if (letter === SLASH) return ((active << 1n) & named) | (active & stayAtSlash);
  return ((active << 1n) & (named | others)) | (active & stay);
}

/** Texts that a glob matches, of letters that hardly another one names: most globs that do not include it miss one of them. */
const samplesOf = remember(
  (pattern): readonly string[] => {
    const fill = (star: string, globstar: string): string =>
      pattern.replaceAll(/\*+|\?/g, (wild) => (wild === '?' ? '\uE000' : wild === '*' ? star : globstar));
    return [fill('', ''), fill('\uE000\uE001', '\uE000/\uE001')];
  },
  { most: MOST_KNOWN },
);

export const globOf = remember((pattern) => compileGlob(pattern), { most: MOST_KNOWN });
