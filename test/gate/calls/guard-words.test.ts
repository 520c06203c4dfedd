import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import type { Decision } from '../../../src/core/decision.ts';
import { FLOW_RULES } from '../../../src/core/finding.ts';
import { guardWords } from '../../../src/gate/calls/guard-words.ts';

const CALL: Call = { method: 'tools/call', server: 'mail', tool: 'send' };
const DENIED: Decision = { action: 'deny', reason: 'rule', findings: [], policyHash: 'h' };

describe('guardWords', () => {
  it('has none where no guard decided, also where a flow rule only tells', () => {
    expect(guardWords(CALL, DENIED)).toBeUndefined();
    const flow = [{ rule: 'burst', severity: 'high', action: 'alert', reason: 'r', related: [], evidence: undefined }] as const;
    expect(guardWords(CALL, { ...DENIED, flow })).toBeUndefined();
  });

  it.each(FLOW_RULES)('says the reason and the name of %s, and what to do', (rule) => {
    const flow = [{ rule, severity: 'high', action: 'deny', reason: 'it would', related: [], evidence: undefined }] as const;
    const words = guardWords(CALL, { ...DENIED, reason: 'flow', flow });
    expect(words?.why).toBe(`it would (flow rule "${rule}")`);
    expect(words?.advice).toMatch(/^(Do not|Retrying)/);
  });

  it('says of a limit whose it is', () => {
    const excess = { limit: { key: 'k', of: 'tool', rpm: 1, burst: 1 }, retryAfter: 1 } as const;
    expect(guardWords(CALL, { ...DENIED, reason: 'rate_limit', excess })).toEqual({
      why: 'the policy allows 1 call a minute to the tool "send" of the server "mail", 1 at once, and that limit is reached',
      advice: expect.stringContaining('Wait 1 second before') as string,
    });
  });
});
