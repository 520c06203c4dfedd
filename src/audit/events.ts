import { ruleName } from '../core/decision.ts';
import { redactJson, type CutReason } from '../core/dlp/redact-json.ts';
import { redactText } from '../core/dlp/redact-text.ts';
import type { AuditEvent, CallRecord, PolicyRecord, RefusalRecord, SummaryRecord } from '../gate/ports.ts';

/** A URI or a name longer than this is cut in the audit; it comes from a model. */
const MOST_TEXT = 1024;

const TYPES: Readonly<Record<string, string>> = {
  'tools/call': 'mcp_tool_called',
  'resources/read': 'mcp_resource_read',
  'prompts/get': 'mcp_prompt_requested',
};

/**
 * The event of one decided call. Its words are those of the event format, where a denial is `block`.
 *
 * Secrets are replaced by marks wherever a peer could have put one. `skipped` names what was not stored in full: what was cut
 * off was not looked at for secrets either.
 */
export function callEvent(record: CallRecord): AuditEvent {
  const { call, decision, asked } = record;
  const mayPass = decision.action === 'allow' || (decision.action === 'prompt' && asked === 'granted');
  const isForwarded = record.isObserved || mayPass;
  const event = new EventText(TYPES[call.method] ?? 'mcp_request_decided');
  const action = isForwarded ? 'allow' : 'block';
  event.put('id', record.id);
  event.put('timestamp', new Date(record.time).toISOString());
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', call.server);
  event.putRedacted('method', call.method);
  const tool = event.putRedacted('tool_name', call.tool);
  event.putRedacted('resource_uri', call.resource);
  event.putRedacted('prompt_name', call.prompt);
  if (call.args !== undefined) event.putCut('input', redactJson(call.args));
  event.putId(record.requestId);
  event.put('action', action);
  event.put('decision', decision.action);
  event.put('reason', record.reason);
  event.put('rule', decision.rule === undefined ? undefined : ruleName(decision.rule));
  event.put('approval', asked);
  event.put('approval_id', record.answer?.id);
  event.put('approved_by', asked === 'granted' ? record.answer?.by : undefined);
  event.put('refused_by', asked === 'refused' ? record.answer?.by : undefined);
  event.put('approval_scope', record.answer?.remember);
  event.put('mode', record.isObserved ? 'observe' : 'enforce');
  event.put('policy_hash', decision.policyHash);
  event.put('latency_us', Math.round(record.latency));
  const body = event.end(['policy']);
  return { type: event.type, time: record.time, session: record.session, server: server ?? '', tool, action, body };
}

/** The event of a message that was refused without being decided. */
export function refusalEvent(record: RefusalRecord): AuditEvent {
  const event = new EventText('mcp_message_refused');
  const action = record.isObserved ? 'allow' : 'block';
  event.put('timestamp', new Date(record.time).toISOString());
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

/** The event of a policy that changed, or could not. */
export function policyEvent(record: PolicyRecord): AuditEvent {
  const event = new EventText('mcp_policy_changed');
  event.put('timestamp', new Date(record.time).toISOString());
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', record.server);
  event.put('status', record.status);
  event.put('source', record.source);
  event.put('file', record.file);
  event.putRedacted('problem', record.problem);
  event.put('policy_hash', record.hash);
  return { type: event.type, time: record.time, session: record.session, server: server ?? '', body: event.end(undefined) };
}

/** The event that ends a connection: what was seen, by method. */
export function summaryEvent(record: SummaryRecord): AuditEvent {
  const { census } = record;
  const event = new EventText('mcp_connection_ended');
  event.put('timestamp', new Date(record.time).toISOString());
  event.put('session_id', record.session);
  const server = event.putRedacted('server_id', record.server);
  event.put('messages_from_client', census.fromClient);
  event.put('messages_from_server', census.fromServer);
  event.put('messages_inspected', census.inspected);
  event.put('messages_passed', census.passed);
  event.put('messages_refused', census.refused);
  event.put('answers_unasked', census.unasked);
  event.put('calls_decided', census.decided);
  event.put('calls_blocked', census.denied);
  // Methods that a peer made up are among them.
  event.putCounts('methods', census.methods);
  return { type: event.type, time: record.time, session: record.session, server: server ?? '', body: event.end(undefined) };
}

/** The JSON text of an event, field by field, so that numbers stay as they were sent. Fields without a value are left out. */
class EventText {
  readonly type: string;
  #text: string;
  readonly #skipped: string[] = [];

  constructor(type: string) {
    this.type = type;
    this.#text = `{"type":${JSON.stringify(type)}`;
  }

  /** Our own words, numbers and names, and the policy's. */
  put(field: string, value: string | number | undefined): void {
    if (value !== undefined) this.#text += `,"${field}":${JSON.stringify(value)}`;
  }

  /** What a peer wrote. Returns what is stored of it. */
  putRedacted(field: string, value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    const { text, isCut } = redactText(value, MOST_TEXT);
    if (isCut) this.#skip(field, 'too_long');
    this.put(field, text);
    return text;
  }

  /** Counts by name; those of names that are one when redacted are added up. */
  putCounts(field: string, counts: Readonly<Record<string, number>>): void {
    const redacted = new Map<string, number>();
    for (const [name, count] of Object.entries(counts)) {
      const { text } = redactText(name, MOST_TEXT);
      redacted.set(text, (redacted.get(text) ?? 0) + count);
    }
    this.#text += `,"${field}":${JSON.stringify(Object.fromEntries(redacted))}`;
  }

  putCut(field: string, { json, cuts }: { readonly json: string; readonly cuts: ReadonlySet<CutReason> }): void {
    this.#text += `,"${field}":${json}`;
    for (const reason of cuts) this.#skip(field, reason);
  }

  /** A request's id, as it was sent; a number that a double can't hold stays text rather than becoming another number. */
  putId(text: string | undefined): void {
    if (text === undefined) return;
    const id: unknown = JSON.parse(text);
    if (typeof id === 'number' && String(id) === text) this.put('jsonrpc_id', id);
    else this.putRedacted('jsonrpc_id', typeof id === 'string' ? id : text);
  }

  /** @param inspectors what looked at the message; undefined where the event is about none */
  end(inspectors: readonly string[] | undefined): string {
    if (inspectors !== undefined)
      this.#text += `,"inspectors":${JSON.stringify(inspectors)},"skipped":[${this.#skipped.join(',')}]`;
    return `${this.#text}}`;
  }

  #skip(what: string, why: CutReason): void {
    this.#skipped.push(`{"what":"${what}","why":"${why}"}`);
  }
}
