import { recordedArguments, recordedURI } from '../core/outgoing/recorded-arguments.ts';
import { ruleName } from '../core/decision.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import { nameOf, quoteName } from '../core/flow/words.ts';
import type { AuditEvent } from '../gate/ports/ports.ts';
import type {
  CallRecord,
  ConnectionRecord,
  Intercepted,
  PolicyRecord,
  RefusalRecord,
  SummaryRecord,
} from '../gate/ports/records.ts';
import { EventText } from './event-text.ts';

export const REPLACED = 'the store file was deleted or replaced while it was in use: clawai now writes to a new one';

/** The type of every model's call, whatever its outcome. */
const INTERCEPTED = 'mcp_tool_call_intercepted';

const TYPES: Readonly<Record<string, string>> = {
  'tools/call': 'mcp_tool_called',
  'resources/read': 'mcp_resource_read',
  'prompts/get': 'mcp_prompt_requested',
};

/**
 * Formats one decided call. The event format says `block` for a denial.
 *
 * Secrets are masked wherever a peer could have put one. `skipped` names what was not stored in full; the part that was cut off was not
 * checked for secrets either.
 */
export function callEvent(record: CallRecord): AuditEvent {
  const { call, decision, asked } = record;
  const mayPass = decision.action === 'allow' || (decision.action === 'prompt' && asked === 'granted');
  const isForwarded = record.isObserved || mayPass;
  const { intercepted } = record;
  const event = new EventText(intercepted === undefined ? (TYPES[call.method] ?? 'mcp_request_decided') : INTERCEPTED);
  const action = isForwarded ? 'allow' : 'block';
  event.putOwnId('id', record.id);
  event.putTime(record.time);
  event.put('session_id', record.session);
  event.put('session_by', record.sessionBy);
  const server = event.putRedacted('server_id', call.server);
  event.putRedacted('method', call.method);
  const tool = event.putRedacted('tool_name', call.tool);
  const { dlp = [] } = decision;
  const uri = call.resource === undefined ? undefined : recordedURI(call.resource, dlp);
  event.putRedacted('resource_uri', uri);
  event.putRedacted('prompt_name', call.prompt);
  const shown = call.shownArgs ?? call.args;
  if (shown !== undefined) event.putCut('input', redactJson(recordedArguments(shown, dlp)));
  if (intercepted === undefined) event.putId(record.requestId);
  else putIntercepted(event, intercepted);
  event.put('sighting_of', record.firstSeenAs);
  event.put('action', action);
  event.put('decision', decision.action);
  event.put('reason', record.reason);
  event.put('rule', decision.rule === undefined ? undefined : ruleName(decision.rule));
  event.put('approval', asked);
  event.put('approval_id', record.answer?.id);
  event.put('approved_by', asked === 'granted' ? record.answer?.by : undefined);
  event.put('refused_by', asked === 'refused' ? record.answer?.by : undefined);
  event.put('approval_scope', record.answer?.remember);
  event.put('approved_in', record.answer?.isEarlier === true ? 'model_answer' : undefined);
  event.put('mode', record.isObserved ? 'observe' : 'enforce');
  event.put('policy_hash', decision.policyHash);
  event.put('latency_us', Math.round(record.latency));
  event.put('category', record.categories?.join(' '));
  event.putRedacted('turn_id', record.turn);
  event.put('flow', decision.flow?.map(({ rule }) => rule).join(' '));
  if (decision.findings.length > 0) event.put('detections', decision.findings.map(({ rule }) => rule).join(' '));
  event.put('retry_after', decision.excess?.retryAfter);
  const isHidden = uri !== undefined && uri !== call.resource;
  event.putRedacted('told', isHidden ? record.told?.replaceAll(nameOf(call), () => quoteName(uri)) : record.told);
  const body = event.end(record.inspectors);
  return { type: event.type, time: record.time, session: record.session, server: server ?? '', tool, action, body };
}

