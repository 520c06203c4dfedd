import type { Action } from '../../../core/decision.ts';
import { type Call, CALL_METHODS } from '../../../core/call.ts';
import type { Explanation, RuleAccount, RulesAccount, StageAccount } from '../../../policy-tools/explain/explanation.ts';
import { printable, shortPath } from '../../terminal/text.ts';
import { conditionWords, outcomeWords, restWords, whyLines, showText } from './rule-words.ts';
import { type Explained, isNearMiss, missesOf, type Surroundings } from './explained.ts';
import { deciderName, reasonWords, ruleTitle, stageWords } from './stage-words.ts';
import { type Paint, painter } from '../../terminal/colour.ts';

const COLOURS: Readonly<Record<Action, 'red' | 'green' | 'yellow'>> = { allow: 'green', deny: 'red', prompt: 'yellow' };

/** An explanation for people: the decision first, then who was asked, then the rules. */
export function renderExplained(explained: Explained, around: Surroundings): string {
  const paint = painter(around);
  const { stages, rules } = explained.explanation;
  const lines = [
    ...headLines(explained, around, paint),
    ...(stages.length === 0 ? [] : ['', ...stageLines(explained.explanation, paint)]),
    ...rules.flatMap((section) => ['', ...sectionLines(section, { explanation: explained.explanation, around, paint })]),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function headLines({ fixture, explanation, result, request }: Explained, around: Surroundings, paint: Paint): readonly string[] {
  const { call, decision } = explanation;
  const { rule, action } = decision;
  const place = placeOf(explanation, around);
  const by = deciderName(decision, explanation.stages.find(({ hasDecided }) => hasDecided)?.stage);
  const why = rule === undefined || decision.reason === 'nul_byte' ? reasonWords(call, decision) : rule.description;
  const { expected, name, step } = fixture;
  // As a project's policy, it would leave the call to the user's.
  const isUnmatched = expected === 'unmatched' && decision.reason === 'default';
  const title = step === undefined ? printable(name) : `${printable(name)}, step ${step.number}`;
  return [
    ...(name === '' ? [] : [paint('bold', title)]),
    `${paint(COLOURS[action], action)} by ${by}${place === undefined ? '' : paint('dim', ` (${place})`)}${why === undefined ? '' : `: ${printable(why)}`}`,
    `  ${callWords(call)}`,
    ...nearestLine(explanation),
    ...(expected === undefined || expected === (isUnmatched ? 'unmatched' : action)
      ? []
      : [`  ${paint('red', `expected ${expected}`)}`]),
    ...(result === undefined || result === 'pass' ? [] : [`  its result: ${result}`]),
    ...(request === undefined || request === 'pass' ? [] : [`  what the server asks for: ${request}`]),
  ];
}

function callWords({ method, server, tool, resource, prompt, origin }: Call): string {
  const subject = tool ?? resource ?? prompt;
  const to = origin === 'native' ? "an agent's own tool" : `server ${showText(server, false)}`;
  return `${showText(method, false)}${subject === undefined ? '' : ` ${showText(subject, false)}`}, ${to}`;
}

/**
 * Names the nearest rule that is less strict and misses by one condition: one that allows before others, since that is what is asked for,
 * and the last of several. A rule about another kind of tool is near only if there is no other.
 */
function nearestLine({ decision, rules }: Explanation): readonly string[] {
  if (decision.reason !== 'rule' && decision.reason !== 'default') return [];
  const source = decision.rule?.source ?? 'user';
  const asked = rules.filter((section) => section.source === source).flatMap((section) => section.rules);
  const last = decision.rule?.index ?? Number.POSITIVE_INFINITY;
  const isLess = (action: Action): boolean => action === 'allow' || (action === 'prompt' && decision.action === 'deny');
  const others = asked.filter(
    (each) => each.index < last && each.action !== decision.action && isLess(each.action) && isNearMiss(each),
  );
  const same = others.filter((each) => !isAboutOtherKind(each));
  const nearest = same.length > 0 ? same : others;
  const near = nearest.findLast(({ action }) => action === 'allow') ?? nearest.at(-1);
  const [why] = near === undefined ? [] : missesOf(near);
  if (near === undefined || why === undefined) return [];
  const excepted = near.conditions.every(({ holds }) => holds) ? 'its exception' : '';
  return [
    `  nearest: ${printable(ruleTitle(near))} (${near.action}) would match but for ${excepted === '' ? 'this' : excepted}: ${conditionWords(why)}`,
  ];
}

/** Tells whether a rule misses by category or fingerprint, which the call itself does not say. */
function isAboutOtherKind(rule: RuleAccount): boolean {
  return missesOf(rule).some(({ because: { kind } }) => kind === 'category' || kind === 'fingerprint');
}

function placeOf(
  { call, decision: { rule, reason } }: Explanation,
  { files, lines, defaultLines }: Surroundings,
): string | undefined {
  if (rule === undefined) {
    const key = reason === 'default' ? defaultKeyOf(call) : undefined;
    const line = key === undefined ? undefined : defaultLines[key];
    return line === undefined ? undefined : `${shortPath(files.user.file)}:${line}`;
  }
  return rulePlace(rule.index, rule.source ?? 'user', { files, lines });
}

/** The key of `[defaults]` that decides calls without a matching rule; undefined if there is none. */
function defaultKeyOf({ method, origin }: Call): 'action' | 'native' | undefined {
  if (origin !== undefined) return origin === 'native' ? 'native' : undefined;
  return CALL_METHODS.has(method) ? 'action' : undefined;
}

function rulePlace(
  index: number,
  source: RulesAccount['source'],
  { files, lines }: Pick<Surroundings, 'files' | 'lines'>,
): string {
  const { file } = files[source] ?? files.user;
  const line = lines[source][index];
  return `${shortPath(file)}${line === undefined ? '' : `:${line}`}`;
}

function stageLines({ stages, call }: Explanation, paint: Paint): readonly string[] {
  const width = Math.max(...stages.map(({ stage }) => stage.length));
  return stages.map((account, at) => {
    const words = stageWords(account, call);
    return `${at + 1}. ${account.stage.padEnd(width)}  ${paintStage(account, words, paint)}`;
  });
}

function paintStage({ says, hasDecided }: StageAccount, words: string, paint: Paint): string {
  if (says === undefined) return paint('dim', words);
  return hasDecided ? paint(COLOURS[says.action], words) : words;
}

interface Section {
  readonly explanation: Explanation;
  readonly around: Surroundings;
  readonly paint: Paint;
}

function sectionLines(section: RulesAccount, of: Section): readonly string[] {
  const { rules, source, isLike, isSkipped, call } = section;
  const whose = `${source === 'project' ? 'rules of the project' : 'rules'}${isSkipped ? ', not asked since yours deny it' : ''}`;
  const title = isLike ? `${whose}, asked about ${callWords(call)}, to which it amounts` : whose;
  const rest = restWords(section);
  const number = Math.max(0, ...rules.map(({ index }) => String(index + 1).length));
  const name = Math.max(0, ...rules.map(({ id }) => printable(id ?? '').length));
  const place = Math.max(0, ...rules.map(({ index }) => rulePlace(index, source, of.around).length));
  return [
    `${title}:${rules.length === 0 && rest === undefined ? ' there are none' : ''}`,
    ...rules.flatMap((rule) => ruleLines(rule, source, { ...of, widths: { number, name, place } })),
    ...(rest === undefined ? [] : [of.paint('dim', `  ${rest}`)]),
  ];
}

interface Row extends Section {
  readonly widths: { readonly number: number; readonly name: number; readonly place: number };
}

function ruleLines(rule: RuleAccount, source: RulesAccount['source'], row: Row): readonly string[] {
  const { explanation, around, paint, widths } = row;
  const { decision } = explanation;
  const isDeciding =
    !rule.isUnasked &&
    rule.elsewhere === undefined &&
    decision.rule?.index === rule.index &&
    (decision.rule.source ?? 'user') === source &&
    decision.reason === 'rule';
  const cells = [
    String(rule.index + 1).padStart(widths.number),
    rule.action.padEnd('prompt'.length),
    ...(widths.name === 0 ? [] : [printable(rule.id ?? '').padEnd(widths.name)]),
    paint('dim', rulePlace(rule.index, source, around).padEnd(widths.place)),
    isDeciding ? paint(COLOURS[rule.action], outcomeWords(rule, true)) : outcomeWords(rule, false),
  ];
  return [`  ${cells.join('  ')}`, ...whyLines(rule).map((line) => `  ${' '.repeat(widths.number)}    ${line}`)];
}
