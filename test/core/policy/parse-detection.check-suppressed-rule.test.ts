import { describe, expect, it } from 'vitest';
import { checkSuppressedRule } from '../../../src/core/policy/parse-detection.ts';
import type { Complaints } from '../../../src/core/policy/complaints.ts';

function complaintsOf(rule: string): Complaints['errors'] {
  const to: Complaints = { errors: [], regex: undefined, needsRegex: false };
  checkSuppressedRule(rule, ['detection', 'suppress', 0, 'rule'], { to, patterns: ['internal'] });
  return to.errors;
}

describe('checkSuppressedRule', () => {
  it.each([
    '**',
    '*',
    'exfiltration.*',
    'exfiltration.image',
    'obfuscation.encoded_*',
    'custom.internal',
    'custom.*',
    '*.conceal',
  ])('%s is known', (rule) => {
    expect(complaintsOf(rule)).toEqual([]);
  });

  it.each([
    ['credential_theft.secret_in_argument', 'secrets in arguments belong to [dlp]: its key "allow" lists what is no secret'],
    ['exfiltration.imag', 'did you mean "exfiltration.image"?'],
    ['hiden_instructions.conceal', 'did you mean "hidden_instructions.conceal"?'],
    ['exfiltration', 'did you mean "exfiltration.*"?'],
    ['custom.intern', 'did you mean "custom.internal"?'],
    ['path_traversal.of_another_kind_altogether', 'one of: path_traversal.*, path_traversal.climb'],
    ['x.y', 'a rule is FAMILY.NAME'],
    ['custom.other_one_altogether', 'a rule is FAMILY.NAME'],
  ])('%s is not: %s', (rule, hint) => {
    const [error, ...others] = complaintsOf(rule);
    expect(others).toEqual([]);
    expect(error?.path).toEqual(['detection', 'suppress', 0, 'rule']);
    expect(error?.message).toBe(`detection has no rule "${rule}"`);
    expect(error?.hint).toContain(hint);
  });
});
