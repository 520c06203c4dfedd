import type { Evidence, PastCall } from './window.ts';

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
