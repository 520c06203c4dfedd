import { parseBody } from '../../audit/event-columns.ts';
import { CALL_TYPES, CANARY_SERVER, DENIED_RESULT_TYPE, DETECTION_TYPE, FLOW_TYPE } from '../../audit/event-types.ts';
import type { Webhook, WebhookEvent } from '../../config/read-webhooks.ts';
import { redactText } from '../../core/dlp/redact-text.ts';
import type { StoredEvent, WaitingQuestion } from '../../store/reading/read.ts';
import { shortId, textOf } from '../log/event-fields.ts';
import { visible } from '../terminal/text.ts';

/**
 * One thing that a webhook tells. It has names and reasons, and no argument, result or definition: whatever is masked on record can't be in it.
 */
export interface Notice {
  /** Unique, and the same in each attempt to send it. */
  readonly id: string;
  readonly event: WebhookEvent | 'test';
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly server: string;
  /** The tool, resource or prompt; empty if it is about something else. */
  readonly subject: string;
  readonly title: string;
  /** One or two plain sentences: the event, and the command to look at it or to answer. */
  readonly text: string;
  readonly severity: string | undefined;
  readonly reason: string | undefined;
  readonly rule: string | undefined;
  /** The question that waits; `expires` in milliseconds since the epoch. */
  readonly question: { readonly id: string; readonly expires: number } | undefined;
}

/** Most characters of a name, and those in which secrets are looked for. */
const MOST_NAME = 80;
const MOST_READ = 4096;

const CHANGED_TYPES: ReadonlySet<string> = new Set(['mcp_tool_changed', 'mcp_server_changed']);

/** Events that are alarms whatever their severity, and what they say. */
const ALARMS: ReadonlyMap<string, string> = new Map([
  [DENIED_RESULT_TYPE, 'A denied call has a result: it was made all the same, or somebody invented the result.'],
  ['mcp_denied_call_made', 'A call was made although it had been denied.'],
  ['mcp_tool_definition_differs', 'A model was offered another definition of a tool than the server declares.'],
  ['mcp_network_connection', 'A connection was refused: the key of the server is not the pinned one.'],
  ['mcp_store_replaced', 'The store was deleted or replaced. Trust starts anew.'],
]);

const FOUND_TYPES: ReadonlySet<string> = new Set([DETECTION_TYPE, FLOW_TYPE]);
const SEVERITIES = ['low', 'medium', 'high', 'critical'];

/** The events of the store that a webhook may tell of. */
export const TOLD_TYPES: readonly string[] = [...CALL_TYPES, ...CHANGED_TYPES, ...ALARMS.keys(), ...FOUND_TYPES];

/** The notice about an event, if this webhook tells of it. */
export function toNotice(
  event: StoredEvent,
  { events, minSeverity }: Pick<Webhook, 'events' | 'minSeverity'>,
): Notice | undefined {
  const { type, server, time, seq } = event;
  if (server === CANARY_SERVER) return undefined;
  const kind = kindOf(event, minSeverity);
  if (kind === undefined || !events.includes(kind)) return undefined;
  const fields = parseBody(event.body ?? '') ?? {};
  const subject = name(event.tool ?? (textOf(fields, 'prompt_name') || textOf(fields, 'resource_uri')));
  const rule = textOf(fields, 'rule') || undefined;
  const about = subject === '' ? name(server) : `${subject} of ${name(server)}`;
  const common = { id: `clawai-${seq}-${time}`, event: kind, time, server: name(server), subject, question: undefined };
  const severity = event.severity ?? undefined;
  if (kind === 'denials') {
    const reason = textOf(fields, 'reason') || undefined;
    const why = rule === undefined ? (reason ?? 'its policy') : `rule ${name(rule)}`;
    const look = `clawai log show ${shortId(textOf(fields, 'id'))}`;
    const text = `clawai denied ${about} (${why}). To see why, run ${look}.`;
    return { ...common, title: 'clawai: a call was denied', text, severity, reason, rule };
  }
  if (kind === 'definitions') {
    const became = { hide: 'is hidden from the model', block: 'is denied' }[event.action ?? ''] ?? 'is still used';
    const text = `${about} has changed since it was trusted. It ${became}. To look, run clawai approvals.`;
    return { ...common, title: 'clawai: a definition has changed', text, severity, reason: undefined, rule };
  }
  const found = type === FLOW_TYPE ? `rule ${name(rule ?? '')} found a flow` : 'detection found something';
  const text =
    ALARMS.get(type) ?? `In ${about}, ${found} (severity ${severity ?? 'unknown'}). To look, run clawai log --verbose.`;
  return { ...common, title: 'clawai: alarm', text: ALARMS.has(type) ? `${about}: ${text}` : text, severity, reason: type, rule };
}

function kindOf({ type, action, severity }: StoredEvent, least: Webhook['minSeverity']): WebhookEvent | undefined {
  if (CHANGED_TYPES.has(type)) return 'definitions';
  if (type === 'mcp_network_connection') return action === 'block' ? 'alarms' : undefined;
  if (ALARMS.has(type)) return 'alarms';
  if (FOUND_TYPES.has(type)) return SEVERITIES.indexOf(severity ?? '') >= SEVERITIES.indexOf(least) ? 'alarms' : undefined;
  return CALL_TYPES.some((known) => known === type) && action === 'block' ? 'denials' : undefined;
}

/** The notice about a question that waits. It has the id and the commands to answer, and no arguments. */
export function toQuestionNotice(question: WaitingQuestion, now: number): Notice {
  const { id, server, tool, resource, prompt, method, rule, askedAt, expiresAt } = question;
  const subject = name(tool ?? prompt ?? resource ?? method);
  const left = Math.max(0, Math.round((expiresAt - now) / 1000));
  const why = rule === null ? '' : ` (rule ${name(rule)})`;
  return {
    id: `clawai-question-${id}`,
    event: 'questions',
    time: askedAt,
    server: name(server),
    subject,
    title: 'clawai: approval needed',
    text: `${subject} of ${name(server)} waits for you${why}, ${left} s at most. Run clawai approvals, clawai approve ${id} or clawai deny ${id}.`,
    severity: undefined,
    reason: undefined,
    rule: rule === null ? undefined : name(rule),
    question: { id, expires: expiresAt },
  };
}

export function testNotice(now: number): Notice {
  const text = 'This is a test. clawai tells you here what it denies, and what waits for you.';
  const rest = { severity: undefined, reason: undefined, rule: undefined, question: undefined };
  return { id: `clawai-test-${now}`, event: 'test', time: now, server: '', subject: '', title: 'clawai: test', text, ...rest };
}

/** Identifies notices that say the same, so that many are sent as one. */
export function sameness({ event, server, subject, reason, rule, question }: Notice): string {
  return JSON.stringify([event, server, subject, reason ?? null, rule ?? null, question?.id ?? null]);
}

/** A name of a peer's, without secrets, cut, with nothing in it that is not seen. */
function name(text: string): string {
  const safe = redactText(text, MOST_READ).text;
  const shown = visible(safe.slice(0, MOST_NAME).toWellFormed());
  return safe.length > MOST_NAME ? `${shown}…` : shown;
}
