import type { Asks, ConditionAccount, ReadingStep, SettlingValue } from '../../../core/policy/explain/explanation.ts';
import { printable } from '../../terminal/printable.ts';
import { showText, showValue } from './show-value.ts';

/** What a reader makes of a text, after "read". */
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
  prose: 'text to be read, and no path, since its name says so and the tool runs no commands',
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
  const bare =
    test.form === undefined && test.readAs.length > 0 ? `, read ${test.readAs.map((step) => STEPS[step]).join(', ')}` : '';
  // A line of several arguments stands nowhere as it is.
  const what = where === 'key' ? (settling.pointer === undefined ? 'the line ' : 'the key ') : '';
  return `${field} ${relation(test, holds)}: ${what}${showValue(value)}${placeWords(settling)}${form}${bare}${ofAll(settling, { holds, count, mode })}`;
}

function relation({ asks, matches, isNegated }: SettlingValue['test'], holds: boolean): string {
  const asked = asksWords(asks);
  if (isNegated) return matches ? `matches ${asked}, and must not` : `is outside of ${asked}`;
  if (holds) return `matches ${asked}`;
  return `does not match ${asked}`;
}

/** Where many values were looked at, what the others have to do with it. */
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
