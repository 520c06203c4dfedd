import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkJson, JSON_TEXT } from './json-model.ts';
import { runs } from '../support/runs.ts';

/** The same texts in every run; `npm run fuzz` makes others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_728);

it('the scanner and the envelope reader agree with JSON.parse', () => {
  const outcome = fc.check(fc.property(JSON_TEXT, checkJson), { seed: SEED, numRuns: runs(20_000) });
  const found = outcome.failed
    ? `${JSON.stringify((outcome.counterexample as [Buffer])[0].toString('latin1'))}: ${String(outcome.errorInstance)}`
    : '';
  expect(found).toBe('');
});
