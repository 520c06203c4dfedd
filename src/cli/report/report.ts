import type { RequestCounts } from '../../gate/ports/records.ts';
import type { Approval } from '../../gate/ports/approval-port.ts';
import type { SessionBy } from '../../gate/ports/session-port.ts';
import type { Severity } from '../../store/reading/read-query.ts';
import type { Chain } from './chains.ts';

/** Groups of a list that are told; what more there is, is summed up. */
export const LISTED = 50;

/**
 * The output of `clawai report --json`. Names and texts are as recorded, times ISO 8601 in UTC. A list has `LISTED` entries at most, the
 * most important ones first; what it leaves out is the number of events beside it whose name ends in `_left_off`.
 */
export interface SessionReport {
  /** The one session that it is about; null where it is about all of a time. */
  readonly session_id: string | null;
  /** The time that was asked for. */
  readonly since: string | null;
  readonly until: string | null;
  /** The first and the last event; null where there is none. */
  readonly started: string | null;
  readonly ended: string | null;
  readonly duration_ms: number;
  readonly events: number;
  /** Events known only by their columns in the store: their bodies were erased, or are no JSON. */
  readonly events_erased: number;
  readonly events_unreadable: number;
  /** Newest first. */
  readonly sessions: readonly SessionLine[];
  readonly sessions_left_off: number;
  /** Servers that events name, but for those that models alone have called; those of them that were called. */
  readonly servers_connected: number;
  readonly servers_called: number;
  /** Tools that were listed as news, were changed, or were called. */
  readonly tools_seen: number;
  readonly tools_called: number;
  readonly tools_changed: number;
  /** Calls at servers. */
  readonly calls: CallNumbers;
  /** Calls that were seen before, in the answer of a model. */
  readonly calls_from_answers: number;
  /** Calls that came by URLs, by how it was found whose session they are of. */
  readonly calls_by_url: Readonly<Record<SessionBy, number>>;
  /** Calls of models that were seen in their answers alone: of the agent's own tools, those denied, and those that were never made. */
  readonly model_calls: CallNumbers;
  /** Requests to models of which no more can come, by whether their answers were looked at. */
  readonly model_requests: RequestCounts;
  /** Secrets in requests to models, each counted once in a session, by kind and by what happened to them. */
  readonly request_secrets: readonly SecretGroup[];
  readonly flows: readonly FlowGroup[];
  readonly flows_left_off: number;
  readonly flows_total: number;
  readonly denials: readonly DenialGroup[];
  readonly denials_left_off: number;
  readonly changes: readonly ChangeGroup[];
  readonly changes_left_off: number;
  /** Findings of detection and of flow rules. */
  readonly findings_by_severity: Readonly<Record<Severity, number>>;
  readonly detections_by_severity: Readonly<Record<Severity, number>>;
  readonly top_detections: readonly DetectionGroup[];
  readonly detections_left_off: number;
  /** Detections that the policy suppresses; they are counted nowhere else. */
  readonly detections_suppressed: number;
  readonly approvals: Approvals;
  /** Calls that a rate limit denied, or would have. */
  readonly rate_limits_hit: readonly ServerCount[];
  readonly servers: readonly ServerReport[];
  readonly servers_left_off: number;
  readonly refused_messages: readonly RefusalGroup[];
  readonly refused_messages_left_off: number;
  readonly not_inspected: NotInspected;
  readonly policies: Policies;
}

export interface SecretGroup {
  readonly kind: string;
  /** `alert`, `redact` or `tokenize`. */
  readonly mode: string;
  readonly count: number;
}

export interface CallNumbers {
  readonly total: number;
  /** Allowed and denied calls make up the total. */
  readonly allowed: number;
  readonly denied: number;
  /** Allowed calls that the policy would have denied if it were enforced. */
  readonly observed: number;
  /** Calls that a person was to be asked about, allowed or denied, by the outcome. */
  readonly asked: Readonly<Record<Approval, number>>;
}

