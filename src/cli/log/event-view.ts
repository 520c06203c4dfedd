import { joinTexts } from '../terminal/text.ts';
import { parseBody } from '../../audit/event-columns.ts';
import { DETECTION_TYPE, FLOW_TYPE, MODEL_CALL_TYPE } from '../../audit/event-types.ts';
import { describeEvidence } from '../../core/flow/words.ts';
import type { StoredEvent } from '../../store/reading/read.ts';
import { describeNews } from '../mcp/registry/describe-news.ts';
import { countOf } from '../terminal/layout.ts';
import { shortId, type Fields, objectOf, objectsOf, textOf } from './event-fields.ts';

/** An event as people read it; texts are as recorded, so whatever prints them makes them printable. */
export interface EventView {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly type: string;
  /** The id of the call that it is, or is about, short enough to be typed; empty if there is none. */
  readonly id: string;
  readonly server: string;
  /** The subject: a tool, a resource, a prompt, or a method. */
  readonly subject: string;
  /** The first telling ones of a call's arguments, as recorded and shortened. */
  readonly args: string;
  /** `allow` or `block`, with the decision behind it where that was another one; empty where nothing was decided. */
  readonly action: string;
  readonly severity: string;
  readonly rule: string;
  readonly reason: string;
  /** The part that decided a call: a rule of the policy, a rule of a guard, or a guard. */
  readonly by: string;
  /** The sighting of a model's call: `by model` in its answer, `again` if it was made then; empty for all others. */
  readonly seen: string;
  /** The time that deciding took; empty if unknown. */
  readonly latency: string;
  /** Everything else there is to say, in words. */
  readonly detail: string;
}

/** Fields of a body that have a place of their own in a view, or are of use to programs only. */
const SAID_ELSEWHERE = new Set(
  (
    'type id timestamp session_id server_id method tool_name resource_uri prompt_name argument_names input jsonrpc_id action body ' +
    'told call_id decision reason rule approval mode policy_hash latency_us inspectors skipped severity from turn_id'
  ).split(' '),
);

export function toEventView(event: StoredEvent): EventView {
  const fields = event.body === null ? undefined : parseBody(event.body);
  const known = fields ?? {};
  const rule = event.type === DETECTION_TYPE ? ruleOfFinding(known) : anyTextOf(known, 'rule');
  const reason = anyTextOf(known, 'reason');
  return {
    time: event.time,
    type: event.type,
    id: shortId(anyTextOf(known, 'id') || anyTextOf(known, 'call_id')),
    server: event.server,
    args: tellingArguments(known['input']),
    subject: event.tool ?? firstText(known, ['resource_uri', 'prompt_name', 'method', 'kind']),
    action: describeAction(event.action, anyTextOf(known, 'decision')),
    severity: event.severity ?? '',
    rule,
    reason,
    by: whatDecided(rule, reason, anyTextOf(known, 'flow')),
    seen: event.type === MODEL_CALL_TYPE ? 'by model' : anyTextOf(known, 'sighting_of') === '' ? '' : 'again',
    latency: describeLatency(known['latency_us']),
    detail: describeDetail(event, fields),
  };
}

/** @param flow names of the rules under `[flow]` that found something; the first one decided if the reason is `flow` */
function whatDecided(rule: string, reason: string, flow: string): string {
  if (reason === 'rule' && rule !== '') return rule;
  const guard = reason === 'flow' && flow !== '' ? `flow:${flow.split(' ', 1).join('')}` : reason;
  return joinTexts([rule, guard], ' ');
}

function describeAction(action: string | null, decision: string): string {
  if (action === null) return '';
  const isPlain = decision === '' || decision === action || (action === 'block' && decision === 'deny');
  return isPlain ? action : `${action} (${decision})`;
}

function describeLatency(microseconds: unknown): string {
  if (typeof microseconds !== 'number') return '';
  if (microseconds < 1000) return `${microseconds} µs`;
  return microseconds < 1_000_000 ? `${(microseconds / 1000).toFixed(1)} ms` : `${(microseconds / 1_000_000).toFixed(1)} s`;
}

function describeDetail({ type, body }: StoredEvent, fields: Fields | undefined): string {
  if (body === null) return 'its body was erased';
  if (fields === undefined) return 'its body is not readable';
  const parts: string[] = [];
  const news = describeNews(type, fields);
  if (news !== undefined) parts.push(news);
  else if (type === 'mcp_connection_ended') parts.push(describeTraffic(fields));
  else if (type === FLOW_TYPE) parts.push(describeFlow(fields));
  else if (type === DETECTION_TYPE && ruleOfFinding(fields) !== '') parts.push(describeFinding(fields));
  else {
    if (anyTextOf(fields, 'from') !== '') parts.push(`from the ${anyTextOf(fields, 'from')}`);
    const rest = Object.entries(fields).filter(([name, value]) => !SAID_ELSEWHERE.has(name) && value !== null);
    parts.push(...rest.map(([name, value]) => `${name}=${asText(value)}`));
  }
  // Events that were not inspected must not pass for clean.
  const { inspectors, skipped } = fields;
  if (Array.isArray(inspectors) && inspectors.length === 0) parts.push('not inspected');
  if (Array.isArray(skipped) && skipped.length > 0) parts.push(`skipped: ${skipped.map(describeSkip).join(', ')}`);
  return joinTexts(parts);
}

