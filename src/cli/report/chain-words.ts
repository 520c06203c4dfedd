import { describeEvidence, quoteName } from '../../core/flow/words.ts';
import { describeSigns } from '../../core/flow/steering/signs.ts';
import { shortId } from '../log/event-fields.ts';
import { countOfThings, formatShortTime } from '../terminal/layout.ts';
import { joinTexts } from '../terminal/text.ts';
import type { Chain, Outcome } from './chains.ts';
import type { FlowGroup } from './report.ts';

/** Words for outcomes. */
export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  denied: 'denied',
  refused: 'refused',
  unanswered: 'no answer',
  asked: 'asked',
  allowed: 'allowed',
  observed: 'observed',
  passed: 'passed',
};

/** The chains, oldest first. */
export function inTime<T extends Pick<Chain, 'timestamp'>>(chains: readonly T[]): readonly T[] {
  return chains.toSorted((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
}

/** Names the value and the result that had it: `a mail address that "read_mail" of "mail" returned at 10:02:11`; empty if it is about no value. */
export function sourceWords({ source, evidence, evidence_encoding: encoding, related_calls: related }: Chain): string {
  if (source === null) return '';
  const what = describeEvidence({ description: evidence ?? '', encoding: encoding ?? '' });
  const more = related.length - 1;
  const others = what !== '' || more < 1 ? '' : `, or ${countOfThings(more, 'call')} before it`;
  const time = Date.parse(source.timestamp ?? '');
  const at = Number.isNaN(time) ? '' : ` at ${clock(time)}`;
  const which = what === '' ? 'what' : `${what}${what === evidence ? '' : ','} that`;
  return `${which} ${calledName(source)} returned${at}${others}`;
}

/** Names the call that the value is in: `"to" of "send_money" of "bank" at 11-28 10:04:03`. */
export function sinkWords(chain: Chain, now: number): string {
  const { parameter, timestamp } = chain;
  const place = parameter === null ? '' : `${quoteName(parameter)} of `;
  return `${place}${calledName(chain)} at ${formatShortTime(Date.parse(timestamp), now)}`;
}

/** Says which rules found it, what speaks for it, who decided, and how to ask for more. */
export function whyWords(chain: FlowGroup): string {
  const { rule, other_rules: others, severity, reason, source, evidence, signs, denied_by: by, answered_by: person } = chain;
  const found = [joinTexts([joinTexts([rule, severity], ' '), ...others.map((other) => `also ${other}`)])];
  if (source === null) found.push(reason);
  else if (evidence === null) found.push('by the kinds of the tools, not by a value');
  return joinTexts(
    [
      joinTexts(found, ': '),
      describeSigns(signs),
      by === null ? '' : `denied by ${by}`,
      person === null ? '' : `${chain.outcome} by ${person}`,
      chain.count === 1 ? '' : `${countOfThings(chain.count, 'time')}, this was the last`,
      chain.call_id === '' ? '' : `id ${shortId(chain.call_id)}`,
    ],
    '; ',
  );
}

function calledName({ server_id: server, tool_name: tool }: Pick<Chain, 'server_id' | 'tool_name'>): string {
  return `${quoteName(tool)} of ${quoteName(server)}`;
}

function clock(time: number): string {
  return formatShortTime(time, time).slice(-8);
}
