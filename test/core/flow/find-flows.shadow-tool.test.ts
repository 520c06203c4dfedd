import { describe, expect, it } from 'vitest';
import { flowsIn, rulesIn } from '../../support/session-facts.ts';

describe('shadow_tool', () => {
  it('a tool whose name another server had first is denied', () => {
    expect(flowsIn({ session: { shadowed: 'a' } })).toEqual([
      {
        rule: 'shadow_tool',
        severity: 'critical',
        action: 'deny',
        reason: 'it would use "send_email" of the server "mail", but the server "a" listed that name first',
        related: [],
        evidence: undefined,
      },
    ]);
  });

  it('hazard 41: the server that had the name first keeps it', () => {
    expect(rulesIn({ session: { shadowed: undefined } })).toEqual([]);
  });

  it('before activation: works in a session of which nothing else is known', () => {
    expect(rulesIn({ session: { shadowed: 'a', servers: 0 } })).toEqual(['shadow_tool']);
  });

  it('is about tools', () => {
    expect(rulesIn({ call: { method: 'tools/call', tool: 't' }, session: { shadowed: 'a' } })).toEqual(['shadow_tool']);
  });

  it('switched off, it finds nothing; names are quoted', () => {
    expect(rulesIn({ policy: 'shadow_tool = { enabled = false }', session: { shadowed: 'a' } })).toEqual([]);
    const [finding] = flowsIn({ call: { tool: 't\n"' }, session: { shadowed: 'a\u202E' } });
    expect(finding?.reason).toContain('it would use "t\\n\\"" of the server');
    expect(finding?.reason).toContain('the server "a\\u202e" listed that name first');
  });
});
