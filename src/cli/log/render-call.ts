import { parseBody } from '../../audit/event-columns.ts';
import { toEventView } from './event-view.ts';
import { subjectOf, textOf, type Fields } from './event-fields.ts';
import { formatTime } from '../terminal/amounts.ts';
import { printable } from '../terminal/printable.ts';
import { shortPath } from '../terminal/short-path.ts';
import { shortId } from './event-id.ts';
import type { WholeCall } from './whole-call.ts';

/** A call for people, one subject a line, empty ones left out; ends with a line feed. */
export function renderCall(whole: WholeCall): string {
  const { event, related } = whole;
  const rows: readonly (readonly [string, string])[] = [
    ['call', whole.id],
    ['when', whenWords(event)],
    ['server', textOf(event, 'server_id')],
    ['client', clientWords(event)],
    ['called', `${textOf(event, 'method')} ${subjectOf(event)}`],
    ['arguments', event['input'] === undefined ? 'none' : JSON.stringify(event['input'], null, 2)],
    ['cut', Array.isArray(event['skipped']) && event['skipped'].length > 0 ? JSON.stringify(event['skipped']) : ''],
    ['decision', decisionWords(event)],
    ['rule', ruleWords(whole)],
    ['asked', askedWords(event)],
    ['findings', textOf(event, 'detections')],
    ['flow', textOf(event, 'flow')],
    ['pin', whole.pin === null ? '' : `${whole.pin} (now)`],
    ['told', toldWords(event)],
    ['policy', policyWords(whole)],
  ];
  const lines = rows.flatMap(([name, text]) => (text.trim() === '' ? [] : rowLines(name, text)));
  const more = related.map((fields) => `  ${relatedWords(fields)}`);
  const next = textOf(event, 'action') === 'block' ? ['', `why: clawai policy explain --event ${shortId(whole.id)}`] : [];
  return [...lines, ...(more.length === 0 ? [] : ['', 'related:', ...more]), ...next]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

const WIDTH = 'arguments'.length + 2;

function rowLines(name: string, text: string): readonly string[] {
  return text.split('\n').map((line, at) => (at === 0 ? name : '').padEnd(WIDTH) + printable(line));
}

function whenWords(event: Fields): string {
  const took = event['latency_us'];
  const time = formatTime(Date.parse(textOf(event, 'timestamp')));
  return typeof took === 'number' ? `${time}, decided in ${took} µs` : time;
}

function clientWords(event: Fields): string {
  const dialect = textOf(event, 'dialect');
  const by = textOf(event, 'session_by');
  return [
    `session ${textOf(event, 'session_id')}${by === '' ? '' : ` (known by ${by})`}`,
    dialect === '' ? '' : `seen in the answer of a model (${dialect})`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function decisionWords(event: Fields): string {
  const gone = textOf(event, 'action') === 'allow' ? 'it went on' : 'it did not go on';
  const mode = textOf(event, 'mode') === 'observe' ? ', only observed' : '';
  return `${textOf(event, 'decision')} (${textOf(event, 'reason')}), ${gone}${mode}`;
}

function ruleWords({ event, rule, policy }: WholeCall): string {
  const name = textOf(event, 'rule');
  if (name === '' || rule === null) return name === '' ? '' : `${name}, which is in no policy that is at hand`;
  return `${name} (${shortPath(rule.file)}:${rule.line}${policy?.isSame === false ? ', as it is now' : ''})`;
}

function askedWords(event: Fields): string {
  const asked = textOf(event, 'approval');
  const by = textOf(event, 'approved_by') || textOf(event, 'refused_by');
  const id = textOf(event, 'approval_id');
  const scope = textOf(event, 'approval_scope');
  return [asked, by === '' ? '' : `by ${by}`, scope === '' ? '' : `(${scope})`, id === '' ? '' : `request ${id}`]
    .filter((part) => part !== '')
    .join(' ');
}

function toldWords(event: Fields): string {
  if (textOf(event, 'action') !== 'block') return '';
  return textOf(event, 'told') || 'not on record';
}

function policyWords({ event, policy }: WholeCall): string {
  const hash = textOf(event, 'policy_hash').slice(0, 12);
  if (hash === '') return '';
  if (policy === null) return `${hash}, which can't be found`;
  return policy.isSame ? `${hash}, ${shortPath(policy.file)}` : `${hash}, which has changed since, or lies elsewhere`;
}

function relatedWords(fields: Fields): string {
  const body = JSON.stringify(fields);
  const text = (name: string): string => textOf(parseBody(body) ?? {}, name);
  const view = toEventView({
    seq: 0,
    time: Date.parse(text('timestamp')),
    type: text('type'),
    session: text('session_id'),
    server: text('server_id'),
    tool: text('tool_name') === '' ? null : text('tool_name'),
    action: text('action') === '' ? null : text('action'),
    severity: text('severity') === '' ? null : text('severity'),
    body,
  });
  const what = [
    view.type.replace(/^mcp_/, ''),
    view.action,
    view.severity,
    view.server,
    view.subject,
    view.rule,
    view.reason,
    view.seen,
    view.detail,
    text('id') === '' ? '' : `id ${view.id}`,
  ];
  return [formatTime(view.time), ...what.filter((part) => part !== '').map(printable)].join('  ');
}
