import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Callers } from '../../../src/cli/serve/callers.ts';

/** Answers lookups in this order, and the last answer from then on. */
function callers(...answers: readonly ('unsure' | { user: number })[]): {
  readonly callers: Callers;
  readonly looks: () => number;
} {
  let looks = 0;
  const find = (): Promise<'unsure' | { user: number } | undefined> =>
    Promise.resolve(answers[Math.min(looks++, answers.length - 1)]);
  return { callers: new Callers('/nowhere', { find }), looks: () => looks };
}

function connection(): Socket {
  const ends = { remoteAddress: '127.0.0.1', remotePort: 5001, localAddress: '127.0.0.1', localPort: 8787 };
  return Object.defineProperties(
    new Socket(),
    Object.fromEntries(Object.entries(ends).map(([name, value]) => [name, { value }])),
  );
}

it('looks again if a look ran out of time', async () => {
  const { callers: found, looks } = callers('unsure', 'unsure', { user: 7 });
  const socket = connection();
  expect(await found.of(socket)).toEqual({ user: 7 });
  expect(found.of(socket)).toEqual({ user: 7 });
  expect(looks()).toBe(3);
});

it('takes a caller for unknown after three looks, and looks again at the next request', async () => {
  const { callers: found, looks } = callers('unsure', 'unsure', 'unsure', { user: 7 });
  const socket = connection();
  expect(await found.of(socket)).toBe('unknown');
  expect(looks()).toBe(3);
  expect(await found.of(socket)).toEqual({ user: 7 });
});
