import { EXIT } from '../../errors.ts';
import { defineCommand, usageError } from '../command.ts';
import { openRecorded, STORE_FLAGS } from '../machine/open-store.ts';
import { formatTime } from '../terminal/layout.ts';
import { printable, shortPath, prettyJson, joinTexts } from '../terminal/text.ts';
import { createOutput } from '../terminal/streams.ts';
import { subjectOf, textOf, type Fields, findCall, shortId } from './event-fields.ts';
import { toEventView } from './event-view.ts';
import { readWholeCall, type WholeCall } from './whole-call.ts';

/** `clawai log show`: one call whole, with what belongs to it. */
export const logShowCommand = defineCommand({
  meta: {
    name: 'log show',
    description:
      'Print everything on record about one call: who made it, its arguments, what decided, what the model was told, and related events.',
    notes: [
      'ID is the id that `clawai log --calls`, `clawai log` and denials print, or its beginning. Arguments are as recorded, with secrets replaced.',
      '--json prints {"id", "event", "rule", "policy", "pin", "related"}: events as they are stored.',
    ],
    exitCodes: { 2: 'no call has this id, or several have' },
    examples: ['clawai log --calls --action block', 'clawai log show 6f0c2d.17'],
  },
  args: { json: { type: 'boolean', description: 'Print one JSON object.' }, ...STORE_FLAGS },
  words: { isRequired: true, hint: 'ID', description: 'The id of the call.' },
  async run({ flags, words }) {
    const [typed, ...others] = words;
    if (typed === undefined || others.length > 0) {
      throw usageError('clawai log show takes the id of one call', '`clawai log --calls` shows them');
    }
    const reader = await openRecorded(flags.config);
    if (reader === undefined) return EXIT.usage;
    try {
      const whole = await readWholeCall(reader, findCall(reader, typed), flags.config);
      await createOutput(process.stdout).write(flags.json ? prettyJson(whole) : renderCall(whole));
    } finally {
      reader.close();
    }
    return EXIT.ok;
  },
});

/** A call for people, one subject a line, empty ones left out; ends with a line feed. */
function renderCall(whole: WholeCall): string {
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
    ['told', answerWords(event)],
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

/** Beginning of the dialect of a call that a hook was asked about. */
const HOOK = 'hook/';

function clientWords(event: Fields): string {
  const dialect = textOf(event, 'dialect');
  const by = textOf(event, 'session_by');
  const session = `session ${textOf(event, 'session_id')}${by && ` (known by ${by})`}`;
  const client = dialect.startsWith(HOOK) ? dialect.slice(HOOK.length) : undefined;
  const seen = client === undefined ? `seen in the answer of a model (${dialect})` : `asked about by the hook of ${client}`;
  return joinTexts([session, dialect && seen]);
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
  return joinTexts([asked, by && `by ${by}`, scope && `(${scope})`, id && `request ${id}`], ' ');
}

function answerWords(event: Fields): string {
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
  const text = (name: string): string => textOf(fields, name);
  const view = toEventView({
    seq: 0,
    time: Date.parse(text('timestamp')),
    type: text('type'),
    session: text('session_id'),
    server: text('server_id'),
    tool: text('tool_name') || null,
    action: text('action') || null,
    severity: text('severity') || null,
    body: JSON.stringify(fields),
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
  return joinTexts([formatTime(view.time), ...what.map(printable)], '  ');
}
