import { describe, expect, it } from 'vitest';
import type { Category } from '../../../src/core/call.ts';
import type { PastCall } from '../../../src/core/finding.ts';
import { flowsIn, pastCall } from '../../support/session-facts.ts';

/** The findings of this rule alone. */
const ALONE = 'cross_server_flow = { enabled = false }\n';

function found(calls: readonly PastCall[], policy = '', categories: readonly Category[] = ['send']): readonly string[] {
  return flowsIn({ policy: ALONE + policy, categories, session: { calls } }).map(({ reason }) => reason);
}

const SENDS = 'it would send with "send_email" after "query_database" of the server "db" read data';

describe('read_then_send', () => {
  it('a read of one server, then a send of another, is found', () => {
    const calls = [pastCall(3)];
    expect(flowsIn({ policy: ALONE, session: { calls } })).toEqual([
      {
        rule: 'read_then_send',
        severity: 'critical',
        action: 'alert',
        reason: `${SENDS} 3 s ago`,
        related: calls,
        evidence: undefined,
      },
    ]);
  });

  it.each<[string, Partial<PastCall>]>([
    ['on the same server', { server: 'mail' }],
    ['that did not go on', { isForwarded: false }],
    ['that was no read', { categories: ['write', 'compute'] }],
    ['of which nothing is known', { categories: ['unknown'] }],
  ])('a call %s is none', (_name, about) => {
    expect(found([pastCall(3, about)])).toEqual([]);
  });

  it('expired: the window has its end; what is as old as it is counts, and older does not', () => {
    expect(found([pastCall(30)])).toEqual([`${SENDS} 30 s ago`]);
    expect(found([pastCall(30.001)])).toEqual([]);
    expect(found([pastCall(60)], 'read_then_send = { window = "1m" }')).toEqual([`${SENDS} 60 s ago`]);
  });

  it('a call that seems to come later was just made', () => {
    expect(found([pastCall(-3600)])).toEqual([`${SENDS} just now`]);
  });

  it.each<[readonly Category[], number]>([
    [['send'], 1],
    [['read', 'send'], 1],
    [['write'], 0],
    [['read'], 0],
    [['compute', 'unknown'], 0],
  ])('what does %j: %d', (categories, count) => {
    expect(found([pastCall(1)], '', categories)).toHaveLength(count);
  });

  it('resources and prompts are read', () => {
    const about = { method: 'resources/read', subject: 'file:///secret' };
    expect(found([pastCall(1, about)])).toEqual([
      'it would send with "send_email" after "file:///secret" of the server "db" read data 1 s ago',
    ]);
  });

  it('names the newest, and ten with it, oldest first', () => {
    const calls = Array.from({ length: 15 }, (_, i) => pastCall(20 - i, { categories: i === 14 ? ['compute'] : ['read'] }));
    const [finding] = flowsIn({ policy: ALONE, session: { calls } });
    expect(finding?.reason).toBe(`${SENDS} 7 s ago`);
    expect(finding?.related).toEqual(calls.slice(4, 14));
  });

  it('switched off, it finds nothing', () => {
    expect(found([pastCall(1)], 'read_then_send = { enabled = false }')).toEqual([]);
  });
});
