import type { Category } from './call.ts';

export const FLOW_RULES = ['read_then_send', 'cross_server_flow', 'steered_call', 'burst', 'shadow_tool'] as const;
export type FlowRuleName = (typeof FLOW_RULES)[number];

/** Actions on a call that a flow rule is about. */
export const FLOW_ACTIONS = ['alert', 'prompt', 'deny'] as const;
export type FlowAction = (typeof FLOW_ACTIONS)[number];

/** A flow rule's match: a call, together with others of its session. */
export interface FlowFinding {
  readonly rule: FlowRuleName;
  readonly severity: 'high' | 'critical';
  readonly action: FlowAction;
  /** Half a sentence for people and models whose subject is the call: what it would do, after which call of which server, and when. */
  readonly reason: string;
  /** A sentence for the person who is asked, if it says more. It has the beginning of a value, so it goes to nobody else. */
  readonly question?: string;
  /** The related calls, newest last, at most the ten newest. */
  readonly related: readonly PastCall[];
  /** The value that flows, if one was found. */
  readonly evidence: Evidence | undefined;
}

/** From the mildest to the most severe. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Detection's finding in the subject of a call, at or above the policy's threshold. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** One sentence without a full stop. */
  readonly description?: string;
  /** The place, such as `description`. */
  readonly field?: string;
}

/** A part of a call's arguments that its tool's schema does not allow. */
export interface SchemaFault {
  /** The place, such as `edits.0.path`; empty for the arguments as a whole. */
  readonly path: string;
  /** The keyword that is broken, such as `required`. */
  readonly keyword: string;
  /** Half a sentence whose subject is the place: `must be a string`. Names and values of the call are not in it. */
  readonly problem: string;
}

/** The kind of a secret that is known from another server. */
export const KNOWN = 'known_secret';

/** A secret in the arguments of a call; the secret itself is not in it. */
export interface ArgumentSecret {
  /** The kind, such as `github_token`. */
  readonly kind: string;
  /** The place for people, such as `edits.0.text`; that of the first part if it is split, and empty if unknown. */
  readonly path: string;
  /** The disguise: encodings from the outside in, such as `url, base64`; `split` over several arguments; `key` in a member's name. */
  readonly hiding?: string;
  /** Names and indexes that lead to the string with it. */
  readonly steps: readonly (string | number)[];
  /** The secrets in that string, as UTF-16 positions; undefined if they can't be taken out of it. */
  readonly spans: readonly { readonly start: number; readonly end: number; readonly kind: string }[] | undefined;
}

/** A server's difference from its trusted state: in its launch or address, or in its instructions. */
export interface ServerChange {
  readonly of: 'launch' | 'instructions';
  /** Fingerprint of the untrusted launch identity or instructions. */
  readonly fingerprint?: string;
  /** The differing fields of the launch identity, such as `args[2]`; empty if unknown. */
  readonly fields: readonly string[];
}

/** A guard's facts about a definition that it does not trust. */
export interface Distrust {
  /**
   * `changed`: it differs from the approved one. `new`: nobody has approved it. `unlisted`: the server never listed it. `server`: the
   * server's launch or instructions differ from the approved ones.
   */
  readonly what: 'changed' | 'new' | 'unlisted' | 'server';
  /** Fingerprint of the version that was seen last; undefined if none was. */
  readonly fingerprint?: string;
  /** With `server`: the difference, if known. */
  readonly change?: ServerChange;
}

/** A call of a session that may matter to a later one. */
export interface PastCall {
  /** Id of its record. */
  readonly id: string;
  /** Milliseconds since the epoch: when it was made or, for a slow answer, when that came, since the call gave nothing before. */
  readonly time: number;
  /** Time when it was made, if `time` is that of its answer. */
  readonly made?: number | undefined;
  readonly server: string;
  readonly method: string;
  /** The tool, resource or prompt; empty without one, and cut if long. */
  readonly subject: string;
  /** At least one. */
  readonly categories: readonly Category[];
  /** The model's turn that it came from, if known. Two unknown turns never count as the same. */
  readonly turn: string | undefined;
  /** True if it went on to the server. Other calls gave nothing, and cost nothing. */
  readonly isForwarded: boolean;
}

/** A value in the arguments of a call that a result had. */
export interface Evidence {
  /** Id of the call whose result had it. */
  readonly source: string;
  /** Its encodings in the arguments, e.g. `plain`, `base64`; from the outside in. */
  readonly encoding: string;
  /** The presentable facts: its kind and length, never the value. */
  readonly description: string;
  /** The place in the arguments, such as `edits.0.text`, cut if long; absent if it is in none alone. */
  readonly place?: string;
  /** For `steered_call`: the facts that speak for and against it. */
  readonly signs?: readonly SteeringSign[];
}

/** Facts that speak for a steered call (`data` and `partly_said`: against it). Records have them, so they stay. */
export type SteeringSign = 'addressed' | 'request' | 'text' | 'recipient' | 'not_asked' | 'data' | 'partly_said';

/** Kinds of values that steer: `number` is a phone, a card or another long one; `id` a name that a machine gave. */
export type SteeringKind = 'mail' | 'web' | 'account' | 'number' | 'path' | 'handle' | 'id' | 'words' | 'digits';

/** A value by which a result may steer a call. */
export interface Steering {
  /** Id of the call whose result told it first. */
  readonly source: string;
  /** The place in the arguments, such as `recipients.0.iban`, cut if long. */
  readonly parameter: string;
  readonly kind: SteeringKind;
  /** The facts that speak for and against it. */
  readonly signs: readonly SteeringSign[];
  /** The beginning of the value, such as `DE89…`, for the person who is asked; undefined if that would say too much or nothing. */
  readonly beginning: string | undefined;
  /** False if it is not known what the user said. */
  readonly isUserKnown: boolean;
}

/** A rate limit: calls a minute, and calls at once after a pause. */
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
  /** The kind of its owner. */
  readonly of: 'server' | 'tool';
}

/** The reason why a call has to wait. */
export interface RateExcess {
  readonly limit: NamedLimit;
  /** Seconds until one such call may go on, rounded up; at least 1. */
  readonly retryAfter: number;
}
