import { describe, expect, it } from 'vitest';
import type { PastCall } from '../../../src/core/finding.ts';
import { MOST_CALLS } from '../../../src/core/facts.ts';
import { flowsIn, pastCall, rulesIn } from '../../support/session-facts.ts';

/** So many calls of the server that is called, over a little less than 5 seconds. */
function calls(count: number, about: Partial<PastCall> = {}): PastCall[] {
  return Array.from({ length: count }, (_, i) => pastCall((4.9 * (count - i)) / count, { server: 'mail', ...about }));
}

function isFound(past: readonly PastCall[], policy = '', servers = 2): boolean {
  return rulesIn({ policy, categories: ['compute'], session: { calls: past, servers } }).includes('burst');
}

describe('burst', () => {
  it('hazard 40: with 10 calls allowed, the 11th in the window is found, and the 10th is not', () => {
    expect(isFound(calls(9))).toBe(false);
    expect(isFound(calls(10))).toBe(true);
    expect(isFound(calls(10).slice(1))).toBe(false);
  });

  it('counts a call by when it was made, not answered', () => {
    expect(isFound(calls(10).map((call) => ({ ...call, made: call.time - 5000 })))).toBe(false);
  });

  it('says which call it would be, and names the ten newest', () => {
    const past = calls(12);
    expect(flowsIn({ categories: ['compute'], session: { calls: past } })).toEqual([
      {
        rule: 'burst',
        severity: 'high',
        action: 'alert',
        reason: 'it would be call 13 of the server "mail" within 5s, and the limit is 10',
        related: past.slice(2),
        evidence: undefined,
      },
    ]);
  });

  it('does not say that it counted all where it knows the newest only', () => {
    const [finding] = flowsIn({ categories: ['compute'], session: { calls: calls(MOST_CALLS) } });
    expect(finding?.reason).toMatch(`it would be at least call ${MOST_CALLS + 1} of`);
  });

  it.each([
    ['max_calls = 1', 1],
    ['max_calls = 3', 3],
    ['max_calls = 999', 999],
  ])('%s: one more is found', (line, count) => {
    const policy = `burst = { ${line} }`;
    expect(isFound(calls(count), policy)).toBe(true);
    expect(isFound(calls(count - 1), policy)).toBe(false);
  });

  it('calls of other servers, denied ones and older ones do not count', () => {
    const nine = calls(9);
    expect(isFound([...calls(20, { server: 'db' }), ...nine])).toBe(false);
    expect(isFound([...calls(20, { isForwarded: false }), ...nine])).toBe(false);
    expect(isFound([pastCall(5.001, { server: 'mail' }), ...nine])).toBe(false);
    expect(isFound([pastCall(5, { server: 'mail' }), ...nine])).toBe(true);
    expect(isFound([pastCall(29, { server: 'mail' }), ...nine], 'burst = { window = "30s" }')).toBe(true);
  });

  it('of whatever kind they are', () => {
    const past = [...calls(5, { method: 'resources/read' }), ...calls(5, { categories: ['unknown'] })];
    expect(isFound(past)).toBe(true);
    expect(rulesIn({ call: { method: 'prompts/get', prompt: 'p' }, categories: ['read'], session: { calls: past } })).toEqual([
      'burst',
    ]);
  });

  it('inactive until there is a second server', () => {
    expect(isFound(calls(50), '', 1)).toBe(false);
    expect(isFound(calls(50), '', 0)).toBe(false);
  });

  it('switched off, it finds nothing', () => {
    expect(isFound(calls(50), 'burst = { enabled = false }')).toBe(false);
  });

  it('a denial does not prolong itself: calls go on again as soon as the window has room', () => {
    const past: PastCall[] = [];
    const went: number[] = [];
    for (let tenths = 0; tenths <= 150; tenths++) {
      const now = pastCall(-tenths / 10, { id: String(tenths), server: 'mail' });
      const isForwarded = !rulesIn({ categories: ['compute'], session: { calls: past, now: now.time } }).includes('burst');
      past.push({ ...now, isForwarded });
      if (isForwarded) went.push(tenths);
    }
    expect(went).toEqual([0, 51, 102].flatMap((first) => Array.from({ length: 10 }, (_, i) => first + i)));
  });
});
