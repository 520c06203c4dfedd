import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { Leaving } from '../../../src/transport/mcp-http/asked.ts';

function setUp(): { close: (isWhole: boolean) => void; leaving: Leaving; log: string[] } {
  const response = Object.assign(new EventEmitter(), { writableFinished: false });
  const log: string[] = [];
  return {
    close: (isWhole) => {
      response.writableFinished = isWhole;
      response.emit('close');
    },
    leaving: new Leaving(response as unknown as ServerResponse, () => log.push('gone')),
    log,
  };
}

it('ends what was begun for a client that leaves', () => {
  const { close, leaving, log } = setUp();
  leaving.onStart(({ message }) => log.push(message));
  expect(leaving.isGone).toBe(false);
  close(false);
  close(false);
  expect(leaving.isGone).toBe(true);
  expect(log).toEqual(['gone', 'the client has disconnected']);
});

it('ends at once what is begun after that', () => {
  const { close, leaving, log } = setUp();
  close(false);
  leaving.onStart(({ message }) => log.push(message));
  expect(log).toEqual(['gone', 'the client has disconnected']);
});

it('does nothing where the client has its answer', () => {
  const { close, leaving, log } = setUp();
  leaving.onStart(({ message }) => log.push(message));
  close(true);
  expect([leaving.isGone, log]).toEqual([false, []]);
});
