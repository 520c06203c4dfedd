import type { Call } from '../../src/core/call.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import { explain } from '../../src/policy-tools/explain/explain.ts';
import type { Explanation, RuleAccount } from '../../src/policy-tools/explain/explanation.ts';
import type { Snapshot } from '../../src/core/decide/snapshot.ts';
import { policyFrom, POSIX } from './policy.ts';

export interface World extends Partial<Omit<Snapshot, 'policy' | 'realPaths'>> {
  readonly links?: Readonly<Record<string, string>>;
  readonly project?: string;
  readonly isAll?: boolean;
}

/** Explains a call by a policy's text. */
export function explained(
  text: string,
  call: Partial<Call>,
  { links = {}, project, isAll = false, ...known }: World = {},
): Explanation {
  const policy = compilePolicy(policyFrom(text), project === undefined ? {} : { project: policyFrom(project) });
  const full: Call = { method: 'tools/call', server: 'files', ...call };
  return explain(full, { policy, paths: POSIX, realPaths: new Map(Object.entries(links)), ...known }, { isAll });
}

/** What is told of the only rule of a policy. */
export function onlyRule(action: string, lines: string, call: Partial<Call>, world?: World): RuleAccount {
  const [rule] = explained(`[[rule]]\naction = "${action}"\n${lines}\n`, call, world).rules[0]?.rules ?? [];
  if (rule === undefined) throw new Error('the rule is not told of');
  return rule;
}
