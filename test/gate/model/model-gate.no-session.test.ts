import { expect, it } from 'vitest';
import { NO_RATES, NO_SESSION } from '../../../src/gate/model/model-gate.ts';

it('knows of nothing and is concerned with nothing', () => {
  const call = { method: 'tools/call', server: 'files', tool: 'read' };
  expect(NO_SESSION.isActive).toBe(false);
  expect(NO_SESSION.concerns(call)).toBe(false);
  expect(NO_SESSION.facts(call)).toBeUndefined();
});

it('counts no call', () => {
  expect(NO_RATES.snapshot()).toBeUndefined();
  NO_RATES.spend();
  NO_RATES.refund();
  expect(NO_RATES.snapshot()).toBeUndefined();
});