/** The part that was not inspected, or not stored in full, and why. */
function describeSkip(skip: unknown): string {
  if (typeof skip !== 'object' || skip === null || !('what' in skip) || !('why' in skip)) return asText(skip);
  return `${asText(skip.what)} (${asText(skip.why)})`;
}

function describeTraffic(fields: Fields): string {
  const count = (name: string): string => asText(fields[name] ?? '?');
  const read = fields['results_read'];
  const results = typeof read === 'number' ? [`${countOf(read, 'result')} read for what flows on`] : [];
  return [
    `${count('messages_from_client')} messages from the client`,
    `${count('messages_from_server')} from the server`,
    `${count('messages_inspected')} inspected`,
    `${count('messages_refused')} refused`,
    `${count('calls_decided')} calls decided`,
    `${count('calls_blocked')} blocked`,
    ...results,
  ].join(', ');
}

function firstText(fields: Fields, names: readonly string[]): string {
  return names.map((name) => anyTextOf(fields, name)).find((text) => text !== '') ?? '';
}

function anyTextOf(fields: Fields, name: string): string {
  const value = fields[name];
  return value === undefined || value === null ? '' : asText(value);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The rule by which detection found what an event is about; empty where an edit has made it something else. */
function ruleOfFinding(fields: Fields): string {
  return textOf(objectOf(fields, 'detection'), 'pattern');
}

/** Words of an event for something that detection has found: where it was, what it means, and in which text. As recorded. */
function describeFinding(fields: Fields): string {
  const detection = objectOf(fields, 'detection');
  const [first = {}] = objectsOf(detection, 'matches');
  const text = textOf(first, 'text');
  const decoded = textOf(first, 'decoded');
  const suppressed = textOf(fields, 'suppressed');
  return joinTexts([
    placeOf(textOf(fields, 'origin'), textOf(detection, 'field')),
    textOf(detection, 'description'),
    text === '' ? '' : `${JSON.stringify(text)}${decoded === '' ? '' : ` (${decoded})`}`,
    suppressed === '' ? '' : `suppressed: ${suppressed}`,
  ]);
}

function placeOf(origin: string, field: string): string {
  if (origin === '' || origin === 'definition') return field;
  return field === '' ? origin : `${origin} ${field}`;
}

/** Calls that are named in a line; the newest ones. */
const MOST_CALLS = 3;

/** Recorded texts of a finding that may say what flows; empty if nothing is known. */
interface RecordedFinding {
  readonly reason: string;
  readonly evidence: string;
  readonly encoding: string;
}

/** Describes the value that flows, without showing it; empty if it is unknown, or the reason describes it already. */
function valueBeside({ reason, evidence, encoding }: RecordedFinding): string {
  const value = describeEvidence({ description: evidence, encoding });
  return value === '' || reason.includes(value) ? '' : `value: ${value}`;
}

/**
 * Describes a flow beside its rule and its reason: the related calls, and the value that flows unless the reason describes it. Texts are
 * as recorded, and fields that an edit has given another type are left out.
 */
function describeFlow(fields: Fields): string {
  const related = objectsOf(fields, 'related_calls').map((call) => `${textOf(call, 'server_id')}:${textOf(call, 'tool_name')}`);
  const shown = related.slice(-MOST_CALLS);
  const more = related.length - shown.length;
  return joinTexts([
    shown.length === 0 ? '' : `with ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
    valueBeside({
      reason: textOf(fields, 'reason'),
      evidence: textOf(fields, 'evidence'),
      encoding: textOf(fields, 'evidence_encoding'),
    }),
  ]);
}

/** Names of arguments that say most about a call, the most telling first. */
const TELLING = ['path', 'file_path', 'uri', 'url', 'command', 'cmd', 'query', 'sql', 'to', 'name'];

/** Arguments that are shown of a call in a line, and characters of each. */
const MOST_SHOWN = 3;
const LONGEST = 60;

/**
 * The arguments that say most about a call, in one line: `path="/etc/hosts", head=10`. They are as recorded, so secrets are marks.
 *
 * @param input the arguments of a recorded call, whatever an edit has made of them
 */
function tellingArguments(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const all = Object.entries(input);
  const rank = (name: string): number => (TELLING.includes(name) ? TELLING.indexOf(name) : TELLING.length);
  const shown = all.toSorted(([a], [b]) => rank(a) - rank(b)).slice(0, MOST_SHOWN);
  const texts = shown.map(([name, value]) => `${shorten(name)}=${shorten(JSON.stringify(value))}`);
  return `${texts.join(', ')}${all.length > shown.length ? ', …' : ''}`;
}

/** The end tells files apart, and the beginning what they are. */
function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST / 2)}…${text.slice(-LONGEST / 2)}`.toWellFormed();
}
