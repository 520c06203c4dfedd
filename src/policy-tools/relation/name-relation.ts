import { compileMatcher, matchesName } from '../../core/match/compile-matcher.ts';
import type { Matcher } from '../../core/policy/types.ts';
import { areGlobsDisjoint, hasText, includesGlob, type Language, toLanguage, toTextLanguage } from './glob-language.ts';

/** The matcher of a field that is not given. */
export const ANY_NAME: Matcher = { op: 'globs', patterns: ['**'] };

/** Globs to compare all together; more are only compared one by one. */
const MOST_TOGETHER = 12;
/** Regexes to compare: each may match or not, which doubles the cases to try. */
const MOST_REGEXES = 4;

/** Tells whether one of the `outer` matchers matches each name that `inner` does. False if that cannot be told. */
export function includesName(outer: readonly Matcher[], inner: Matcher): boolean {
  if (outer.some((matcher) => matcher === inner || isAny(matcher))) return true;
  const texts = literalsOf(inner);
  if (texts !== undefined) return texts.every((text) => outer.some((matcher) => matches(matcher, text)));
  const patterns = patternsOf(inner);
  const others = outer.map(patternsOf);
  if (patterns?.every((pattern) => others.some((list) => list?.some((other) => includesGlob(other, pattern)))) === true)
    return true;
  // Globs that include another only together are rare and take long to find.
  if (patterns !== undefined && others.every((list) => list !== undefined)) return false;
  return isNever([inner, ...outer], ([isInner, ...rest]) => isInner === true && !rest.includes(true));
}

/** Tells whether no name matches both. False if that cannot be told. */
export function areNamesDisjoint(a: Matcher, b: Matcher): boolean {
  const [textsOfA, textsOfB] = [literalsOf(a), literalsOf(b)];
  if (textsOfA !== undefined) return textsOfA.every((text) => !matches(b, text));
  if (textsOfB !== undefined) return textsOfB.every((text) => !matches(a, text));
  const [patternsOfA, patternsOfB] = [patternsOf(a), patternsOf(b)];
  if (patternsOfA !== undefined && patternsOfB !== undefined) {
    return patternsOfA.every((pattern) => patternsOfB.every((other) => areGlobsDisjoint(pattern, other)));
  }
  return isNever([a, b], ([inA, inB]) => inA === true && inB === true);
}

/** Tells whether the matcher matches no name. False if that cannot be told. */
export function matchesNoName(matcher: Matcher): boolean {
  return patternsOf(matcher) === undefined && isNever([matcher], ([isMatch]) => isMatch === true);
}

/** The only texts that a matcher can match; undefined if they cannot be listed. */
export function literalsOf(matcher: Matcher): readonly string[] | undefined {
  if (matcher.op === 'equals') return typeof matcher.value === 'string' ? [matcher.value] : [];
  if (matcher.op === 'all')
    return matcher.of
      .map(literalsOf)
      .find((texts) => texts !== undefined)
      ?.filter((text) => matches(matcher, text));
  if (matcher.op === 'any') {
    const lists = matcher.of.map(literalsOf);
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  }
  if (matcher.op !== 'globs' || matcher.patterns.some((pattern) => /[*?]/.test(pattern))) return undefined;
  return matcher.patterns;
}

function isAny(matcher: Matcher): boolean {
  return matcher.op === 'globs' && matcher.patterns.includes('**');
}

function patternsOf(matcher: Matcher): readonly string[] | undefined {
  return matcher.op === 'globs' ? matcher.patterns : undefined;
}

const compiled = new WeakMap<Matcher, ReturnType<typeof compileMatcher>>();

function matches(matcher: Matcher, text: string): boolean {
  let ready = compiled.get(matcher);
  if (ready === undefined) compiled.set(matcher, (ready = compileMatcher(matcher, false)));
  return matchesName(ready, text);
}

/** Tells whether `isWanted` holds for no name, given which of the matchers match it. False if that cannot be told. */
function isNever(matchers: readonly Matcher[], isWanted: (isMatch: readonly boolean[]) => boolean): boolean {
  const atoms = new Atoms();
  for (const matcher of matchers) atoms.add(matcher);
  const { languages, regexes } = atoms;
  if (languages.length > MOST_TOGETHER || regexes.length > MOST_REGEXES) return false;
  const found = hasText(languages, (isIn) => {
    for (let truths = 0; truths < 2 ** regexes.length; truths += 1) {
      if (isWanted(matchers.map((matcher) => atoms.holds(matcher, isIn, truths)))) return true;
    }
    return false;
  });
  return found === false;
}

/** The globs, texts and regexes that some matchers are made of, each once. */
class Atoms {
  readonly languages: Language[] = [];
  readonly regexes: string[] = [];
  readonly #globs = new Map<string, number>();
  readonly #texts = new Map<string, number>();

  add(matcher: Matcher): void {
    if (matcher.op === 'globs') for (const pattern of matcher.patterns) this.#note(this.#globs, pattern, toLanguage);
    else if (matcher.op === 'equals' && typeof matcher.value === 'string') this.#note(this.#texts, matcher.value, toTextLanguage);
    else if (matcher.op === 'regex' && !this.regexes.includes(matcher.regex.source)) this.regexes.push(matcher.regex.source);
    else if (matcher.op === 'not') this.add(matcher.inner);
    else if (matcher.op === 'all' || matcher.op === 'any') for (const part of matcher.of) this.add(part);
  }

  #note(to: Map<string, number>, text: string, toOne: (text: string) => Language): void {
    if (to.has(text)) return;
    to.set(text, this.languages.length);
    this.languages.push(toOne(text));
  }

  /** @param truths bit by bit, which of the regexes match */
  holds(matcher: Matcher, isIn: readonly boolean[], truths: number): boolean {
    switch (matcher.op) {
      case 'globs':
        return matcher.patterns.some((pattern) => isIn[this.#globs.get(pattern) ?? -1] === true);
      case 'equals':
        return typeof matcher.value === 'string' && isIn[this.#texts.get(matcher.value) ?? -1] === true;
      case 'regex':
        return (truths & (1 << this.regexes.indexOf(matcher.regex.source))) !== 0;
      case 'not':
        return !this.holds(matcher.inner, isIn, truths);
      case 'all':
        return matcher.of.every((part) => this.holds(part, isIn, truths));
      case 'any':
        return matcher.of.some((part) => this.holds(part, isIn, truths));
      // Parsing lets no other matcher into a name's field, as in `matchesName`.
      default:
        return false;
    }
  }
}
