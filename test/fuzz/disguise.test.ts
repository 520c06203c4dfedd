import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkDisguised, DISGUISED } from './disguise-model.ts';
import { runs } from '../support/runs.ts';

/** The same texts in every run; `npm run fuzz` makes others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_728);

it('normalising holds its promises, whatever is in a text', () => {
  const { counterexample, errorInstance } = fc.check(fc.property(DISGUISED, checkDisguised), {
    seed: SEED,
    numRuns: runs(10_000),
  });
  expect(counterexample === null ? '' : `${JSON.stringify(counterexample[0])}: ${String(errorInstance)}`).toBe('');
});
