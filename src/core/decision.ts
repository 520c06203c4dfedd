import type { ArgumentSecret, Distrust, Finding, FlowFinding, RateExcess, SchemaFault } from './finding.ts';

/** Every action, as spelled in policies, fixtures and the command line. */
export const ACTIONS = ['allow', 'deny', 'prompt'] as const;

export type Action = (typeof ACTIONS)[number];

/** The reason for a decision; stable, for programs and the audit. */
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
  | 'schema'
  | 'dlp'
  | 'pinning'
  | 'flow'
  | 'rate_limit'
  | 'detection'
  | 'policy_gone'
  | 'approval_unavailable'
  | 'audit_unavailable'
  | 'internal_error';

/** The rule that decided, with the fields that people and the audit need. */
export interface RuleRef {
  /** 0-based position in the policy file. */
  readonly index: number;
  readonly action: Action;
  /** Set for a rule of the project's policy; absent for a rule of the user's own. */
  readonly source?: 'project';
  /** The rule's own `id`, if it has one. */
  readonly id?: string;
  readonly description?: string;
  /** Text for the model instead of the description. */
  readonly message?: string;
  /** Set if only a person at a terminal may say yes. */
  readonly requirePerson?: true;
}

export interface Decision {
  readonly action: Action;
  readonly reason: ReasonCode;
  /** Absent when no rule matched. */
  readonly rule?: RuleRef;
  /** The argument that alone makes the rule match, such as `path` or `entities.0.name`. Absent if it was not searched for, or is not one. */
  readonly argument?: string;
  /** Set if the decision was made because the called definition, or its server, is not trusted. */
  readonly distrust?: Distrust;
  /** Findings of flow rules in the call, whatever decided; if one of them decided, it is first. Absent if there are none. */
  readonly flow?: readonly FlowFinding[];
  /** The parts of the arguments that do not fit the tool's schema, whatever decided. Absent if there are none. */
  readonly schema?: readonly SchemaFault[];
  /** The secrets in the arguments, whatever decided. Absent if there are none. */
  readonly dlp?: readonly ArgumentSecret[];
  /** True if the call goes on without the secrets in its arguments. */
  readonly isRedacted?: true;
  /** Set if a rate limit decided. */
  readonly excess?: RateExcess;
  /** Detection's findings in the call's subject, whatever decided. */
  readonly findings: readonly Finding[];
  /** The place of the findings, set if detection decided. `answer`: in the call's result. */
  readonly foundIn?: 'definition' | 'instructions' | 'answer';
  /** SHA-256 (hex) of the policy that made this decision, as in `CompiledPolicy`. */
  readonly policyHash: string;
}

/** The rule's name for people: its id, or `rule N` counted from 1; one of a project's policy as `project: …`. */
export function ruleName(rule: RuleRef): string {
  const name = rule.id ?? `rule ${rule.index + 1}`;
  return rule.source === 'project' ? `project: ${name}` : name;
}
