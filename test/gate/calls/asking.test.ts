import { describe, expect, it } from 'vitest';
import { Asking, MOST_ASKED } from '../../../src/gate/calls/asking.ts';
import type { Approver } from '../../../src/gate/ports/approval-port.ts';

const DECISION = { action: 'prompt', reason: 'rule', findings: [], policyHash: '' } as const;
const CALL = { method: 'tools/call', server: 's', tool: 't' } as const;
const FROM_CLIENT = { from: 'client', call: CALL } as const;
const NEVER = new AbortController().signal;

function asking(ask: Approver['ask']): { asking: Asking; warnings: string[] } {
  const warnings: string[] = [];
  return { asking: new Asking({ approver: { ask }, warn: (line) => void warnings.push(line) }), warnings };
}

describe('Asking', () => {
  it('gives what the approver says', async () => {
    const word = asking(() => Promise.resolve('granted'));
    expect(await word.asking.ask(FROM_CLIENT, DECISION, NEVER)).toEqual({ approval: 'granted' });
    const whole = asking(() => Promise.resolve({ approval: 'refused', id: 'q' }));
    expect(await whole.asking.ask(FROM_CLIENT, DECISION, NEVER)).toEqual({ approval: 'refused', id: 'q' });
  });

  it('hazard 2: an approver that fails has not said yes', async () => {
    const failing = asking(() => Promise.reject(new Error('no terminal')));
    expect(await failing.asking.ask(FROM_CLIENT, DECISION, NEVER)).toEqual({ approval: 'unavailable' });
    expect(failing.warnings).toHaveLength(1);
  });

  it('hazard 21: a call has its place until it is answered, withdrawn or failed, and each side its own', async () => {
    const { asking: one } = asking(() => new Promise(() => {}));
    const withdrawn = new AbortController();
    const waiting = Array.from({ length: MOST_ASKED }, () => one.ask(FROM_CLIENT, DECISION, withdrawn.signal));
    expect([one.hasRoom('client'), one.hasRoom('server')]).toEqual([false, true]);
    withdrawn.abort();
    await Promise.all(waiting);
    expect(one.hasRoom('client')).toBe(true);
  });
});