export interface SessionLine {
  readonly session_id: string;
  readonly started: string;
  readonly ended: string;
  readonly servers: number;
  readonly calls: number;
  readonly denied: number;
  readonly model_calls: number;
  readonly model_denied: number;
  readonly flows: number;
}

/** Chains that differ in their times and calls alone; what differs is of the last of them. */
export interface FlowGroup extends Chain {
  readonly count: number;
}

export interface DenialGroup {
  readonly reason: string;
  /** The policy's rule, or the flow rule where the reason is `flow`. */
  readonly rule: string | null;
  /** False: it was only observed, and went on. */
  readonly enforced: boolean;
  /** A model made these calls. */
  readonly by_model: boolean;
  readonly count: number;
  /** The first of each kind, a few. */
  readonly examples: readonly CallExample[];
}

export interface CallExample {
  readonly timestamp: string;
  readonly call_id: string;
  readonly server_id: string;
  readonly method: string;
  /** Tool, resource or prompt; the method where it has none. */
  readonly subject: string;
}

/** Alerts that one definition, or how a server is started, is not what is trusted. */
export interface ChangeGroup {
  readonly type: 'mcp_tool_changed' | 'mcp_server_changed';
  readonly server_id: string;
  /** `server` where it is about how one is started. */
  readonly kind: string;
  readonly name: string;
  readonly count: number;
  /** The rest is about the last of them. */
  readonly timestamp: string;
  readonly action: string;
  readonly previous_hash: string;
  readonly new_hash: string;
  readonly fields: readonly string[];
}

export interface DetectionGroup {
  readonly server_id: string;
  readonly tool_name: string;
  readonly pattern: string;
  readonly severity: string;
  readonly count: number;
}

export interface Approvals extends Readonly<Record<Approval, number>> {
  readonly answered_by: readonly { readonly by: string; readonly count: number }[];
}

export interface ServerCount {
  readonly server_id: string;
  readonly count: number;
}

/** The agent's own tools, which models call, are a server called `native`. */
export interface ServerReport {
  readonly server_id: string;
  readonly tools_seen: number;
  readonly tools_called: number;
  readonly tools_changed: number;
  readonly calls: CallNumbers;
  /** Calls of models, counted as for all servers. */
  readonly model_calls: CallNumbers;
  /** Calls in the busiest minute. */
  readonly calls_per_minute_max: number;
  /** The tools called most; if models alone have called, the tools of their calls. */
  readonly busiest_tools: readonly { readonly tool_name: string; readonly calls: number; readonly denied: number }[];
  /** Connections that have ended: of others no message is counted below `not_inspected`. */
  readonly connections_ended: number;
}

export interface RefusalGroup {
  /** `client` or `server`. */
  readonly from: string;
  readonly server_id: string;
  readonly reason: string;
  readonly count: number;
}

/** Traffic that was not inspected, and why. A number is null if no connection that has ended says anything of it. */
export interface NotInspected {
  /** Parts of calls that were not recorded in full, and so not looked through for secrets either. */
  readonly skipped: readonly { readonly what: string; readonly why: string; readonly count: number }[];
  /** Messages that no rule is about. */
  readonly messages_passed: number | null;
  readonly messages_refused: number | null;
  readonly answers_unasked: number | null;
  /** Results that were read for values that flow on; those of them that were cut, and those that were not read. */
  readonly results_read: number | null;
  readonly results_cut: number | null;
  readonly results_not_read: number | null;
  /** Calls that flow rules looked at and of which nobody knows from which answer of the model they came: no other is of the same. */
  readonly calls_without_turn: number;
  /** Calls by inspector. */
  readonly inspected_by: readonly { readonly inspector: string; readonly count: number }[];
  /** Servers of which no connection has ended yet. */
  readonly servers_not_ended: readonly string[];
}

export interface Policies {
  /** Hashes of the policies that decided, the first ones. */
  readonly hashes: readonly string[];
  /** News of policies that changed on the way, by what came of it. */
  readonly changes: readonly { readonly status: string; readonly count: number }[];
}
