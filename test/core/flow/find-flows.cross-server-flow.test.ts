import { describe, expect, it } from 'vitest';
import type { Category } from '../../../src/core/call.ts';
import type { PastCall } from '../../../src/core/finding.ts';
import { flowsIn, pastCall, rulesIn } from '../../support/session-facts.ts';

const ALONE = 'read_then_send = { enabled = false }\n';
const ANY_TURN = 'cross_server_flow = { same_turn_only = false }';

function isFound(past: Partial<PastCall> & { readonly ago?: number }, policy = '', turn: string | undefined = 'a'): boolean {
  const { ago = 3, ...about } = past;
  return rulesIn({ policy: ALONE + policy, session: { calls: [pastCall(ago, about)], turn } }).length > 0;
}

describe('cross_server_flow', () => {
  it('same turn: a read of one server and a send of another are found', () => {
    const calls = [pastCall(3, { turn: 'a' })];
    expect(flowsIn({ policy: ALONE, session: { calls, turn: 'a' } })).toEqual([
      {
        rule: 'cross_server_flow',
        severity: 'high',
        action: 'alert',
        reason: 'it would send with "send_email" after "query_database" of the server "db" read data 3 s ago, in the same turn',
        related: calls,
        evidence: undefined,
      },
    ]);
  });

  it.each<[readonly Category[], string | undefined]>([
    [['write'], 'it would write with'],
    [['read', 'write'], 'it would write with'],
    [['write', 'send'], 'it would send with'],
    [['read'], undefined],
    [['compute', 'unknown'], undefined],
  ])('what does %j', (categories, expected) => {
    const calls = [pastCall(3, { turn: 'a' })];
    const [finding] = flowsIn({ policy: ALONE, categories, session: { calls, turn: 'a' } });
    expect(finding?.reason.slice(0, expected?.length)).toBe(expected);
  });

  it('different turns are none, unless any turn counts', () => {
    expect(isFound({ turn: 'b' })).toBe(false);
    expect(isFound({ turn: 'b' }, ANY_TURN)).toBe(true);
  });

  it('an unknown turn is never the same', () => {
    const calls = [pastCall(3)];
    expect(rulesIn({ policy: ALONE, session: { calls, turn: undefined } })).toEqual([]);
    expect(isFound({ turn: undefined })).toBe(false);
    expect(rulesIn({ policy: ALONE, session: { calls: [pastCall(3, { turn: 'a' })], turn: undefined } })).toEqual([]);
    expect(rulesIn({ policy: ALONE + ANY_TURN, session: { calls, turn: undefined } })).toEqual(['cross_server_flow']);
  });

  it('of the same server, or what did not go on, or no read, is none', () => {
    expect(isFound({ turn: 'a', server: 'mail' })).toBe(false);
    expect(isFound({ turn: 'a', isForwarded: false })).toBe(false);
    expect(isFound({ turn: 'a', categories: ['send'] })).toBe(false);
  });

  it('has a window, in the same turn too', () => {
    for (const policy of ['', ANY_TURN]) {
      expect(isFound({ turn: 'a', ago: 30 }, policy)).toBe(true);
      expect(isFound({ turn: 'a', ago: 30.001 }, policy)).toBe(false);
    }
  });

  it('where a value is required, it counts in any turn', () => {
    const evidence = () => [{ source: 'db-3', encoding: 'plain', description: 'an address' }];
    const session = { calls: [pastCall(3, { turn: 'b', categories: ['unknown'] as const })], turn: 'a', evidence };
    const policy = `${ALONE}cross_server_flow = { evidence = "value" }`;
    expect(flowsIn({ policy, categories: ['write'], session })).toMatchObject([
      { reason: 'it would write with "send_email" a value that "query_database" of the server "db" gave 3 s ago: an address' },
    ]);
    expect(rulesIn({ policy: ALONE, categories: ['write'], session })).toEqual([]);
    expect(rulesIn({ policy, categories: ['read'], session })).toEqual([]);
    expect(rulesIn({ policy, session: { ...session, evidence: () => [] } })).toEqual([]);
  });

  it('switched off, it finds nothing', () => {
    expect(isFound({ turn: 'a' }, 'cross_server_flow = { enabled = false }')).toBe(false);
  });
});
