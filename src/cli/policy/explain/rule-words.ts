import { ExactNumber, isJsonObject, type JsonValue } from '../../../core/json.ts';
import type {
  NameField,
  RuleAccount,
  RulesAccount,
  Asks,
  ConditionAccount,
  ReadingStep,
  SettlingValue,
} from '../../../policy-tools/explain/explanation.ts';
import { countOf } from '../../terminal/layout.ts';
import { printable } from '../../terminal/text.ts';
import { missesOf } from './explained.ts';

/** Conditions of one rule that are shown; `clawai policy explain --json` has all. */
const MOST_CONDITIONS = 8;

/** The outcome of a rule in words. */
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

/** Sums up the rules that are not listed. */
export function restWords({ rules, total, missed, unasked, elsewhere }: RulesAccount): string | undefined {
  const parts = [
    ...(missed > 0 ? [`${missed} more ${missed === 1 ? 'does' : 'do'} not match`] : []),
    ...(unasked > 0 ? [`${unasked} below ${unasked === 1 ? 'was' : 'were'} not asked`] : []),
    ...Object.entries(elsewhere).map(([field, count]) => `${count} ${ELSEWHERE[field as NameField](count)}`),
  ];
  if (parts.length === 0) return undefined;
  return rules.length === 0 && parts.length === 1 ? `all ${parts.join()}` : `of ${countOf(total, 'rule')}: ${parts.join(', ')}`;
}

/** The steps of reading a text in words, after "read". */
const STEPS: Readonly<Record<ReadingStep, string>> = {
  decoded: 'percent-decoded',
  home_variable: 'with $HOME as ~',
  unwrapped: 'without what stands around it',
  surrogates: 'with half surrogates as bytes',
  url: 'as a URL',
  file_uri: 'as a file: URI',
  foreign_file_uri: 'as a file: URI without its host',
  home: 'with ~ as the home',
  home_of_other: 'with ~NAME as a home',
  absolute: 'from the working directory',
  tidied: 'with . and .. resolved',
  folder_name: "as a folder's name",
  slashes: 'with / for \\',
  spelling: 'in another spelling of its letters',
  folded: 'in the letter case of file names',
  alias: 'as another name of a file',
  links: 'where links lead',
  text: 'as a text',
  number: 'as a number',
  boolean: 'as true or false',
  shortened: 'shortened, as one of its readings',
  uncertain: 'otherwise by one server than by another',
  prose: 'as text',
  command_word: 'as a word of the command',
  other: 'in one of its readings',
};

/** Why a condition holds or does not, as half a sentence that begins with its field. All of others in it is printable. */
export function conditionWords({ field, holds, mode, because }: ConditionAccount): string {
  const name = printable(field);
  switch (because.kind) {
    case 'name':
      if (because.name === undefined) return `${name}: the call has none`;
      return `${name} ${showText(because.name)} ${holds ? 'matches' : 'is not'} ${asksWords(because.asks)}`;
    case 'absent':
      return `there is nothing at ${name}`;
    case 'present':
      return `${name} is there, and must not be`;
    case 'incomplete':
      return holds
        ? `${name} is missing in one place, which is enough`
        : `${name} is missing in one place, and all would have to ${mode === 'certain' ? 'match' : 'be there'}`;
    case 'too_deep':
      return `${name} goes deeper than anybody looks, which counts ${holds ? 'as a match' : 'as none'}`;
    case 'nul':
      return `${name} is read as a path and has a NUL byte in it`;
    case 'value':
      return valueWords(name, { holds, settling: because.settling, count: because.count, mode });
    case 'category':
      return `${name} is ${because.categories.join(', ')}, ${holds ? 'and asked for' : 'and not'} ${because.wanted.join(', ')}`;
    case 'fingerprint': {
      if (because.seen === undefined)
        return `${name} is not known, since nobody has seen the definition${holds ? ', so it may be any' : ''}`;
      return `${name} ${because.seen} ${holds ? 'is named' : 'is not among those that are named'}`;
    }
  }
}

