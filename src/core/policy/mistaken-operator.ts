import { suggestName } from '../../suggest.ts';
import { OPERATORS } from './parse-matcher.ts';

/** Operators long enough that a word near one is hardly anything else; near `gt` or `not` is half the dictionary. */
const LONG_OPERATORS: readonly string[] = ['equals', 'exists', 'regex'];

const ANY_OF = 'a list is any of its globs, as in ["a*", "b*"]';
const A_GLOB = 'a glob stands there by itself, as in "/etc/**"; a regular expression is { regex = "…" }';
const NOT_EQUAL = 'write { not = { equals = … } }';

/** What other policy languages call what ours does, and slips too short to be found by their likeness; without case, `_` and `-`. */
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
  ['contains', 'the glob "**text**" is any text that contains it'],
  ['startswith', 'the glob "text**" is any text that starts with it'],
  ['endswith', 'the glob "**text" is any text that ends with it'],
]);

/** Those words, and the operators themselves: as a schema can list them. */
export const MISTAKEN_WORDS: readonly string[] = [...ADVICE.keys()];

/**
 * What to write instead of a word that is more likely an operator gone wrong than an argument's name; undefined for any other
 * word. Taken for a name, such a slip makes a rule that never matches, and a deny rule that never matches is a hole. (Not
 * for operators that are spelt right.)
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
