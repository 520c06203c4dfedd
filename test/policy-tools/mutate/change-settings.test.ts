import { expect, it } from 'vitest';
import { changeSettings, otherThan, writtenIn } from '../../../src/policy-tools/mutate/change-settings.ts';
import { policyFrom } from '../../support/policy.ts';

it('tells what stands in a policy', () => {
  const isWritten = writtenIn({ text: '[flow]\naction = "deny"\nburst = { max_calls = 3 }\n' });
  expect([isWritten('flow'), isWritten('flow', 'burst', 'max_calls'), isWritten('flow', 'action')]).toEqual([true, true, true]);
  expect([isWritten('pinning'), isWritten('flow', 'window'), isWritten('flow', 'action', 'x')]).toEqual([false, false, false]);
  expect(isWritten('flow', 'toString')).toBe(false);
});

it('puts settings in the place of others', () => {
  const policy = policyFrom('');
  const pinning = { ...policy.pinning, enabled: false };
  expect(changeSettings(policy, [{ path: ['pinning'], settings: { pinning }, what: 'w', need: 'n' }])).toEqual([
    { path: ['pinning'], what: 'w', need: 'n', policy: { ...policy, pinning } },
  ]);
});

it('knows what is not this', () => {
  expect(otherThan('a', ['a', 'b', 'c'])).toEqual(['b', 'c']);
});
