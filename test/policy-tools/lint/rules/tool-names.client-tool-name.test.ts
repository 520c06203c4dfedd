import { describe, expect, it } from 'vitest';

import { lintPolicy } from '../../../../src/policy-tools/lint/lint-policy.ts';
import { policyFrom } from '../../../support/policy.ts';
import { lintsOf } from '../../../support/lints-of.ts';

describe('client-tool-name', () => {
  it.each([
    'deny; tool = "mcp__github__create_issue"',
    'deny; tool = "github__create"; server = "github"',
    'deny; tool = "mcp__*"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('client-tool-name', lines)).not.toEqual([]);
  });

  it.each(['deny; tool = "create__issue"', 'deny; tool = "x__y"; server = "github"'])('has nothing against: %s', (lines) => {
    expect(lintsOf('client-tool-name', lines)).toEqual([]);
  });

  it.each([
    ['mcp__*', 'name the server in server = "…"'],
    ['mcp__a__b*', 'write server = "a" and tool = "b*"'],
  ])('says what stands for %s', (tool, hint) => {
    const [found] = lintPolicy(policyFrom(`[[rule]]\naction = "deny"\ntool = "${tool}"\n`)).lints;
    expect(found).toMatchObject({ id: 'client-tool-name', hint });
  });
});
