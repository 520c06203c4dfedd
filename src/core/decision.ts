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
  | 'too_many_paths'
  | 'approval_unavailable'
  | 'audit_unavailable'
  | 'internal_error';

/** The rule that decided, as far as people and the audit need to know it. */
export interface RuleRef {
  /** 0-based position in the policy file. */
  readonly index: number;
  readonly action: Action;
  /** The rule's own `id`, when it has one. */
  readonly id?: string;
  readonly description?: string;
  /** What the model is told instead of the description. */
  readonly message?: string;
}

/** What detection reports about a call (filled by the detection guard). */
export interface Finding {
  readonly rule: string;
  readonly severity: 'low' | 'medium' | 'high' | 'critical';
}

export interface Decision {
  readonly action: Action;
  readonly reason: ReasonCode;
  /** Absent when no rule matched. */
  readonly rule?: RuleRef;
  readonly findings: readonly Finding[];
  /** SHA-256 (hex) of the policy text that made this decision. */
  readonly policyHash: string;
}

/** How a rule is named to people: its id, or `rule N` counted from 1. */
export function ruleName(rule: RuleRef): string {
  return rule.id ?? `rule ${rule.index + 1}`;
}
