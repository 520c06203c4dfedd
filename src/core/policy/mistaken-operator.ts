import { suggestName } from '../../suggest.ts';
import { OPERATORS } from './parse-matcher.ts';

/** Operators long enough that a similar word is hardly anything else; half the dictionary is similar to `gt` or `not`. */
const LONG_OPERATORS: readonly string[] = ['equals', 'exists', 'regex'];

const ANY_OF = 'a list matches any of its globs, as in ["a*", "b*"]';
const A_GLOB = 'write a glob on its own, as in "/etc/**"; write a regular expression as { regex = "…" }';
const NOT_EQUAL = 'write { not = { equals = … } }';

/** Other policy languages' words for our operators, and slips too short to be found by similarity; without case, `_` and `-`. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ...OPERATORS.map((word): [string, string] => [word, meant(word)]),
  ['eq', meant('equals')],
  ['nto', meant('not')],
  ['gtt', meant('gt')],
  ...['ge', 'min'].map((word): [string, string] => [word, meant('gte')]),
  ...['le', 'max'].map((word): [string, string] => [word, meant('lte')]),
  ...['ne', 'neq', 'notequal', 'notequals'].map((word): [string, string] => [word, NOT_EQUAL]),
  ...['glob', 'match', 'matches', 'pattern'].map((word): [string, string] => [word, A_GLOB]),
  ...['in', 'oneof', 'anyof'].map((word): [string, string] => [word, ANY_OF]),
  ['notin', 'write { not = ["a*", "b*"] }'],
  ['contains', 'the glob "**text**" matches any text that contains it'],
  ['startswith', 'the glob "text**" matches any text that starts with it'],
  ['endswith', 'the glob "**text" matches any text that ends with it'],
]);

/** Those words, including the operators themselves, in a form for schemas. */
export const MISTAKEN_WORDS: readonly string[] = [...ADVICE.keys()];

/**
 * Suggests a replacement for a word that is more likely a mistaken operator than an argument's name; undefined for any other word. If taken
 * for a name, it makes a rule that never matches, and a deny rule that never matches is a hole. (Not for correctly spelt operators.)
 */
export function adviseOnOperator(word: string): string | undefined {
  const advice = ADVICE.get(word.toLowerCase().replaceAll(/[-_]/g, ''));
  if (advice !== undefined) return advice;
  const near = suggestName(word, LONG_OPERATORS);
  return near === undefined ? undefined : meant(near);
}

function meant(operator: string): string {
  return `did you mean "${operator}"?`;
}
