import { describe, expect, it } from 'vitest';

import { lintPolicy } from '../../../../src/policy-tools/lint/lint-policy.ts';
import { policyText } from '../../../support/lints-of.ts';
import { policyFrom } from '../../../support/policy.ts';

const KNOWN = [
  { server: 'files', name: 'read_file', args: ['path'] },
  { server: 'files', name: 'run' },
  { server: 'github', name: 'get_issue', args: ['owner', 'repo', 'number'] },
];

function found(lines: string): readonly string[] {
  const { lints } = lintPolicy(policyFrom(policyText(lines)), false, KNOWN);
  return lints.filter(({ id }) => id === 'unknown-name').map(({ severity, message, hint }) => `${severity}: ${message}; ${hint}`);
}

describe('unknown-name', () => {
  it.each([
    ['deny; server = "gihub"; tool = "get_issue"', 'warning: no known server is called "gihub"; did you mean "github"?'],
    ['deny; server = "later"; tool = "x"', 'info: no known server is called "later"'],
    ['deny; tool = ["read_fil", "run"]', 'warning: no known tool is called "read_fil"; did you mean "read_file"?'],
    ['deny; tool = "read_file"; args.file = "/etc/**"', '"file"; did you mean "path"?'],
    ['deny; server = "github"; tool = "*"; args.branch = "main"', '"branch"; they have: owner, repo, number'],
  ])('finds something in: %s', (lines, message) => {
    expect(found(lines)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    'deny; tool = "read_file"; args.path = "/etc/**"',
    'deny; tool = "read_file"; args.force = { exists = false }',
    'deny; tool = "**"; args.anything = "x"',
    'deny; server = "native"; tool = "Bash"',
    'deny; tool = "delete_*"; args.x = "y"',
    'deny; tool = "read_file"; args."**" = "**/.env"',
  ])('has nothing against: %s', (lines) => {
    expect(found(lines)).toEqual([]);
  });

  it('is not looked for where nobody says what is known', () => {
    const text = policyText('# lint-ignore unknown-name: of the next release\ndeny; server = "gihub"; tool = "x"');
    expect(lintPolicy(policyFrom(text)).lints).toEqual([]);
  });
});
