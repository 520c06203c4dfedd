import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Interceptor } from '../../../src/gate/interceptor.ts';
import { CallerGates, type Gates } from '../../../src/transport/mcp-http/gates.ts';
import { testSetup } from '../../support/gate.ts';

function make(callers: ReadonlyMap<Socket, string | Promise<string>>): { gates: CallerGates<string>; made: string[] } {
  const made: string[] = [];
  const create = (caller: string): Interceptor => {
    made.push(caller);
    return new Interceptor(testSetup(''));
  };
  return { made, gates: new CallerGates({ create, now: () => 0, callerOf: (socket) => callers.get(socket) ?? 'nobody' }) };
}

it('one id of a session is another session for each caller, and the same for one caller on several connections', async () => {
  const [a, again, b] = [new Socket(), new Socket(), new Socket()];
  const { gates, made } = make(
    new Map<Socket, string | Promise<string>>([
      [a, 'a'],
      [again, Promise.resolve('a')],
      [b, 'b'],
    ]),
  );
  const [ofA, ofAgain, ofB] = [await gates.of(a), await gates.of(again), await gates.of(b)];
  expect(ofAgain).toBe(ofA);
  expect(ofA.ofSession('one')).not.toBe(ofB.ofSession('one'));
  expect([gates.sessions, gates.size, made]).toEqual([2, 2, ['a', 'b']]);
  await gates.close();
  expect([gates.sessions, gates.size]).toEqual([0, 0]);
});

it('many callers are forgotten, and none that has something on its way', async () => {
  const sockets = Array.from({ length: 70 }, () => new Socket());
  const { gates } = make(new Map(sockets.map((socket, i) => [socket, `${i}`])));
  const first = gates.of(sockets[0] ?? new Socket()) as Gates;
  const acquired = first.acquire('legacy');
  for (const socket of sockets.slice(1))
    (gates.of(socket) as Gates).release('legacy', (gates.of(socket) as Gates).acquire('legacy'));
  expect(gates.size).toBe(64);
  expect(gates.of(sockets[0] ?? new Socket())).toBe(first);
  first.release('legacy', acquired);
  await gates.close();
});
