import { RULE_IDS } from '../detect/rule-ids.ts';
import { FAMILIES } from '../detect/types.ts';
import { suggestName } from '../../suggest.ts';
import { complain, type Complaints } from './complaints.ts';
import { compileGlob } from './glob.ts';
import type { PolicyPath } from './types.ts';

/**
 * Complains of a suppression of a rule that there is not: it would suppress nothing, and nobody would know why.
 *
 * @param rule a glob over `FAMILY.NAME`
 * @param patterns names of the policy's own patterns
 */
export function checkSuppressedRule(rule: string, path: PolicyPath, { to, patterns }: Known): void {
  const own = patterns.map((name) => `custom.${name}`);
  const glob = compileGlob(rule);
  if (RULE_IDS.some((id) => glob.matches(id)) || own.some((id) => glob.matches(id))) return;
  complain(to, path, `detection has no rule ${JSON.stringify(rule)}`, hintFor(rule, own));
}

interface Known {
  readonly to: Complaints;
  readonly patterns: readonly string[];
}

function hintFor(rule: string, own: readonly string[]): string {
  const [family = ''] = rule.split('.', 1);
  const meant = suggestName(rule, [...RULE_IDS, ...own, ...FAMILIES.map((known) => `${known}.*`)]);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  const names = RULE_IDS.filter((id) => id.startsWith(`${family}.`));
  if (names.length > 0) return `one of: ${[`${family}.*`, ...names].join(', ')}`;
  return `a rule is FAMILY.NAME, with one of these: ${FAMILIES.join(', ')}, or custom.NAME for a pattern of yours`;
}
