import type { Distrust, Finding, FlowFinding, RateExcess } from './finding.ts';

/** Every action, as a policy, a fixture and the command line write them. */
export const ACTIONS = ['allow', 'deny', 'prompt'] as const;

export type Action = (typeof ACTIONS)[number];

/** Why a decision came out as it did; stable, for programs and the audit. */
export type ReasonCode =
  | 'rule'
  | 'default'
  | 'unknown_method'
  | 'nul_byte'
  | 'malformed'
  | 'unreadable_arguments'
  | 'too_many_paths'
  | 'self'
  | 'server_policy'
  | 'unmapped_tool'
  | 'pinning'
  | 'flow'
  | 'rate_limit'
  | 'detection'
  | 'policy_gone'
  | 'approval_unavailable'
  | 'audit_unavailable'
  | 'internal_error';

/** The rule that decided, as far as people and the audit need to know it. */
export interface RuleRef {
  /** 0-based position in the policy file. */
  readonly index: number;
  readonly action: Action;
  /** The rule is one of the project's policy; absent for a rule of the user's own. */
  readonly source?: 'project';
  /** The rule's own `id`, when it has one. */
  readonly id?: string;
  readonly description?: string;
  /** What the model is told instead of the description. */
  readonly message?: string;
}

export interface Decision {
  readonly action: Action;
  readonly reason: ReasonCode;
  /** Absent when no rule matched. */
  readonly rule?: RuleRef;
  /** Set where the definition of what is called, or its server, is not trusted, and that decided. */
  readonly distrust?: Distrust;
  /** What flow rules say of the call, whatever decided; where one of them did, that one is first. Absent where they say nothing. */
  readonly flow?: readonly FlowFinding[];
  /** Set where a rate limit decided. */
  readonly excess?: RateExcess;
  /** What detection has found in what the call is about, whatever decided. */
  readonly findings: readonly Finding[];
  /** Set where detection decided: where it found that. `answer`: in what the call gave. */
  readonly foundIn?: 'definition' | 'instructions' | 'answer';
  /** SHA-256 (hex) of the policy that made this decision, as `CompiledPolicy` has it. */
  readonly policyHash: string;
}

/** How a rule is named to people: its id, or `rule N` counted from 1; one of a project's policy as `project: …`. */
export function ruleName(rule: RuleRef): string {
  const name = rule.id ?? `rule ${rule.index + 1}`;
  return rule.source === 'project' ? `project: ${name}` : name;
}
