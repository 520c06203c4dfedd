import { expect, it } from 'vitest';
import { LazyApprover } from '../../src/approval/lazy-approver.ts';

const CALL = { method: 'tools/call', server: 's', tool: 't' } as const;
const DECISION = { action: 'prompt', reason: 'rule', findings: [], policyHash: '' } as const;

it('loads once, and not before somebody is to be asked', async () => {
  let loads = 0;
  let closes = 0;
  const late = new LazyApprover(() => {
    loads += 1;
    return Promise.resolve({ ask: () => Promise.resolve('refused' as const), close: () => (closes += 1) });
  });
  late.close();
  expect([loads, closes]).toEqual([0, 0]);
  const { signal } = new AbortController();
  expect(await Promise.all([late.ask(CALL, DECISION, signal), late.ask(CALL, DECISION, signal)])).toEqual(['refused', 'refused']);
  late.close();
  expect([loads, closes]).toEqual([1, 1]);
});

it('hazard 2: rejects where it can not be loaded, and never says yes', async () => {
  const late = new LazyApprover(() => Promise.reject(new Error('no such file')));
  const { signal } = new AbortController();
  await expect(late.ask(CALL, DECISION, signal)).rejects.toThrow('no such file');
  await expect(late.ask(CALL, DECISION, signal)).rejects.toThrow('no such file');
});
