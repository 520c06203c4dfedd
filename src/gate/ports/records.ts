import type { Call, Category } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import type { Detection, TextOrigin } from '../../core/detect/types.ts';
import type { FlowAction, FlowFinding } from '../../core/finding.ts';
import type { PolicyChange } from '../../core/policy/types.ts';
import type { DefinitionKind } from '../../core/registry/definition.ts';
import type { OfferedField } from '../../core/registry/offered-tool.ts';
import type { TallyReport } from '../tally.ts';
import type { Answer, Approval } from './approval-port.ts';
import type { ChangedRecord, SeenRecord, ServerChangedRecord } from './registry-port.ts';
import type { SessionBy } from './session-port.ts';
import type { DeniedCallMadeRecord } from './seen-call-port.ts';

/** Facts about a call that was seen in a model's answer. */
export interface Intercepted {
  /** Name of the API, e.g. `anthropic`. */
  readonly dialect: string;
  /** Id of the API request whose answer contains it. */
  readonly request: string;
  /** The API's id of the call. */
  readonly id: string;
  /** The tool's name as the model gave it. */
  readonly name: string;
  /** `provider`: it was already run when it is seen, and reaches no server of the agent's. */
  readonly runBy: 'client' | 'provider';
  /** The server's transport and address, if known: `stdio`, `http`, and host and port. */
  readonly serverType: string | undefined;
  readonly serverAddress: string | undefined;
  /** Fingerprint of the tool's definition as it was seen last; undefined if none was. */
  readonly fingerprint: string | undefined;
  /** The reason why its arguments are not reliable, if so. */
  readonly problem: string | undefined;
}

/** One decided call, as the audit gets it. */
export interface CallRecord {
  /** Unique within all records. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly sessionBy?: SessionBy | undefined;
  readonly call: Call;
  /** The JSON-RPC id as it was sent, as JSON text; undefined for a notification. */
  readonly requestId: string | undefined;
  /** Set if it was seen in a model's answer. */
  readonly intercepted?: Intercepted | undefined;
  readonly decision: Decision;
  /** The outcome of asking a person; undefined if nobody had to be asked. */
  readonly asked: Approval | undefined;
  /** Id of the same call's record from a model's answer; undefined if there is none, as far as is known. */
  readonly firstSeenAs?: string | undefined;
  /** The question that was asked, and the answer with its author, if there was any. */
  readonly answer?: Omit<Answer, 'approval'> | undefined;
  /**
   * The stable reason code of the outcome: the decision's, or the approval's if one was needed and not given; and the text that the model
   * was told.
   */
  readonly reason: string;
  readonly told?: string | undefined;
  /** True if nothing was enforced: the call was forwarded whatever the decision. */
  readonly isObserved: boolean;
  /** The inspectors that read it: `policy`, `flow` for the session, `detection` for the definition. */
  readonly inspectors: readonly string[];
  /** The kinds of the call's tool; undefined if nobody asked. */
  readonly categories?: readonly Category[] | undefined;
  /** The model's turn that it came from, if known. */
  readonly turn?: string | undefined;
  /** Microseconds from the complete line to the verdict. */
  readonly latency: number;
}

/** A message that was refused without being decided: malformed, too long, or not allowed at that point. */
export interface RefusalRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly from: 'client' | 'server';
  /** The reason for the refusal. */
  readonly problem: string;
  readonly method: string | undefined;
  /** Its id as JSON text, if it could be read. */
  readonly requestId: string | undefined;
  /** True if it was forwarded all the same. */
  readonly isObserved: boolean;
}

/** A policy that changed during the connection. */
export interface PolicyRecord extends PolicyChange {
  readonly time: number;
  readonly session: string;
  readonly server: string;
}

/** A flow rule's finding in a call. */
export interface FlowRecord {
  readonly time: number;
  readonly session: string;
  readonly call: Call;
  /** Id of the call's own record. */
  readonly record: string;
  readonly finding: FlowFinding;
  /** The action on the call because of it. */
  readonly action: FlowAction;
}

/** The counts at the end of a connection. */
export interface SummaryRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly tally: TallyReport;
}

/** A client's result for a model's call that was denied. */
export interface DeniedResultRecord {
  readonly time: number;
  readonly session: string;
  /** The call, as it was denied. */
  readonly server: string;
  readonly tool: string;
  readonly intercepted: Intercepted;
  /** Our own id of the request that contains the result. */
  readonly request: string;
}

/** The action on something in which a finding was made. `allow`: none, since the policy's user knows of it (`suppressed`). */
export type DetectionAction = 'alert' | 'hide' | 'redact' | 'deny' | 'prompt' | 'allow';

