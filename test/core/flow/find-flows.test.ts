import { describe, expect, it } from 'vitest';
import type { Category } from '../../../src/core/call.ts';
import { flowsIn, pastCall, rulesIn } from '../../support/session-facts.ts';

/** All of it at once: a call that would send, after a read and a burst, to a tool that was another server's. */
const ALL = {
  calls: [
    pastCall(4, { turn: 'a' }),
    ...Array.from({ length: 10 }, (_, i) => pastCall(3 - i / 10, { server: 'mail', categories: ['send'] as const })),
  ],
  turn: 'a',
  shadowed: 'old',
};

describe('findFlows', () => {
  it('the first decides: what denies, then what is most severe', () => {
    expect(rulesIn({ session: ALL })).toEqual(['shadow_tool', 'read_then_send', 'cross_server_flow', 'burst']);
  });

  it.each([
    ['burst = { action = "deny" }', ['shadow_tool', 'burst', 'read_then_send', 'cross_server_flow']],
    ['shadow_tool = { action = "alert" }\nburst = { action = "prompt" }', ['burst', 'shadow_tool']],
    ['cross_server_flow = { action = "prompt" }', ['shadow_tool', 'cross_server_flow', 'read_then_send']],
    ['action = "deny"', ['shadow_tool', 'read_then_send', 'cross_server_flow', 'burst']],
    ['shadow_tool = { action = "prompt" }\nburst = { action = "deny" }', ['burst', 'shadow_tool']],
  ])('%j', (policy, first) => {
    expect(rulesIn({ policy, session: ALL }).slice(0, first.length)).toEqual(first);
  });

  it('each rule has its own action', () => {
    const policy = 'action = "prompt"\nburst = { action = "deny" }';
    expect(flowsIn({ policy, session: ALL }).map(({ rule, action }) => `${rule} ${action}`)).toEqual([
      'shadow_tool deny',
      'burst deny',
      'read_then_send prompt',
      'cross_server_flow prompt',
    ]);
  });

  it('hazard 42: enabled and nothing else finds everything', () => {
    expect(rulesIn({ policy: 'enabled = true', session: ALL })).toHaveLength(4);
  });

  it('disabled, it finds nothing, whatever its rules say', () => {
    expect(rulesIn({ policy: 'enabled = false\nburst = { enabled = true, action = "deny" }', session: ALL })).toEqual([]);
  });

  it('inactive: in a session of one server nothing is found', () => {
    const calls = Array.from({ length: 100 }, () => pastCall(1, { server: 'mail', turn: 'a' }));
    expect(rulesIn({ session: { calls, turn: 'a', servers: 1 } })).toEqual([]);
  });

  it('looks only at what a client asks its servers for', () => {
    for (const method of ['tools/call', 'resources/read', 'prompts/get']) {
      expect(rulesIn({ call: { method }, session: ALL })).not.toEqual([]);
    }
    for (const method of ['sampling/createMessage', 'completion/complete', 'resources/subscribe', 'ping']) {
      expect(rulesIn({ call: { method }, session: ALL })).toEqual([]);
    }
  });

  it('does not ask for categories where no rule depends on them', () => {
    const policy = 'read_then_send = { enabled = false }\ncross_server_flow = { enabled = false }';
    let asked = 0;
    const categories: Category[] = [];
    Object.defineProperty(categories, 'includes', { value: () => asked++ > 0 });
    flowsIn({ policy, categories, session: ALL });
    expect(asked).toBe(0);
  });
});
