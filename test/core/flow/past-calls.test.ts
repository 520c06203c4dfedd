import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PastCalls } from '../../../src/core/flow/past-calls.ts';
import { LONGEST_WINDOW, MOST_CALLS } from '../../../src/core/facts.ts';
import { NOW, pastCall } from '../../support/session-facts.ts';

const HOUR = 3_600_000;

/** Calls made so many seconds ago, in this order. */
function past(...secondsAgo: readonly number[]): PastCalls {
  const calls = new PastCalls();
  for (const each of secondsAgo) calls.add(pastCall(each));
  return calls;
}

function ids(calls: PastCalls, now = NOW): readonly string[] {
  return calls.list(now).map(({ id }) => id);
}

describe('PastCalls', () => {
  it('lists calls oldest first', () => {
    expect(ids(past(3, 2, 1))).toEqual(['db-3', 'db-2', 'db-1']);
    expect(past().list(NOW)).toEqual([]);
  });

  it('window pruning: what is older than the longest window is not listed, and what is as old as it is', () => {
    const calls = past(3601, 3600, 1);
    expect(ids(calls)).toEqual(['db-3600', 'db-1']);
    expect(ids(calls, NOW + HOUR)).toEqual([]);
    expect(LONGEST_WINDOW).toBe(HOUR);
  });

  it('keeps the newest thousand', () => {
    const calls = new PastCalls();
    for (let i = 0; i < 3500; i++) calls.add(pastCall(1, { id: String(i) }));
    const kept = ids(calls);
    expect(kept.slice(-MOST_CALLS)).toEqual(Array.from({ length: MOST_CALLS }, (_, i) => String(2500 + i)));
    expect(kept[0]).toBe('2460');
  });

  it('no number of calls of other servers pushes out the few of one', () => {
    const calls = past(9, 8);
    for (let i = 0; i < 3 * MOST_CALLS; i++) calls.add(pastCall(1, { id: String(i), server: i % 3 === 0 ? 'web' : 'mail' }));
    const kept = ids(calls);
    expect(kept.length).toBeLessThanOrEqual(MOST_CALLS + 2 + 40 + 40);
    expect(kept.slice(0, 2)).toEqual(['db-9', 'db-8']);
    expect(kept.slice(-MOST_CALLS)[0]).toBe(String(2 * MOST_CALLS));
    expect(kept.at(-1)).toBe(String(3 * MOST_CALLS - 1));
  });

  it('of many servers are kept fewer each, those of few at all', () => {
    const calls = past(9);
    for (let i = 0; i < 10 * MOST_CALLS; i++) calls.add(pastCall(1, { id: String(i), server: `s${i % 50}` }));
    expect(ids(calls)).toHaveLength(MOST_CALLS + 400);
    expect(ids(calls)[0]).toBe('db-9');
    for (const id of ids(calls)) calls.retract(id);
    expect(ids(calls)).toEqual([]);
    calls.add(pastCall(0));
    expect(ids(calls)).toEqual(['db-0']);
  });

  it('denied calls take no place, however many there are', () => {
    const calls = past(5);
    for (let i = 0; i < 2 * MOST_CALLS; i++) calls.add(pastCall(1, { id: String(i), isForwarded: false }));
    expect(ids(calls)).toEqual(['db-5']);
  });

  it('forgets what is taken back, whatever else is there', () => {
    const calls = past(3, 2, 1);
    calls.retract('db-2');
    calls.retract('db-2');
    calls.retract('never');
    expect(ids(calls)).toEqual(['db-3', 'db-1']);
    calls.add(pastCall(0));
    expect(ids(calls)).toEqual(['db-3', 'db-1', 'db-0']);
  });

  it('does not find again what is gone in order to take it back', () => {
    const calls = new PastCalls();
    for (let i = 0; i <= MOST_CALLS; i++) calls.add(pastCall(1, { id: String(i) }));
    calls.retract('0');
    expect(ids(calls)).toHaveLength(MOST_CALLS);
  });

  it('gives a list that does not change any more', () => {
    const calls = past(2, 1);
    const before = calls.list(NOW);
    calls.retract('db-1');
    calls.add(pastCall(0));
    calls.nowFrom(NOW - HOUR);
    expect(before.map(({ id, time }) => [id, time])).toEqual([
      ['db-2', NOW - 2000],
      ['db-1', NOW - 1000],
    ]);
  });
});

