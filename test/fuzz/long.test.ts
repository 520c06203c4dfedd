import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkLongJson, LONG_JSON } from './long-model.ts';
import { checkPadded, PADDED } from './padded-model.ts';
import { runs } from '../support/runs.ts';

/** The same texts in every run; `npm run fuzz` makes others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_728);

it('long JSON is read as short JSON is', () => {
  const outcome = fc.check(fc.property(LONG_JSON, checkLongJson), { seed: SEED, numRuns: runs(150) });
  expect(outcome.errorInstance).toBeNull();
});

it('a path is denied however much padding is in it', () => {
  const outcome = fc.check(fc.property(PADDED, checkPadded), { seed: SEED, numRuns: runs(250) });
  expect(outcome.errorInstance).toBeNull();
});
