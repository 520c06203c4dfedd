import fc from 'fast-check';
import { expect, it } from 'vitest';
import { carry, showStream, STREAM } from './relay-model.ts';
import { runs } from '../support/runs.ts';

/** The same streams in every run; `npm run fuzz` makes others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_728);

it('streams: nothing is lost, doubled, reordered or altered, whatever the store does', async () => {
  const outcome = await fc.check(fc.asyncProperty(STREAM, carry), { seed: SEED, numRuns: runs(300) });
  const found = outcome.failed ? `${showStream((outcome.counterexample as [never])[0])}\n${String(outcome.errorInstance)}` : '';
  expect(found).toBe('');
});
