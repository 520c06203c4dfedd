import { ruleName } from '../core/decision.ts';
import type { CallRecord, RefusalRecord, SummaryRecord } from '../gate/ports.ts';

/** A URI or a name longer than this is cut in the audit; it comes from a model. */
const MOST_TEXT = 1024;

const TYPES: Readonly<Record<string, string>> = {
  'tools/call': 'mcp_tool_called',
  'resources/read': 'mcp_resource_read',
  'prompts/get': 'mcp_prompt_requested',
};

/**
 * The event of one decided call, ready for JSON. Its words are those of the event format, where a denial is `block`.
 *
 * Argument values are left out: they can hold secrets, and nothing redacts them on this path. Their names are in.
 */
export function callEvent(record: CallRecord): Readonly<Record<string, unknown>> {
  const { call, decision, asked } = record;
  const isForwarded = record.isObserved || decision.action === 'allow' || asked === 'granted';
  return {
    type: TYPES[call.method] ?? 'mcp_request_decided',
    id: record.id,
    timestamp: new Date(record.time).toISOString(),
    session_id: record.session,
    server_id: call.server,
    method: call.method,
    ...(call.tool === undefined ? {} : { tool_name: cut(call.tool) }),
    ...(call.resource === undefined ? {} : { resource_uri: cut(call.resource) }),
    ...(call.prompt === undefined ? {} : { prompt_name: cut(call.prompt) }),
    ...(call.args === undefined ? {} : { argument_names: Object.keys(call.args).slice(0, 64).map(cut) }),
    ...(record.requestId === undefined ? {} : { jsonrpc_id: exactId(record.requestId) }),
    action: isForwarded ? 'allow' : 'block',
    decision: decision.action,
    reason: record.reason,
    ...(decision.rule === undefined ? {} : { rule: ruleName(decision.rule) }),
    ...(asked === undefined ? {} : { approval: asked }),
    mode: record.isObserved ? 'observe' : 'enforce',
    policy_hash: decision.policyHash,
    latency_us: Math.round(record.latency),
    inspectors: ['policy'],
  };
}

/** The event of a message that was refused without being decided. */
export function refusalEvent(record: RefusalRecord): Readonly<Record<string, unknown>> {
  return {
    type: 'mcp_message_refused',
    timestamp: new Date(record.time).toISOString(),
    session_id: record.session,
    server_id: record.server,
    from: record.from,
    ...(record.method === undefined ? {} : { method: cut(record.method) }),
    ...(record.requestId === undefined ? {} : { jsonrpc_id: exactId(record.requestId) }),
    action: record.isObserved ? 'allow' : 'block',
    reason: cut(record.problem),
    mode: record.isObserved ? 'observe' : 'enforce',
  };
}

/** The event that ends a connection: what was seen, by method. */
export function summaryEvent(record: SummaryRecord): Readonly<Record<string, unknown>> {
  const { census } = record;
  return {
    type: 'mcp_connection_ended',
    timestamp: new Date(record.time).toISOString(),
    session_id: record.session,
    server_id: record.server,
    messages_from_client: census.fromClient,
    messages_from_server: census.fromServer,
    messages_inspected: census.inspected,
    messages_passed: census.passed,
    messages_refused: census.refused,
    answers_unasked: census.unasked,
    calls_decided: census.decided,
    calls_blocked: census.denied,
    methods: census.methods,
  };
}

/** An id as it was sent; a number that a double can't hold stays text rather than becoming another number. */
function exactId(text: string): unknown {
  const id: unknown = JSON.parse(text);
  return typeof id === 'number' && String(id) !== text ? text : id;
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}
