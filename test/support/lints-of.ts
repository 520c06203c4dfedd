import { type Lint, lintPolicy } from '../../src/policy-tools/lint/lint-policy.ts';
import { policyFrom } from './policy.ts';

/** A policy of rules, each a line of fields between semicolons, the action first; a line that begins with `[` stands as it is. */
export function policyText(lines: string): string {
  const parts = lines.split('\n').map((line) => {
    if (line.startsWith('[') || line.startsWith('#') || line.trim() === '') return line.replaceAll('; ', '\n');
    const [action = '', ...fields] = line.split('; ');
    return `[[rule]]\naction = "${action}"\n${fields.join('\n')}\n`;
  });
  return `${parts.join('\n')}\n`;
}

/** What one lint rule finds in a policy. */
export function lintsOf(id: string, lines: string): readonly Lint[] {
  return lintPolicy(policyFrom(policyText(lines))).lints.filter((lint) => lint.id === id);
}