/** A finding of detection. */
export interface DetectionRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly server: string;
  /** The kind of text that contained it. */
  readonly origin: 'arguments' | 'answer' | TextOrigin;
  /** The definition that contained it, or that a call was about; undefined otherwise. */
  readonly subject: { readonly kind: DefinitionKind; readonly name: string } | undefined;
  /** Fingerprint of the definition that contained it. */
  readonly fingerprint?: string | undefined;
  /** Method of the message that contained it, or that it answers. */
  readonly method?: string | undefined;
  /** Id of the record of the call that it is about. */
  readonly call?: string | undefined;
  readonly detection: Detection;
  readonly action: DetectionAction;
  /** The reason why the policy's user suppresses it. */
  readonly suppressed?: string | undefined;
}

/** A tool that a request offers to a model differently than its server has listed it. */
export interface OfferedDiffersRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  /** Our own id of the request. */
  readonly request: string;
  readonly server: string;
  readonly tool: string;
  /** The tool's name in the request. */
  readonly name: string;
  readonly fields: readonly OfferedField[];
  /** Fingerprint of the last listed definition, and SHA-256 of the offered one, in the same form. */
  readonly listed: string | undefined;
  readonly offered: string;
  /** The description that the model is given. */
  readonly description: string;
}

/** A connection to a remote server that was refused because of the other end's key. */
export interface ConnectionRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  /** Host and port. */
  readonly address: string;
  /** The problem, for people. */
  readonly problem: string;
  /** Fingerprints of the expected key and of the presented one. */
  readonly expected: string;
  readonly found: string;
}

/** A request to an LLM provider, or its answer, as it is kept: without secrets, and within bounds. */
export interface BodyRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly kind: 'request' | 'answer';
  /** The provider's name, and its API's. */
  readonly provider: string;
  readonly dialect: string;
  /** Our own id of the request; calls in its answer are recorded with it. */
  readonly request: string;
  /** JSON text. */
  readonly json: string;
  /** The reasons why parts of it are missing, each once. */
  readonly cuts: ReadonlySet<'too_long' | 'too_many_members' | 'too_many_values' | 'too_deep' | 'too_large'>;
}

/**
 * The fate of a request for a model's answer: the answer was inspected, the request was refused because its answer could not be inspected, or
 * it passed all the same (`unchecked`) where clawai only observes.
 */
export type RequestFate = 'checked' | 'refused' | 'unchecked';
export type RequestCounts = Readonly<Record<RequestFate, number>>;

/** Numbers of requests, told when no more can come. */
export interface ModelRequestsRecord {
  readonly time: number;
  readonly session: string;
  readonly counts: RequestCounts;
}

/** Secrets in a request to a model that no earlier request of the session had, of one kind; never their values. */
export interface SecretsRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly dialect: string;
  /** Our own id of the request. */
  readonly request: string;
  readonly kind: string;
  readonly count: number;
  /** JSON pointer to the first of them. */
  readonly place: string;
  /** The action on them. */
  readonly mode: 'alert' | 'redact' | 'tokenize';
}

/** Tokens in a model's answer that stand for no secret that is known: the model made them up, or miswrote them. */
export interface UnknownTokensRecord extends Pick<SecretsRecord, 'time' | 'session' | 'dialect' | 'request' | 'count'> {
  /** `unknown`: the check digit is right, so it may be another session's. `miswritten`: it is not. */
  readonly problem: 'unknown' | 'miswritten';
}

/** All kinds of records, by type. */
interface Records {
  readonly call: CallRecord;
  readonly refusal: RefusalRecord;
  readonly policy: PolicyRecord;
  readonly summary: SummaryRecord;
  readonly connection: ConnectionRecord;
  readonly seen: SeenRecord;
  readonly changed: ChangedRecord;
  readonly server_changed: ServerChangedRecord;
  readonly flow: FlowRecord;
  readonly detection: DetectionRecord;
  readonly denied_result: DeniedResultRecord;
  readonly denied_call_made: DeniedCallMadeRecord;
  readonly offered_differs: OfferedDiffersRecord;
  readonly body: BodyRecord;
  readonly model_requests: ModelRequestsRecord;
  readonly secrets: SecretsRecord;
  readonly unknown_tokens: UnknownTokensRecord;
}

export type RecordType = keyof Records;

/** The input of a sink: a record with its type. */
export type AuditRecord<Type extends RecordType = RecordType> = {
  readonly [T in Type]: Records[T] & { readonly type: T };
}[Type];
