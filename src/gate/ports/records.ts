import type { Call, Category } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import type { Detection, TextOrigin } from '../../core/detect/types.ts';
import type { FlowAction, FlowFinding } from '../../core/finding.ts';
import type { PolicyChange } from '../../core/policy/types.ts';
import type { DefinitionKind } from '../../core/registry/definition.ts';
import type { OfferedField } from '../../core/registry/offered-tool.ts';
import type { CensusReport } from '../census.ts';
import type { Answer, Approval } from './approval-port.ts';
import type { ChangedRecord, SeenRecord, ServerChangedRecord } from './registry-port.ts';
import type { SessionBy } from './session-port.ts';
import type { DeniedCallMadeRecord } from './sighting-port.ts';

/** What is known of a call that was seen in a model's answer. */
export interface Intercepted {
  /** Of the API, e.g. `anthropic`. */
  readonly dialect: string;
  /** Of the request to the API that it is part of the answer to. */
  readonly request: string;
  /** The API's id of the call. */
  readonly id: string;
  /** The tool's name as the model said it. */
  readonly name: string;
  /** `provider`: it has been run by the time it is seen, and comes to no server of the agent's. */
  readonly runBy: 'client' | 'provider';
  /** How the server is reached, as far as it is known: `stdio`, `http`, and host and port. */
  readonly serverType: string | undefined;
  readonly serverAddress: string | undefined;
  /** Fingerprint of the tool's definition as it was seen last; undefined where none was. */
  readonly fingerprint: string | undefined;
  /** Why its arguments could not be relied on, if so. */
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
  /** Set where it was seen in a model's answer. */
  readonly intercepted?: Intercepted | undefined;
  readonly decision: Decision;
  /** What came of asking a person; undefined where nobody had to be asked. */
  readonly asked: Approval | undefined;
  /** Id of the record of the same call where it was seen in a model's answer; undefined where that is not known of any. */
  readonly sightingOf?: string | undefined;
  /** The question that was asked, and who gave which answer, as far as there was any. */
  readonly answer?: Omit<Answer, 'approval'> | undefined;
  /** Why it came out as it did, as a stable code: the decision's, or the approval's where one was needed and not given; and the model's words for it. */
  readonly reason: string;
  readonly told?: string | undefined;
  /** Nothing was enforced: the call was forwarded whatever the decision. */
  readonly isObserved: boolean;
  /** What looked at it: `policy`, `flow` where the session was looked at, `detection` where the definition was. */
  readonly inspectors: readonly string[];
  /** What kind of call it is; undefined where nobody asked. */
  readonly categories?: readonly Category[] | undefined;
  /** The answer of the model that it came from, where that is known. */
  readonly turn?: string | undefined;
  /** Microseconds from the complete line to the verdict. */
  readonly latency: number;
}

/** A message that was refused without being decided: malformed, too long, or not allowed where it came. */
export interface RefusalRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly from: 'client' | 'server';
  /** What was wrong with it. */
  readonly problem: string;
  readonly method: string | undefined;
  /** Its id as JSON text, where it could be read. */
  readonly requestId: string | undefined;
  /** It was forwarded all the same. */
  readonly isObserved: boolean;
}

/** A policy that changed while the connection was there. */
export interface PolicyRecord extends PolicyChange {
  readonly time: number;
  readonly session: string;
  readonly server: string;
}

/** What a flow rule found in a call. */
export interface FlowRecord {
  readonly time: number;
  readonly session: string;
  readonly call: Call;
  /** Id of the call's own record. */
  readonly record: string;
  readonly finding: FlowFinding;
  /** What became of the call because of it. */
  readonly action: FlowAction;
}

/** What is left to say when a connection ends. */
export interface SummaryRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  readonly census: CensusReport;
}

/** A client has sent the result of a model's call that was denied. */
export interface DeniedResultRecord {
  readonly time: number;
  readonly session: string;
  /** Of the call, as it was denied. */
  readonly server: string;
  readonly tool: string;
  readonly intercepted: Intercepted;
  /** Of our own making: the request that has the result. */
  readonly request: string;
}

/** What becomes of that in which something was found. `allow`: nothing, since the policy's user knows of it (`suppressed`). */
export type DetectionAction = 'alert' | 'hide' | 'redact' | 'deny' | 'prompt' | 'allow';

/** Something that detection has found. */
export interface DetectionRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly server: string;
  /** In what it was found. */
  readonly origin: 'arguments' | TextOrigin;
  /** The definition that it was found in, or that a call was about; undefined for what is about none. */
  readonly subject: { readonly kind: DefinitionKind; readonly name: string } | undefined;
  /** Of the definition that it was found in. */
  readonly fingerprint?: string | undefined;
  /** Of the message that it was found in, or that was answered with it. */
  readonly method?: string | undefined;
  /** Id of the record of the call that it is about. */
  readonly call?: string | undefined;
  readonly detection: Detection;
  readonly action: DetectionAction;
  /** Why the policy's user does not want to hear of it. */
  readonly suppressed?: string | undefined;
}

/** A tool that a request offers to a model otherwise than its server has listed it. */
export interface OfferedDiffersRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  /** Id of the request, of our own making. */
  readonly request: string;
  readonly server: string;
  readonly tool: string;
  /** What the request calls it. */
  readonly name: string;
  readonly fields: readonly OfferedField[];
  /** Fingerprint of what the server listed last, and SHA-256 of what is offered, in the same form. */
  readonly listed: string | undefined;
  readonly offered: string;
  /** What the model is told that it does. */
  readonly description: string;
}

/** A connection to a remote server that was refused because of what was found at the other end. */
export interface ConnectionRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  /** Host and port. */
  readonly address: string;
  /** What was wrong, for people. */
  readonly problem: string;
  /** Fingerprints of the key that was to be there, and of the one that was. */
  readonly expected: string;
  readonly found: string;
}

/** What was asked of an LLM provider, or what it has answered, as it is kept: without secrets, and within bounds. */
export interface BodyRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly kind: 'request' | 'answer';
  /** The provider's name, and the API that it speaks. */
  readonly provider: string;
  readonly dialect: string;
  /** Id of the request, of our own making; calls in its answer are recorded with it. */
  readonly request: string;
  /** JSON text. */
  readonly json: string;
  /** Why something is not in it, each reason once. */
  readonly cuts: ReadonlySet<'too_long' | 'too_many_members' | 'too_many_values' | 'too_deep' | 'too_large'>;
}

/**
 * What became of a request for an answer of a model: its answer was looked at, it was refused since nobody could do that, or it passed all the same
 * (`unlooked`) where clawai only observes.
 */
export type RequestFate = 'looked' | 'refused' | 'unlooked';
export type RequestCounts = Readonly<Record<RequestFate, number>>;

/** How many requests there were, told when no more can come. */
export interface ModelRequestsRecord {
  readonly time: number;
  readonly session: string;
  readonly counts: RequestCounts;
}

/** All that is recorded, by its type. */
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
}

export type RecordType = keyof Records;

/** What a sink takes: a record that says of which type it is. */
export type AuditRecord<Type extends RecordType = RecordType> = {
  readonly [T in Type]: Records[T] & { readonly type: T };
}[Type];
