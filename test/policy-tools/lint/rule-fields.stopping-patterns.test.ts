import { describe, expect, it } from 'vitest';

import type { LintSubject } from '../../../src/policy-tools/lint/finding.ts';
import { argumentName, passesBy, stoppingPatterns } from '../../../src/policy-tools/lint/rule-fields.ts';
import { policyText } from '../../support/lints-of.ts';
import { policyFrom } from '../../support/policy.ts';

function subjectOf(lines: string): LintSubject {
  return { policy: policyFrom(policyText(lines)), isProject: false } as LintSubject;
}

describe('stoppingPatterns', () => {
  it('are those by which rules deny or ask', () => {
    const found = stoppingPatterns(
      subjectOf(
        'deny; tool = "a"; args.path = "/a"; unless.args.path = "/b"\nprompt; resource = "c"\nallow; tool = "a"; args.x = "d"',
      ),
    );
    expect(found.map((pattern) => [pattern.glob, argumentName(pattern)])).toEqual([
      ['/a', 'path'],
      ['c', undefined],
    ]);
  });
});

describe('passesBy', () => {
  it.each([
    ['deny; tool = "a"; args.path = "/a"', false],
    ['[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "/a"', true],
    ['deny; tool = "a"; args.path = "/a"\nallow; tool = "a"', true],
    ['deny; tool = "a"; args.path = "/a"\nallow; tool = "b"', false],
    ['[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "/a"\nprompt; tool = "*"; args.path = "/a/**"', false],
    ['[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "/a"\nprompt; tool = "b"; args.path = "/a/**"', true],
    ['deny; server = "native"; tool = "a"; args.path = "/a"', true],
  ])('%s: %s', (lines, expected) => {
    const subject = subjectOf(lines);
    const [pattern] = stoppingPatterns(subject);
    expect(pattern !== undefined && passesBy(pattern, '/a/**', subject)).toBe(expected);
  });
});
