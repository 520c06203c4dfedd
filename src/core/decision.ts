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
  | 'self'
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
  /** SHA-256 (hex) of the policy that made this decision, as `CompiledPolicy` has it. */
  readonly policyHash: string;
}

/** How a rule is named to people: its id, or `rule N` counted from 1; one of a project's policy as `project: …`. */
export function ruleName(rule: RuleRef): string {
  const name = rule.id ?? `rule ${rule.index + 1}`;
  return rule.source === 'project' ? `project: ${name}` : name;
}
