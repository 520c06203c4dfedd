import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMutants, MUTATIONS } from '../../../src/policy-tools/mutate/mutations.ts';
import { policyFrom } from '../../support/policy.ts';
import { ROOT } from '../../support/run-cli.ts';

it('names every kind of mutation once', () => {
  expect(MUTATIONS.map(({ kind }) => kind)).toEqual([
    'drop-rule',
    'swap-rules',
    'flip-action',
    'change-condition',
    'change-default',
    'change-servers',
    'change-classify',
    'change-schema',
    'change-dlp',
    'change-pinning',
    'change-flow',
    'change-rates',
    'change-detection',
  ]);
});

it('each mutant has an id of its own, the same each time, and differs from the policy', async () => {
  const policy = policyFrom(await readFile(join(ROOT, 'policies/strict.toml'), 'utf8'));
  const mutants = createMutants(policy);
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  expect(createMutants(policy).map(({ id }) => id)).toEqual(mutants.map(({ id }) => id));
  const same = mutants.filter((mutant) => JSON.stringify(mutant.policy) === JSON.stringify(policy));
  expect(same.map(({ what }) => what)).toEqual([]);
});

it('an empty policy has its default alone', () => {
  expect(createMutants(policyFrom('')).map(({ id }) => id)).toEqual([
    'change-default:defaults.action:1',
    'change-default:defaults.action:2',
  ]);
});
