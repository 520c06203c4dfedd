import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import { compilePolicy, type CompiledPolicy } from '../../../src/core/match/compile.ts';
import type { Buckets } from '../../../src/gate/ports/ports.ts';
import { Rates } from '../../../src/gate/calls/rates.ts';
import { MemoryBuckets } from '../../support/memory-session-log.ts';
import { POSIX, policyFrom } from '../../support/policy.ts';

const START = 1_700_000_000_000;
const CALL: Call = { method: 'tools/call', server: 'web', tool: 'search' };

/** A gate that lets on what the decision allows, and what came of its calls. */
class World {
  readonly buckets: Buckets;
  readonly rates: Rates;
  now = START;
  policy: CompiledPolicy;

  constructor(text: string, buckets: Buckets = new MemoryBuckets()) {
    this.buckets = buckets;
    this.policy = compiled(text);
    const clock = { now: (): number => this.now, elapsed: (): number => 0 };
    this.rates = new Rates({ buckets, clock }, () => this.policy);
  }

  /** `undefined` where it went on; the seconds to wait where it was denied. */
  call(call = CALL): number | undefined {
    const rates = this.rates.snapshot(call);
    const known = rates === undefined ? {} : { rates };
    const decision = decide(call, { policy: this.policy, paths: POSIX, realPaths: new Map(), ...known });
    if (decision.action === 'allow') this.rates.spend(call);
    return decision.excess?.retryAfter;
  }

  /** How many of so many calls went on. */
  count(calls: number, call = CALL): number {
    return Array.from({ length: calls }, () => this.call(call)).filter((wait) => wait === undefined).length;
  }
}

function compiled(text: string): CompiledPolicy {
  return compilePolicy(policyFrom(`[defaults]\naction = "allow"\n${text}`));
}

const ENABLED = '[rate_limits]\nenabled = true\n';

describe('hazard 39', () => {
  it.each([0.5, 1, 5, 6, 60])('a rate of %f alone is no empty bucket: a call goes on', (rpm) => {
    const world = new World(`${ENABLED}default_rpm = ${rpm}`);
    expect(world.count(100)).toBe(Math.max(1, Math.floor(rpm / 6)));
  });

  it('a call that is denied costs nothing: however often it is tried, the next goes on when it was said to', () => {
    const world = new World(`${ENABLED}default_rpm = 2`);
    expect(world.call()).toBeUndefined();
    for (let second = 0; second < 30; second++) {
      world.now = START + second * 1000;
      expect(world.call()).toBe(30 - second);
    }
    world.now = START + 30_000;
    expect(world.call()).toBeUndefined();
  });

  it.each(['deny', 'prompt'])('nor does a call to which a rule says %s', (action) => {
    const world = new World(`${ENABLED}default_burst = 2\n[[rule]]\naction = "${action}"\ntool = "delete"`);
    for (let i = 0; i < 10; i++) world.call({ ...CALL, tool: 'delete' });
    expect(world.count(10)).toBe(2);
  });
});

describe('Rates', () => {
  it('one tool of a server has its own besides that of the server', () => {
    const world = new World(`${ENABLED}server.web.burst = 5\nserver.web.tool.search = { rpm = 1, burst = 2 }`);
    expect(world.count(10)).toBe(2);
    // What the tool's bucket denied took nothing from the server's.
    expect(world.count(10, { ...CALL, tool: 'fetch' })).toBe(3);
    expect(world.count(10, { method: 'resources/read', server: 'web', resource: 'x://y' })).toBe(0);
    expect(world.count(20, { ...CALL, server: 'other' })).toBe(10);
  });

  it('a limit that is edited counts at once', () => {
    const world = new World(`${ENABLED}default_burst = 5`);
    expect(world.count(2)).toBe(2);
    world.policy = compiled(`${ENABLED}default_rpm = 1\ndefault_burst = 1`);
    expect(world.count(5)).toBe(1);
    expect(world.call()).toBe(60);
    world.policy = compiled(`${ENABLED}default_rpm = 60`);
    expect(world.call()).toBe(1);
    world.policy = compiled('');
    expect(world.count(50)).toBe(50);
  });

  it('nothing is read or written where nothing is limited', () => {
    const fail = (): never => {
      throw new Error('asked for');
    };
    for (const text of ['', ENABLED.replace('true', 'false')]) {
      const world = new World(text, { read: fail, write: fail });
      expect(world.rates.snapshot(CALL)).toBeUndefined();
      world.rates.spend(CALL);
      world.rates.refund(CALL);
    }
    const world = new World(ENABLED, { read: fail, write: fail });
    expect(world.rates.snapshot({ method: 'tools/list', server: 'web' })).toBeUndefined();
    expect(() => world.rates.snapshot(CALL)).toThrow('asked for');
  });

  it('what is reserved cannot be taken, and is there again when it is put back', () => {
    const world = new World(`${ENABLED}default_burst = 3`);
    for (let i = 0; i < 3; i++) world.rates.spend(CALL);
    expect(world.count(1)).toBe(0);
    world.rates.refund(CALL);
    expect(world.count(5)).toBe(1);
  });

  it('nothing is put back beyond the burst', () => {
    const world = new World(`${ENABLED}default_burst = 3`);
    world.rates.refund(CALL);
    expect(world.count(1)).toBe(1);
    for (let i = 0; i < 5; i++) world.rates.refund(CALL);
    expect(world.count(10)).toBe(3);
  });

  it('what a process that died had reserved comes back by time', () => {
    const world = new World(`${ENABLED}default_rpm = 12\ndefault_burst = 2`);
    world.rates.spend(CALL);
    world.rates.spend(CALL);
    expect(world.call()).toBe(5);
    world.now += 10_000;
    expect(world.count(10)).toBe(2);
  });

  it('a bucket without a token is not taken from', () => {
    const world = new World(`${ENABLED}default_rpm = 60\ndefault_burst = 1`);
    for (let i = 0; i < 5; i++) world.rates.spend(CALL);
    world.now += 1000;
    expect(world.call()).toBeUndefined();
  });
});

describe('a clock that is set back', () => {
  it.each([1, 5000, 3_600_000, 10 * 365 * 86_400_000])(
    'by %i ms: nobody waits until it is there again, and the burst stays the most',
    (by) => {
      const world = new World(`${ENABLED}default_rpm = 12\ndefault_burst = 3`);
      expect(world.count(10)).toBe(3);
      world.now -= by;
      expect(world.count(10)).toBe(0);
      // Denied calls in between put nothing off.
      for (let second = 1; second < 5; second++) {
        world.now += 1000;
        expect(world.call()).toBe(5 - second);
      }
      world.now += 1000;
      expect(world.count(10)).toBe(1);
      world.now += 600_000;
      expect(world.count(10)).toBe(3);
    },
  );
});