interface Settled {
  readonly holds: boolean;
  readonly settling: SettlingValue;
  readonly count: number;
  readonly mode: ConditionAccount['mode'];
}

function valueWords(field: string, { holds, settling, count, mode }: Settled): string {
  const { where, test, value } = settling;
  const form = test.form === undefined ? '' : `, read as ${showText(test.form)}${stepsWords(test.readAs)}`;
  const bare = test.form === undefined ? bareWords(test.readAs) : '';
  // A line made of several arguments has no place of its own.
  const what = where === 'key' ? (settling.pointer === undefined ? 'the line ' : 'the key ') : '';
  return `${field} ${relation(test, holds)}: ${what}${showValue(value)}${placeWords(settling)}${form}${bare}${ofAll(settling, { holds, count, mode })}`;
}

/** How a value was read that stands as it was sent. */
function bareWords(steps: readonly ReadingStep[]): string {
  if (steps.length === 1 && steps[0] === 'prose') {
    return ' counts as text, not as a path, because of its name, and because the tool runs no commands';
  }
  return steps.length === 0 ? '' : `, read ${steps.map((step) => STEPS[step]).join(', ')}`;
}

function relation({ asks, matches, isNegated }: SettlingValue['test'], holds: boolean): string {
  const asked = asksWords(asks);
  if (isNegated) return matches ? `matches ${asked}, and must not` : `is outside of ${asked}`;
  if (holds) return `matches ${asked}`;
  return `does not match ${asked}`;
}

/** Says how the other values came out, if several were looked at. */
function ofAll({ where }: SettlingValue, { holds, count, mode }: Omit<Settled, 'settling'>): string {
  if (count < 2) return '';
  const things = where === 'key' ? 'keys' : 'values';
  if (holds === (mode === 'possible')) return ` (one of ${count} ${things})`;
  return holds ? ` (and so do all ${count} ${things})` : ` (nor does any other of ${count} ${things})`;
}

function placeWords({ pointer, where }: SettlingValue): string {
  if (pointer === undefined || pointer === '') return '';
  const place = showText(pointer, false);
  return where === 'embedded' ? ` in the JSON text at ${place}` : where === 'key' ? ` in ${place}` : ` at ${place}`;
}

function stepsWords(steps: readonly ReadingStep[]): string {
  return steps.length === 0 ? '' : ` (${steps.map((step) => STEPS[step]).join(', ')})`;
}

function asksWords({ each, others }: Asks): string {
  const shown = each.map((text) => showText(text, false)).join(each.length === 2 && others === 0 ? ' or ' : ', ');
  return others === 0 ? shown : `${shown} or ${others} more`;
}

/** Characters of a text that are shown: its beginning, and its end. Arguments may hold secrets, and nobody reads a megabyte. */
const MOST_HEAD = 60;
const MOST_TAIL = 20;

/** A value for people, cut where it is long; what could steer a terminal is replaced. */
export function showValue(value: JsonValue): string {
  if (typeof value === 'string') return showText(value);
  if (value instanceof ExactNumber) return showText(value.source, false);
  if (Array.isArray(value)) return 'a list';
  return isJsonObject(value) ? `an object with ${countOf(Object.keys(value).length, 'member')}` : String(value);
}

/** A text in quotes, or as it is. */
export function showText(text: string, isQuoted = true): string {
  const cut = cutText(text);
  const shown = isQuoted ? JSON.stringify(cut.text) : cut.text;
  return `${printable(shown)}${cut.isCut ? ` (${text.length} characters)` : ''}`;
}

function cutText(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= MOST_HEAD + MOST_TAIL + 1) return { text, isCut: false };
  return { text: `${text.slice(0, MOST_HEAD)}…${text.slice(-MOST_TAIL)}`.toWellFormed(), isCut: true };
}
