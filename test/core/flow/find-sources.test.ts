import { describe, expect, it } from 'vitest';
import type { PastCall } from '../../../src/core/finding.ts';
import { findSources, type SourceQuery } from '../../../src/core/flow/find-sources.ts';
import type { SessionFacts } from '../../../src/core/facts.ts';
import { policyFrom } from '../../support/policy.ts';
import { flowsIn, pastCall, sessionFacts } from '../../support/session-facts.ts';

/** One of the rules that ask for sources. */
const ALONE = 'cross_server_flow = { enabled = false }\n';

function sources(calls: readonly PastCall[], query: Partial<SourceQuery>, facts: Partial<SessionFacts> = {}) {
  const suspect = {
    call: { method: 'tools/call', server: 'mail', tool: 'send' },
    session: sessionFacts({ calls, ...facts }),
    flow: policyFrom('').flow,
    categories: () => ['send'] as const,
  };
  return findSources(suspect, { window: 30_000, evidence: 'category', isSameTurn: false, ...query });
}

describe('findSources', () => {
  it('finds those that read, the newest named', () => {
    const calls = [
      pastCall(40),
      pastCall(9),
      pastCall(5, { server: 'mail' }),
      pastCall(3),
      pastCall(2, { categories: ['write'] }),
    ];
    expect(sources(calls, {})).toEqual({ related: [calls[1], calls[3]], named: calls[3], evidence: undefined });
    expect(sources(calls, { window: 60_000 })?.related).toEqual([calls[0], calls[1], calls[3]]);
    expect(sources(calls, { window: 1000 })).toBeUndefined();
  });

  it('only of the same turn, where that is asked for; an unknown one is never the same', () => {
    const calls = [pastCall(3, { turn: 'a' }), pastCall(2, { turn: 'b' }), pastCall(1)];
    expect(sources(calls, { isSameTurn: true }, { turn: 'a' })?.related).toEqual([calls[0]]);
    expect(sources(calls, { isSameTurn: true }, { turn: 'c' })).toBeUndefined();
    expect(sources(calls, { isSameTurn: true }, { turn: undefined })).toBeUndefined();
    expect(sources(calls, {}, { turn: undefined })?.related).toEqual(calls);
  });
});

describe('values that flow', () => {
  const KEY = { encoding: 'base64', description: 'an API key of 40 characters' };
  const TAKES = 'it would send with "send_email" a value that "query_database" of the server "db" gave';
  const asking = 'read_then_send = { evidence = "value" }';
  const valueOf = (secondsAgo: number, calls: readonly PastCall[], policy = '') =>
    flowsIn({
      policy: ALONE + policy,
      session: { calls, evidence: () => [{ source: `db-${secondsAgo}`, ...KEY }] },
    });

  it('one that is found is named with its call, also where none is required', () => {
    const calls = [pastCall(9), pastCall(3)];
    for (const policy of ['', asking]) {
      const [finding] = valueOf(9, calls, policy);
      expect(finding?.reason).toBe(`${TAKES} 9 s ago: an API key of 40 characters, as base64`);
      expect(finding?.evidence).toEqual({ source: 'db-9', ...KEY });
      expect(finding?.related).toEqual(policy === '' ? calls : [calls[0]]);
    }
  });

  it('where one is required and there is none, nothing is found', () => {
    expect(flowsIn({ policy: ALONE + asking, session: { calls: [pastCall(3)] } })).toEqual([]);
  });

  it('where one is required, it does not matter what its call did', () => {
    expect(valueOf(3, [pastCall(3, { categories: ['unknown'] })], asking)).toHaveLength(1);
    expect(valueOf(3, [pastCall(3, { categories: ['unknown'] })])).toEqual([]);
  });

  it.each<[string, Partial<PastCall>]>([
    ['of the same server', { server: 'mail', id: 'db-3' }],
    ['that did not go on', { isForwarded: false }],
    ['before the window', { time: 0 }],
    ['that is not known', { id: 'other' }],
  ])('a value of a call %s is none', (_name, about) => {
    expect(valueOf(3, [pastCall(3, about)], asking)).toEqual([]);
  });

  it('the call of the value is among ten, however many have read since', () => {
    const calls = Array.from({ length: 20 }, (_, i) => pastCall(20 - i));
    const [finding] = valueOf(18, calls);
    expect(finding?.related).toEqual([calls[2], ...calls.slice(11)]);
  });

  it('of several, the newest is named', () => {
    const evidence = () => ['db-9', 'db-3', 'db-5'].map((source) => ({ source, ...KEY }));
    const [finding] = flowsIn({ policy: ALONE, session: { calls: [pastCall(9), pastCall(5), pastCall(3)], evidence } });
    expect(finding?.evidence?.source).toBe('db-3');
  });

  it('are not looked for where nothing depends on them', () => {
    let asked = 0;
    const evidence = () => {
      asked++;
      return [];
    };
    flowsIn({ session: { calls: [pastCall(3, { server: 'mail' })], evidence } });
    flowsIn({ categories: ['read'], policy: asking, session: { calls: [pastCall(3)], evidence } });
    expect(asked).toBe(0);
  });
});
