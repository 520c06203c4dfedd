import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CONVERSATION, show } from './wire-messages.ts';
import { play } from './wire-model.ts';
import { runs } from '../support/runs.ts';

/** The same conversations in every run; `npm run fuzz` makes others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_728);

it('conversations: nothing denied gets through, and everybody has one answer', async () => {
  const outcome = await fc.check(fc.asyncProperty(CONVERSATION, play), { seed: SEED, numRuns: runs(5000) });
  const found = outcome.failed ? `${show((outcome.counterexample as [never])[0])}\n${String(outcome.errorInstance)}` : '';
  expect(found).toBe('');
});
