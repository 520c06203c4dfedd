import { describe, expect, it } from 'vitest';
import { parseJson, type JsonObject } from '../../../src/core/json.ts';
import { KeyedSeenCalls } from '../../../src/gate/model/seen-calls.ts';
import type { DigestedCalls, LinkedCall, SeenCall } from '../../../src/gate/ports/seen-call-port.ts';

const SEEN_CALL: SeenCall = { record: 'r.1', time: 1, toolUseId: 't', isDenied: false, granted: undefined };

function callOf(args: string | undefined, more: Partial<LinkedCall> = {}): LinkedCall {
  return { server: 's', tool: 't', args: args === undefined ? undefined : (parseJson(args) as JsonObject), ...more };
}

/** By what a call is known. */
function digests(key = 'key'): { readonly of: (call: LinkedCall) => string | undefined; readonly reads: () => number } {
  let last: string | undefined;
  let reads = 0;
  const kept: DigestedCalls = {
    add: () => {},
    of: (_session, digest) => {
      last = digest;
      return [];
    },
    named: () => [],
    isEmpty: false,
    remove: () => {},
  };
  const seenCalls = new KeyedSeenCalls(
    (work) => work(kept),
    () => {
      reads++;
      return Buffer.from(key);
    },
  );
  return {
    of(call) {
      seenCalls.of('session', call);
      return last;
    },
    reads: () => reads,
  };
}

describe('a call is known', () => {
  const { of } = digests();

  it.each([
    ['in another order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['in other spellings', '{"a":1.0,"b":"\\u0061"}', '{"a":1,"b":"a"}'],
    ['as an exponent', '{"a":1e2}', '{"a":100}'],
    ['with none, or empty ones', undefined, '{}'],
  ])('by its arguments, %s', (_how, one, other) => {
    expect(of(callOf(one))).toBe(of(callOf(other)));
  });

  it.each([
    ['value', '{"a":1}', '{"a":2}'],
    ['type', '{"a":1}', '{"a":"1"}'],
    ['name', '{"a":1}', '{"b":1}'],
    ['number that a double can not tell apart', '{"a":9007199254740993}', '{"a":9007199254740992}'],
    ['order in a list', '{"a":[1,2]}', '{"a":[2,1]}'],
  ])('apart from one with another %s', (_what, one, other) => {
    expect(of(callOf(one))).not.toBe(of(callOf(other)));
  });

  it('apart from those of other servers and tools, wherever one name ends', () => {
    const all = [callOf('{}'), callOf('{}', { server: 'st', tool: '' }), callOf('{}', { server: '', tool: 'st' })].map(of);
    expect(new Set(all).size).toBe(3);
  });

  it('by whoever has the same key, which is read once', () => {
    const same = digests();
    expect(same.of(callOf('{}'))).toBe(of(callOf('{}')));
    same.of(callOf('{"a":1}'));
    expect(same.reads()).toBe(1);
    expect(digests('other').of(callOf('{}'))).not.toBe(of(callOf('{}')));
  });
});

it('what is noted and removed is by the same digest', () => {
  const done: unknown[] = [];
  const kept: DigestedCalls = {
    add: (...what) => void done.push(['add', ...what]),
    of: (...what) => {
      done.push(['of', ...what]);
      return [];
    },
    named: (digest) => {
      done.push(['named', 'any session', digest]);
      return [];
    },
    isEmpty: false,
    remove: (...what) => void done.push(['remove', ...what]),
  };
  const seenCalls = new KeyedSeenCalls(
    (work) => work(kept),
    () => Buffer.from('k'),
  );
  seenCalls.add('session', callOf('{"password":"hunter2"}'), SEEN_CALL);
  seenCalls.of('session', callOf('{"password":"hunter2"}'));
  seenCalls.named(callOf('{"password":"hunter2"}'), 't');
  seenCalls.remove('session', callOf('{"password":"hunter2"}'), 4);
  const digest = expect.stringMatching(/^[\w-]{43}$/);
  expect(done).toEqual([
    ['add', 'session', digest, SEEN_CALL],
    ['of', 'session', digest],
    ['named', 'any session', digest],
    ['remove', 'session', digest, 4],
  ]);
  expect(new Set(done.map((each) => (each as unknown[])[2])).size).toBe(1);
});

it('nothing is digested where there is none at all', () => {
  const kept: DigestedCalls = {
    add: () => {},
    of: () => [],
    named: () => expect.unreachable(),
    isEmpty: true,
    remove: () => {},
  };
  const seenCalls = new KeyedSeenCalls(
    (work) => work(kept),
    () => expect.unreachable(),
  );
  expect(seenCalls.named(callOf('{}'), 't')).toEqual([]);
});
