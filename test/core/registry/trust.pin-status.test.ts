import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/core/registry/fingerprint.ts';
import { pinStatus } from '../../../src/core/registry/trust.ts';

const [A, B] = [fingerprintOf('a'), fingerprintOf('b')];

describe('pinStatus', () => {
  it.each([
    [undefined, A, 'new'],
    [A, A, 'pinned'],
    [A, B, 'changed'],
    ['', A, 'changed'],
    ['', '', 'changed'],
    ['sha256:', 'sha256:', 'changed'],
    [A.slice(0, -1), A.slice(0, -1), 'changed'],
    [A.toUpperCase(), A, 'changed'],
    [A, '', 'changed'],
  ])('pinned %j, seen %j: %s', (pinned, seen, status) => {
    expect(pinStatus({ kind: 'tool', name: 'a', pinned, seen, isListed: true })).toBe(status);
    expect(pinStatus({ kind: 'tool', name: 'a', pinned, seen, isListed: false })).toBe(status);
  });

  it('what was never listed is unlisted', () => {
    expect(pinStatus(undefined)).toBe('unlisted');
  });
});
