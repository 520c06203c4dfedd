import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatPolicy } from '../../src/config/rewrite-policy.ts';
import { formatPolicyText } from '../../src/policy-tools/format/format-policy-text.ts';
import { parseToml } from '../../src/core/policy/toml.ts';
import { scrambled } from '../support/scramble-policy.ts';
import { policyFaults, writtenPolicies } from '../support/written-documents.ts';
import { runs } from '../support/runs.ts';

// A text that breaks a line would be another one with other line ends.
const policies = writtenPolicies().filter((text) => !/"""|'''/.test(text));
const RUNS = { numRuns: runs(300) };

it('however a policy is written, it says the same, has all its comments, and is formatted once and for all', async () => {
  const property = fc.asyncProperty(scrambled(policies), async ({ text, comments }) => {
    expect(policyFaults(text)).toEqual([]);
    const formatted = await formatPolicy(text, { file: 'p.toml' });
    const after = formatted.ok ? formatted.text : formatted.reason;
    expect(parseToml(after)).toEqual(parseToml(text));
    for (const comment of comments) expect(after.split(comment).length).toBe(2);
    expect(formatPolicyText(after)).toBe(after);
    expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    expect(/[ \t]\r?$/m.test(after)).toBe(false);
    if (/^[^\n]*\r\n/.test(text)) expect(/(?<!\r)\n/.test(after)).toBe(false);
    else expect(after).not.toContain('\r');
    expect(after).not.toMatch(/\n\r?\n\r?\n/);
  });
  await fc.assert(property, RUNS);
});

it('spaces make no difference', () => {
  const twice = fc
    .constantFrom(...policies)
    .chain((policy) => fc.tuple(scrambled([policy], { onlySpaces: true }), scrambled([policy], { onlySpaces: true })));
  const property = fc.property(twice, ([one, other]) => {
    expect(formatPolicyText(one.text)).toBe(formatPolicyText(other.text));
  });
  fc.assert(property, RUNS);
});
