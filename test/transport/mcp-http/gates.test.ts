import { describe, expect, it } from 'vitest';
import type { Interceptor } from '../../../src/gate/interceptor.ts';
import { Gates } from '../../../src/transport/mcp-http/gates.ts';
import { createTestGate, type TestGate } from '../../support/gate.ts';

const HOUR = 60 * 60 * 1000;

/** Gates that are numbered in the order they were made, and which of them have ended. */
class Made {
  readonly ended: number[] = [];
  readonly all: TestGate[] = [];
  now = 0;
  readonly gates = new Gates({ create: () => this.#create(), now: () => this.now });

  indexOf(gate: Interceptor | undefined): number {
    return this.all.findIndex((one) => one.gate === gate);
  }

  #create(): Interceptor {
    const made = createTestGate('[defaults]\naction = "allow"');
    const index = this.all.push(made) - 1;
    const finish = made.gate.finish.bind(made.gate);
    made.gate.finish = () => {
      this.ended.push(index);
      return finish();
    };
    return made.gate;
  }
}

const question = '{"jsonrpc":"2.0","id":7,"method":"roots/list"}';
const answer = Buffer.from('{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}');

describe('sessions', () => {
  it('have a gate each, the same for all their requests', () => {
    const { gates } = new Made();
    const first = gates.ofSession('a');
    expect(gates.ofSession('b')).not.toBe(first);
    expect(gates.ofSession('a')).toBe(first);
    expect(gates.sessions).toBe(2);
  });

  it('one that began with a request without any keeps the gate of that request, which nobody else gets', () => {
    const { gates } = new Made();
    const gate = gates.acquire('legacy');
    gates.bind('a', gate);
    gates.release('legacy', gate);
    expect(gates.ofSession('a')).toBe(gate);
    expect(gates.acquire('legacy')).not.toBe(gate);
  });

  it('a gate that another takes the place of has ended', () => {
    const made = new Made();
    const old = made.gates.ofSession('a');
    made.gates.bind('a', old);
    expect(made.ended).toEqual([]);
    const gate = made.gates.acquire('legacy');
    made.gates.bind('a', gate);
    expect(made.ended).toEqual([0]);
    expect(made.gates.ofSession('a')).toBe(gate);
    expect(made.gates.sessions).toBe(1);
  });

  it('end, once, and a new one by the same name has a new gate', () => {
    const made = new Made();
    const old = made.gates.ofSession('a');
    made.gates.end('a');
    made.gates.end('a');
    made.gates.end('b');
    expect(made.ended).toEqual([0]);
    expect(made.gates.ofSession('a')).not.toBe(old);
  });

  it('are forgotten after an hour without a request', () => {
    const made = new Made();
    made.gates.ofSession('idle');
    const kept = made.gates.ofSession('kept');
    made.now = HOUR - 1;
    expect(made.gates.ofSession('kept')).toBe(kept);
    expect(made.ended).toEqual([]);
    made.now = HOUR;
    made.gates.ofSession('new');
    expect(made.ended).toEqual([0]);
    expect(made.gates.ofSession('kept')).toBe(kept);
  });

  it('are not forgotten while a stream of theirs is open', () => {
    const made = new Made();
    const gate = made.gates.ofSession('listening');
    const ends = [made.gates.beginStream(gate), made.gates.beginStream(gate)];
    made.now = 2 * HOUR;
    made.gates.ofSession('new');
    ends[0]?.();
    made.gates.ofSession('new');
    expect(made.ended).toEqual([]);
    ends[1]?.();
    made.gates.ofSession('new');
    expect(made.ended).toEqual([0]);
  });

  it('are at most ten thousand: the one that was used longest ago goes', () => {
    const made = new Made();
    for (let i = 0; i < 10_000; i++) made.gates.ofSession(`s${i}`);
    made.gates.ofSession('s0');
    expect(made.ended).toEqual([]);
    made.gates.ofSession('one more');
    expect(made.ended).toEqual([1]);
    expect(made.gates.sessions).toBe(10_000);
  });
});

describe('requests without a session', () => {
  it('get a gate of their own while they go on, and one that was given back afterwards', () => {
    const { gates } = new Made();
    const first = gates.acquire('modern');
    const second = gates.acquire('modern');
    expect(second).not.toBe(first);
    gates.release('modern', first);
    expect(gates.acquire('modern')).toBe(first);
  });

  it('those of one era get none of the other', () => {
    const { gates } = new Made();
    const gate = gates.acquire('modern');
    gates.release('modern', gate);
    expect(gates.acquire('legacy')).not.toBe(gate);
  });

  it('given back twice is given back once', () => {
    const { gates } = new Made();
    const gate = gates.acquire('modern');
    gates.release('modern', gate);
    gates.release('modern', gate);
    expect(gates.acquire('modern')).toBe(gate);
    expect(gates.acquire('modern')).not.toBe(gate);
  });

  it('no more gates are kept than are of use', () => {
    const made = new Made();
    const acquired = Array.from({ length: 66 }, () => made.gates.acquire('modern'));
    for (const gate of acquired) made.gates.release('modern', gate);
    expect(made.ended).toEqual([64, 65]);
  });

  it('nothing of a request is left for the next: neither ids nor what the server waits for', async () => {
    const made = new Made();
    const gate = made.gates.acquire('legacy');
    await made.all[0]?.client('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await made.all[0]?.server(question);
    made.gates.release('legacy', gate);
    expect(made.gates.acquire('legacy')).toBe(gate);
    expect(made.gates.findAsking(answer)).toBeUndefined();
    expect(await made.all[0]?.client('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toBe('forward');
  });
});

describe('an answer without a session', () => {
  it('finds the gate in which the server asked, as long as that request goes on', async () => {
    const made = new Made();
    const [first, second] = [made.gates.acquire('legacy'), made.gates.acquire('legacy')];
    await made.all[1]?.server(question);
    expect(made.gates.findAsking(answer)).toBe(second);
    expect(made.gates.findAsking(Buffer.from('{"jsonrpc":"2.0","id":8,"result":{}}'))).toBeUndefined();
    expect(made.gates.findAsking(Buffer.from('nonsense'))).toBeUndefined();
    made.gates.release('legacy', second);
    expect(made.gates.findAsking(answer)).toBeUndefined();
    made.gates.release('legacy', first);
  });

  it('is none of a session', async () => {
    const made = new Made();
    made.gates.ofSession('a');
    await made.all[0]?.server(question);
    expect(made.gates.findAsking(answer)).toBeUndefined();
  });
});

it('closing ends all gates: of sessions, idle and in use', async () => {
  const made = new Made();
  made.gates.ofSession('a');
  made.gates.release('modern', made.gates.acquire('modern'));
  made.gates.acquire('legacy');
  await made.gates.close();
  expect(made.ended.toSorted()).toEqual([0, 1, 2]);
  expect(made.gates.sessions).toBe(0);
});
