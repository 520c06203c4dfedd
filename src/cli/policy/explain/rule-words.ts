import type { NameField, RuleAccount, RulesAccount } from '../../../core/policy/explain/explanation.ts';
import { countOf } from '../../terminal/count-of.ts';
import { conditionWords } from './condition-words.ts';
import { missesOf } from './explained.ts';
import { showText } from './show-value.ts';

/** Conditions of one rule that are shown; `clawai policy explain --json` has all. */
const MOST_CONDITIONS = 8;

/** What became of a rule, in some words. */
export function outcomeWords(account: RuleAccount, isDeciding: boolean): string {
  const { outcome, isUnasked, elsewhere, nearName } = account;
  if (nearName !== undefined && elsewhere !== undefined) {
    return `is about the ${elsewhere} ${showText(nearName)}, which is nearly this one; all else matches`;
  }
  if (elsewhere !== undefined) return ELSEWHERE[elsewhere](1);
  if (outcome === 'nul') return isUnasked ? 'was not asked, and would deny a NUL byte' : 'denies a NUL byte in a path';
  if (outcome === 'match') return isUnasked ? 'was not asked, and would match' : isDeciding ? 'decides' : 'matches';
  const why = isExcepted(account) ? ', since its exception does' : '';
  return `${isUnasked ? 'was not asked, and would not match' : 'does not match'}${why}`;
}

/** The lines that tell why. */
export function whyLines(account: RuleAccount): readonly string[] {
  const { outcome, conditions, unless, elsewhere } = account;
  if (elsewhere !== undefined) return [];
  if (outcome === 'miss') {
    const prefix = isExcepted(account) ? 'unless: ' : '';
    return shorten(missesOf(account).map((each) => prefix + conditionWords(each)));
  }
  const isTelling = conditions.filter(({ because }) => because.kind !== 'name');
  const shown = outcome === 'nul' ? conditions.filter(({ because }) => because.kind === 'nul') : isTelling;
  const failing = unless?.conditions.filter(({ holds, because }) => !holds || because.kind === 'nul') ?? [];
  return shorten([
    ...(shown.length === 0 ? conditions : shown).map(conditionWords),
    ...failing.slice(0, 1).map((each) => `not excepted: ${conditionWords(each)}`),
  ]);
}

function isExcepted({ outcome, conditions }: RuleAccount): boolean {
  return outcome === 'miss' && conditions.length > 0 && conditions.every(({ holds }) => holds);
}

function shorten(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_CONDITIONS) return lines;
  return [...lines.slice(0, MOST_CONDITIONS), `and ${countOf(lines.length - MOST_CONDITIONS, 'more condition')}`];
}

const ELSEWHERE: Readonly<Record<NameField, (count: number) => string>> = {
  method: (count) => `${are(count)} about ${other(count, 'method')}`,
  server: (count) => `${are(count)} about ${other(count, 'server')}`,
  tool: (count) => `${are(count)} about ${other(count, 'tool')}`,
  prompt: (count) => `${are(count)} about ${other(count, 'prompt')}`,
  native: (count) => `${are(count)} not about an agent's own tools`,
};

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function other(count: number, what: string): string {
  return count === 1 ? `another ${what}` : `other ${what}s`;
}

/** What the rules come to that are not listed. */
export function restWords({ rules, total, missed, unasked, elsewhere }: RulesAccount): string | undefined {
  const parts = [
    ...(missed > 0 ? [`${missed} more ${missed === 1 ? 'does' : 'do'} not match`] : []),
    ...(unasked > 0 ? [`${unasked} below ${unasked === 1 ? 'was' : 'were'} not asked`] : []),
    ...Object.entries(elsewhere).map(([field, count]) => `${count} ${ELSEWHERE[field as NameField](count)}`),
  ];
  if (parts.length === 0) return undefined;
  return rules.length === 0 && parts.length === 1 ? `all ${parts.join()}` : `of ${countOf(total, 'rule')}: ${parts.join(', ')}`;
}