describe('a clock that jumps', () => {
  it('back: the calls before count as just made, and age from there', () => {
    const calls = past(2, 1);
    const now = calls.nowFrom(NOW - HOUR);
    expect(now).toBe(NOW - HOUR);
    expect(calls.list(now).map(({ time }) => time)).toEqual([now, now]);
    expect(calls.list(now + 5000).map(({ time }) => now + 5000 - time)).toEqual([5000, 5000]);
  });

  it('back, seen by another process first', () => {
    const calls = past(2, 1);
    calls.add(pastCall(100));
    expect(calls.list(NOW - 100_000).map(({ time }) => time)).toEqual([NOW - 100_000, NOW - 100_000, NOW - 100_000]);
  });

  it('back: what was made before it was wrong keeps its time', () => {
    const calls = past(5);
    calls.add(pastCall(-2 * 3600));
    expect(calls.list(calls.nowFrom(NOW)).map(({ time }) => time)).toEqual([NOW - 5000, NOW]);
  });

  it('ahead: calls are as old as it says, and none is listed after an hour of it', () => {
    const calls = past(2, 1);
    expect(calls.nowFrom(NOW + 60_000)).toBe(NOW + 60_000);
    expect(calls.list(NOW + 60_000)).toHaveLength(2);
    expect(calls.list(calls.nowFrom(NOW + 2 * HOUR))).toEqual([]);
  });

  it('ahead and back again: nothing stays new for as long as it was wrong', () => {
    const calls = new PastCalls();
    for (let i = 0; i < 10; i++) calls.add(pastCall(-3600, { id: String(i) }));
    calls.nowFrom(NOW);
    const now = calls.nowFrom(NOW + 6000);
    expect(calls.list(now).every(({ time }) => now - time === 6000)).toBe(true);
  });

  it('anyhow: the list is in order, none of it after now, and nothing is lost but by age and number', () => {
    type Step = { readonly do: 'add' | 'deny' | 'retract' | 'look'; readonly clock: number; readonly id: number };
    const step: fc.Arbitrary<Step> = fc.record({
      do: fc.constantFrom('add', 'add', 'add', 'deny', 'retract', 'look'),
      clock: fc.integer({ min: NOW - 1_000_000, max: NOW + 1_000_000 }),
      id: fc.nat(20),
    });
    const holds = (steps: readonly Step[]): void => {
      const calls = new PastCalls();
      let model: string[] = [];
      for (const { do: what, clock, id } of steps) {
        const call = pastCall(0, { id: String(id), time: clock, isForwarded: what === 'add' });
        if (what === 'add' && !model.includes(call.id)) {
          calls.add(call);
          model.push(call.id);
        }
        if (what === 'deny') calls.add(call);
        if (what === 'retract') {
          calls.retract(call.id);
          model = model.filter((each) => each !== call.id);
        }
        const now = calls.nowFrom(clock);
        const listed = calls.list(now);
        expect(now).toBe(clock);
        expect(listed.map((each) => each.id)).toEqual(model);
        const times = listed.map(({ time }) => time);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times.every((time) => time <= now)).toBe(true);
      }
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), holds), { numRuns: 300 });
  });

  it('a denied call leaves no trace', () => {
    const clock = fc.integer({ min: NOW - 1_000_000, max: NOW + 1_000_000 });
    const holds = (clocks: readonly number[], denied: number): void => {
      const without = new PastCalls();
      const withDenied = new PastCalls();
      for (const [index, time] of clocks.entries()) {
        const call = pastCall(0, { id: String(index), time });
        without.add(call);
        withDenied.add(call);
        withDenied.add(pastCall(0, { id: 'denied', time: denied, isForwarded: false }));
      }
      expect(withDenied.list(NOW)).toEqual(without.list(NOW));
    };
    fc.assert(fc.property(fc.array(clock, { maxLength: 30 }), clock, holds), { numRuns: 200 });
  });
});
