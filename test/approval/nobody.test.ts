import { expect, it } from 'vitest';
import { nobody } from '../../src/approval/nobody.ts';

it('hazard 2: says that nobody can be asked, and never that the call is granted', async () => {
  const decision = { action: 'prompt', reason: 'rule', findings: [], policyHash: '' } as const;
  expect(await nobody.ask({ method: 'tools/call', server: 's', tool: 't' }, decision, AbortSignal.abort())).toBe('unavailable');
});
