import { describe, expect, it } from 'vitest';
import { describeDistrust, distrustIdentity, findDistrust } from '../../../src/core/registry/trust.ts';
import type { PinStatus, RegistryFacts } from '../../../src/core/facts.ts';

const facts = (status: PinStatus, isServerChanged = false): RegistryFacts => ({
  status,
  fingerprint: status === 'unlisted' ? undefined : 'sha256:x',
  definition: () => undefined,
  isServerChanged,
});

describe('findDistrust', () => {
  it.each<[PinStatus, boolean, boolean, string | undefined]>([
    ['pinned', false, true, undefined],
    ['pinned', false, false, undefined],
    ['pinned', true, true, 'server'],
    ['changed', false, true, 'changed'],
    ['changed', true, false, 'changed'],
    ['new', false, true, undefined],
    ['new', false, false, 'new'],
    ['new', true, true, 'server'],
    ['unlisted', false, true, undefined],
    ['unlisted', false, false, 'unlisted'],
  ])('%s, another server: %s, first use trusted: %s: %s', (status, isServerChanged, trustFirstUse, what) => {
    const found = findDistrust(facts(status, isServerChanged), trustFirstUse);
    expect(found?.what).toBe(what);
    expect(found?.fingerprint).toBe(found === undefined || status === 'unlisted' ? undefined : 'sha256:x');
  });
});

it('each has words of its own', () => {
  const whats = ['changed', 'new', 'unlisted', 'server'] as const;
  expect(new Set(whats.map((what) => describeDistrust({ what }))).size).toBe(whats.length);
});

it('a launch that is not trusted is told before a definition that is not, and is not taken for another', () => {
  const found = ['sha256:a', 'sha256:b'].map((fingerprint) =>
    findDistrust({ ...facts('changed', true), serverChange: { of: 'launch', fingerprint, fields: [] } }, true),
  );
  expect(found.map((one) => one?.what)).toEqual(['server', 'server']);
  expect(new Set(found.map((one) => one && distrustIdentity(one))).size).toBe(2);
});
