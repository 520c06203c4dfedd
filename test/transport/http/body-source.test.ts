import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type BodySource, toBodySource } from '../../../src/transport/http/body-source.ts';
import { UpstreamResponse } from '../../../src/transport/http/upstream-response.ts';

interface Source {
  readonly source: BodySource;
  readonly log: string[];
  send(text: string): void;
  end(): void;
  fail(): void;
  readonly isHeld: () => boolean;
}

function ofStream(): Source {
  const stream = new PassThrough();
  const log: string[] = [];
  return {
    source: toBodySource(stream),
    log,
    send: (text) => void stream.write(text),
    end: () => void stream.end(),
    fail: () => void stream.destroy(new Error('reset')),
    isHeld: () => stream.isPaused(),
  };
}

function ofConnection(): Source {
  let isHeld = false;
  const control = { pause: () => (isHeld = true), resume: () => (isHeld = false), abort: () => {} };
  const response = new UpstreamResponse(200, [], control);
  return {
    source: toBodySource(response),
    log: [],
    send: (text) => response.deliver(Buffer.from(text)),
    end: () => response.finish(),
    fail: () => response.break(new Error('reset')),
    isHeld: () => isHeld,
  };
}

const SOURCES = { 'a stream': ofStream, 'a connection': ofConnection };
const kinds = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

function take({ source, log }: Source): void {
  source.take({
    data: (chunk) => log.push(chunk.toString()),
    end: () => log.push('END'),
    fail: ({ message }) => log.push(`FAIL ${message}`),
  });
}

it.each(kinds)('%s is taken to its end', async (kind) => {
  const made = SOURCES[kind]();
  made.send('before');
  take(made);
  await setImmediate();
  made.send('after');
  made.end();
  await setImmediate();
  expect(made.log).toEqual(['before', 'after', 'END']);
});

it.each(kinds)('%s that breaks off says so, once', async (kind) => {
  const made = SOURCES[kind]();
  take(made);
  made.send('a');
  await setImmediate();
  made.fail();
  await setImmediate();
  expect(made.log[0]).toBe('a');
  expect(made.log.slice(1).join()).toContain('FAIL reset');
  expect(made.log).not.toContain('END');
});

it.each(kinds)('%s is held back and comes again', async (kind) => {
  const made = SOURCES[kind]();
  take(made);
  made.source.hold();
  await setImmediate();
  expect(made.isHeld()).toBe(true);
  made.source.release();
  await setImmediate();
  expect(made.isHeld()).toBe(false);
});

it.each(kinds)('%s that is given up brings nothing more, and no end', async (kind) => {
  const made = SOURCES[kind]();
  take(made);
  await setImmediate();
  made.source.destroy();
  await setImmediate();
  expect(made.log).toHaveLength(1);
  expect(made.log[0]).toContain('FAIL');
});
