import { describe, expect, it } from 'vitest';
import { policyErrors } from '../../support/policy-errors.ts';
import { policyFrom } from '../../support/policy.ts';

const rule = (lines: string): string => `[[rule]]\naction = "deny"\ntool = "t"\n${lines}`;
const HASH = `sha256:${'0af'.repeat(21)}0`;

describe.each(['', 'unless.'])('%scategory and fingerprint', (prefix) => {
  const read = (lines: string): unknown => {
    const [found] = policyFrom(rule(`${prefix}${lines}`)).rules;
    const conditions = prefix === '' ? found : found?.unless;
    return conditions?.category ?? conditions?.fingerprint;
  };
  const errors = (lines: string): readonly string[] => policyErrors(rule(`${prefix}${lines}`));

  it.each([
    ['category = "send"', ['send']],
    ['category = ["read", "unknown"]', ['read', 'unknown']],
    [`fingerprint = "${HASH}"`, [HASH]],
    [`fingerprint = ["${HASH}", "sha256:${'1'.repeat(64)}"]`, [HASH, `sha256:${'1'.repeat(64)}`]],
  ])('%s', (lines, expected) => {
    expect(read(lines)).toEqual(expected);
  });

  it.each([
    ['category = "sned"', /category: unknown category "sned"/],
    ['category = ["read", "Send"]', /category.1: unknown category "Send"/],
    ['category = "*"', /unknown category "\*"/],
    ['category = []', /an empty list matches nothing/],
    ['category = true', /must be a string or a list of strings/],
    ['category = { not = "read" }', /must be a string or a list of strings/],
    ['category = [1]', /category.0/],
    ['fingerprint = "abc"', /"abc" is not a fingerprint/],
    [`fingerprint = "${HASH.toUpperCase()}"`, /is not a fingerprint/],
    [`fingerprint = "${HASH}0"`, /is not a fingerprint/],
    [`fingerprint = ["${HASH}", ""]`, /fingerprint.1: "" is not a fingerprint/],
  ])('%s is refused', (lines, message) => {
    expect(errors(lines)).toEqual([expect.stringMatching(message)]);
  });
});

it('a kind of tools alone is nothing that a rule is about', () => {
  expect(policyErrors('[[rule]]\naction = "deny"\ncategory = "send"')).toEqual([expect.stringMatching(/needs a tool/)]);
});
