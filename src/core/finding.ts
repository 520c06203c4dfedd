import type { Category } from './call.ts';

export const FLOW_RULES = ['read_then_send', 'cross_server_flow', 'burst', 'shadow_tool'] as const;
export type FlowRuleName = (typeof FLOW_RULES)[number];

/** What becomes of a call that a flow rule is about. */
export const FLOW_ACTIONS = ['alert', 'prompt', 'deny'] as const;
export type FlowAction = (typeof FLOW_ACTIONS)[number];

/** A call that makes, with others of its session, what a flow rule is about. */
export interface FlowFinding {
  readonly rule: FlowRuleName;
  readonly severity: 'high' | 'critical';
  readonly action: FlowAction;
  /** For people and models, half a sentence whose subject is the call: what it would do, after which call of which server, and when. */
  readonly reason: string;
  /** The calls that it goes with, newest last, the ten newest at most. */
  readonly related: readonly PastCall[];
  /** The value that flows, where one was found. */
  readonly evidence: Evidence | undefined;
}

/** From the mildest on. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What detection has found in what a call is about, at or above the policy's threshold. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** One sentence without a full stop. */
  readonly description?: string;
  /** Where, such as `description`. */
  readonly field?: string;
}

/** What of a server is not as it was trusted: the way in which it is started or reached, or what it says of itself. */
export interface ServerChange {
  readonly of: 'launch' | 'instructions';
  /** Of the launch identity, or of the instructions, that are not trusted. */
  readonly fingerprint?: string;
  /** What of the launch identity differs, such as `args[2]`; empty where that is not known. */
  readonly fields: readonly string[];
}

/** What a guard knows of a definition that it does not trust. */
export interface Distrust {
  /**
   * `changed`: it is another one than was approved. `new`: nobody has approved it. `unlisted`: the server never listed it. `server`: the
   * server is started otherwise than was approved, or says something else of itself.
   */
  readonly what: 'changed' | 'new' | 'unlisted' | 'server';
  /** Of what was seen last; undefined where nothing was. */
  readonly fingerprint?: string;
  /** With `server`: what differs, where that is known. */
  readonly change?: ServerChange;
}

/** A call of a session that may matter to a later one. */
export interface PastCall {
  /** Of its record. */
  readonly id: string;
  /** Milliseconds since the epoch: when it was made, or when its answer came where that took long, since it gave nothing before. */
  readonly time: number;
  /** When it was made, where `time` says when it was answered. */
  readonly made?: number | undefined;
  readonly server: string;
  readonly method: string;
  /** The tool, resource or prompt; empty where it has none, and cut where it is long. */
  readonly subject: string;
  /** At least one. */
  readonly categories: readonly Category[];
  /** The answer of the model that it came from, where that is known. What is unknown is never the same. */
  readonly turn: string | undefined;
  /** It went on to the server. What did not gave nothing, and costs nobody anything. */
  readonly isForwarded: boolean;
}

/** A value in the arguments of a call that a result of another server had. */
export interface Evidence {
  /** Id of the call whose result had it. */
  readonly source: string;
  /** How it was written in the arguments, e.g. `plain`, `base64`; from the outside in. */
  readonly encoding: string;
  /** What of it may be shown: its kind and length, never the value. */
  readonly description: string;
}

/** So many calls a minute, and so many at once after a pause. */
export interface RateLimit {
  /** Calls a minute. */
  readonly rpm: number;
  /** Calls at once; at least 1. */
  readonly burst: number;
}

/** A bucket that a call takes from. */
export interface NamedLimit extends RateLimit {
  /** The same for all calls that share it. */
  readonly key: string;
  /** Whose it is. */
  readonly of: 'server' | 'tool';
}

/** Why a call has to wait. */
export interface RateExcess {
  readonly limit: NamedLimit;
  /** Seconds until one such call may go on, rounded up; at least 1. */
  readonly retryAfter: number;
}
