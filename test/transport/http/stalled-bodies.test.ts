import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Exchange, StalledBodies } from '../../../src/transport/http/stalled-bodies.ts';

function exchangeOf(request: object): Exchange {
  const made = { isPaused: () => false, readableLength: 0, readableHighWaterMark: 1, ...request } as unknown as IncomingMessage;
  return { request: made, response: {} as ServerResponse, isBodyDue: true, bytes: undefined, since: 0, waited: 0, from: 0 };
}

it('tells of a body of which nothing comes, once, and of no request that is over, with a connection or without', async () => {
  const told: unknown[] = [];
  const bodies = new StalledBodies(30, (request) => told.push(request));
  const socket = Object.assign(new EventEmitter(), { bytesRead: 1 });
  const stalled = exchangeOf({ socket });
  const over = exchangeOf({ socket, complete: true });
  const alone = exchangeOf({ socket });
  for (const exchange of [stalled, over, alone]) bodies.watch(exchange);
  // As Node leaves it behind where a connection is used on.
  alone.request = exchangeOf({ socket: null }).request;
  await setTimeout(150);
  bodies.stop();
  expect(told).toEqual([stalled.request]);
  expect([stalled, over, alone].map(({ isBodyDue }) => isBodyDue)).toEqual([false, false, false]);
});
