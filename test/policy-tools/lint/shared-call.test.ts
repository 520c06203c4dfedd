import { describe, expect, it } from 'vitest';

import { findSharedCall } from '../../../src/policy-tools/lint/shared-call.ts';
import { policyText } from '../../support/lints-of.ts';
import { policyFrom } from '../../support/policy.ts';

describe('findSharedCall', () => {
  it.each([
    ['allow; tool = "read_*"\ndeny; tool = "*_secret"', 'read_secret'],
    ['allow; tool = "read_*"\ndeny; tool = "write_*"', undefined],
    ['allow; tool = "a"; category = "read"\ndeny; tool = "a"', undefined],
    ['allow; tool = "a"; unless.args.path = "**/.env"\ndeny; tool = "a"; args.path = "**/.env"', undefined],
    ['allow; tool = "**"; category = "read"\ndeny; tool = "**"; args.path = "**/.env"', 'read_file'],
    ['allow; tool = "**"; category = "read"\ndeny; tool = "delete_*"', undefined],
    ['allow; tool = "**"\ndeny; tool = "**"; category = "destroy"', 'drop_database'],
    // Another one above decides it.
    ['prompt; tool = "a"\nallow; tool = "a"\ndeny; tool = "a"', undefined],
  ])('%s: %s', (lines, tool) => {
    const policy = policyFrom(policyText(lines));
    const [first, second] = policy.rules.slice(-2);
    expect(first && second && findSharedCall(first, second, policy)?.tool).toBe(tool);
  });
});