function putIntercepted(event: EventText, intercepted: Intercepted): void {
  event.put('dialect', intercepted.dialect);
  event.putRedacted('request_id', intercepted.request);
  // Some APIs have no ids.
  if (intercepted.id !== '') event.putRedacted('tool_call_id', intercepted.id);
  event.putRedacted('model_tool_name', intercepted.name);
  event.put('server_type', intercepted.serverType);
  event.putRedacted('server_addr', intercepted.serverAddress);
  event.put('tool_hash', intercepted.fingerprint);
  event.put('arguments_problem', intercepted.problem);
}

/** Formats a message that was refused without a decision. */
export function refusalEvent(record: RefusalRecord): AuditEvent {
  const event = new EventText('mcp_message_refused');
  const action = record.isObserved ? 'allow' : 'block';
  event.putTime(record.time);
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', record.server);
  event.put('from', record.from);
  event.putRedacted('method', record.method);
  event.putId(record.requestId);
  event.put('action', action);
  event.putRedacted('reason', record.problem);
  event.put('mode', record.isObserved ? 'observe' : 'enforce');
  const body = event.end([]);
  return { type: event.type, time: record.time, session: record.session, server: server ?? '', action, body };
}

/** Formats a change of the policy, or a failed one. */
export function policyEvent(record: PolicyRecord): AuditEvent {
  const event = new EventText('mcp_policy_changed');
  event.putTime(record.time);
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', record.server);
  event.put('status', record.status);
  event.put('source', record.source);
  event.put('file', record.file);
  event.putRedacted('problem', record.problem);
  event.put('policy_hash', record.hash);
  return { type: event.type, time: record.time, session: record.session, server: server ?? '', body: event.end(undefined) };
}

/** Formats the end of a connection, with the counts of its messages by method. */
export function summaryEvent(record: SummaryRecord): AuditEvent {
  const { tally } = record;
  const event = new EventText('mcp_connection_ended');
  event.putTime(record.time);
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', record.server);
  event.put('messages_from_client', tally.fromClient);
  event.put('messages_from_server', tally.fromServer);
  event.put('messages_inspected', tally.inspected);
  event.put('messages_passed', tally.passed);
  event.put('messages_refused', tally.refused);
  event.put('answers_unasked', tally.unasked);
  event.put('calls_decided', tally.decided);
  event.put('calls_blocked', tally.denied);
  event.put('results_read', tally.results.read);
  event.put('results_cut', tally.results.cut);
  event.put('results_not_read', tally.results.not_read);
  event.putCounts('detection', tally.scans);
  // Method names may be invented by a peer.
  event.putCounts('methods', tally.methods);
  return { type: event.type, time: record.time, session: record.session, server: server ?? '', body: event.end(undefined) };
}

/** Formats a connection that was refused because the server's key was not the pinned one. */
export function connectionEvent(record: ConnectionRecord): AuditEvent {
  const event = new EventText('mcp_network_connection');
  event.putTime(record.time);
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', record.server);
  event.put('server_type', 'http');
  event.putRedacted('remote_addr', record.address);
  event.put('action', 'block');
  event.put('severity', 'critical');
  event.putRedacted('reason', record.problem);
  event.putOwnId('expected_fingerprint', record.expected);
  event.putOwnId('found_fingerprint', record.found);
  const body = event.end([]);
  const { time, session } = record;
  return { type: event.type, time, session, server: server ?? '', action: 'block', severity: 'critical', body };
}

/** Formats the first event of a store that took the place of another one under a running process. @param next the event that follows it */
export function replacedEvent({ time, session, server }: AuditEvent): AuditEvent {
  const event = new EventText('mcp_store_replaced');
  event.putTime(time);
  event.put('session_id', session);
  event.putRedacted('server_id', server === '' ? undefined : server);
  event.put('action', 'alert');
  event.put('severity', 'critical');
  event.put('reason', REPLACED);
  return { type: event.type, time, session, server, action: 'alert', severity: 'critical', body: event.end([]) };
}
