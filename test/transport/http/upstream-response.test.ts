import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readBody } from '../../../src/transport/http/read-body.ts';
import { type BodyTaker, UpstreamResponse } from '../../../src/transport/http/upstream-response.ts';

/** What a response asked of its connection. */
function create(rawHeaders: string[] = []): { response: UpstreamResponse; asked: string[] } {
  const asked: string[] = [];
  const response = new UpstreamResponse(200, rawHeaders, {
    pause: () => asked.push('pause'),
    resume: () => asked.push('resume'),
    abort: ({ message }) => asked.push(`abort: ${message}`),
  });
  return { response, asked };
}

/** What a taker is told. */
function taker(): { taker: BodyTaker; told: string[] } {
  const told: string[] = [];
  return {
    told,
    taker: {
      data: (chunk) => told.push(String(chunk)),
      end: () => told.push('END'),
      fail: ({ message }) => told.push(`FAIL: ${message}`),
    },
  };
}

const BIG = Buffer.alloc(100_000, 'x');

describe('headers', () => {
  it('are by lower-case name, joined or the first of several', () => {
    const raw = ['X-A', '1', 'x-a', '2', 'Content-Type', 'a/b', 'content-type', 'c/d', 'Set-Cookie', 'e', 'set-cookie', 'f'];
    const { headers, rawHeaders } = create(raw).response;
    expect({ ...headers }).toEqual({ 'x-a': '1, 2', 'content-type': 'a/b', 'set-cookie': ['e', 'f'] });
    expect(rawHeaders).toEqual(raw);
  });

  it('are the same one by one', () => {
    const raw = [
      'X-A',
      '1',
      'x-a',
      '2',
      'Content-Type',
      'a/b',
      'content-type',
      'c/d',
      'Set-Cookie',
      'e',
      '__proto__',
      'x',
      'X-B',
      'y',
    ];
    const { response } = create(raw);
    for (const name of ['x-a', 'content-type', 'x-b', '__proto__', 'constructor', 'x-c', '']) {
      expect([name, response.header(name)]).toEqual([name, response.headers[name]]);
    }
  });

  it('have nothing that no server sent', () => {
    expect(create(['__proto__', 'x']).response.headers['__proto__']).toBe('x');
    expect(create().response.headers['constructor']).toBeUndefined();
  });
});

describe('a body that is read as a stream', () => {
  it('comes whole', async () => {
    const { response } = create();
    response.deliver(Buffer.from('a'));
    const reading = text(response);
    response.deliver(Buffer.from('b'));
    response.finish();
    expect(await reading).toBe('ab');
  });

  it('is held back where it is not read, and comes again once it is', async () => {
    const { response, asked } = create();
    response.deliver(BIG);
    expect(asked).toEqual(['pause']);
    const reading = text(response);
    await turn();
    expect(asked).toEqual(['pause', 'resume']);
    response.finish();
    expect((await reading).length).toBe(BIG.length);
  });

  it('ends in the error that broke it', async () => {
    const { response, asked } = create();
    response.deliver(Buffer.from('a'));
    response.break(new Error('broken'));
    await expect(text(response)).rejects.toThrow('broken');
    expect(asked).toEqual([]);
  });
});

describe('a body that is taken', () => {
  it('comes with what was there before', () => {
    const { response, asked } = create();
    const { taker: to, told } = taker();
    response.deliver(Buffer.from('a'));
    response.deliver(Buffer.from('b'));
    response.takeBody(to);
    response.deliver(Buffer.from('c'));
    response.finish();
    expect(told.join('')).toBe('abcEND');
    expect(asked).toEqual([]);
  });

  it('may be there as a whole, or have nothing', () => {
    for (const body of ['', 'whole']) {
      const { response } = create();
      const { taker: to, told } = taker();
      if (body !== '') response.deliver(Buffer.from(body));
      response.finish();
      response.takeBody(to);
      expect(told.join('')).toBe(`${body}END`);
    }
  });

  it('comes again where it was held back before anybody took it', async () => {
    const { response, asked } = create();
    response.deliver(BIG);
    response.takeBody(taker().taker);
    await turn();
    expect(asked).toEqual(['pause', 'resume']);
  });

  it('is held back by its taker, not by its size', async () => {
    const { response, asked } = create();
    response.takeBody(taker().taker);
    response.deliver(BIG);
    response.release();
    await turn();
    expect(asked).toEqual([]);
    response.hold();
    response.release();
    expect(asked).toEqual(['pause']);
    await turn();
    expect(asked).toEqual(['pause', 'resume']);
  });

  it('stays held back where that is what was said last', async () => {
    const { response, asked } = create();
    response.takeBody(taker().taker);
    response.hold();
    response.release();
    response.hold();
    await turn();
    expect(asked).toEqual(['pause', 'pause']);
  });

  it('fails where it breaks, unless it has ended', () => {
    const broken = create();
    const first = taker();
    broken.response.takeBody(first.taker);
    broken.response.deliver(Buffer.from('a'));
    broken.response.break(new Error('broken'));
    broken.response.break(new Error('again'));
    broken.response.finish();
    expect(first.told).toEqual(['a', 'FAIL: broken']);
    expect(broken.asked).toEqual([]);

    const whole = create();
    const second = taker();
    whole.response.takeBody(second.taker);
    whole.response.finish();
    whole.response.break(new Error('broken'));
    expect(second.told).toEqual(['END']);
  });

  it('fails where it broke before anybody took it', () => {
    const { response } = create();
    const { taker: to, told } = taker();
    response.break(new Error('broken'));
    response.takeBody(to);
    expect(told).toEqual(['FAIL: broken']);
  });

  it('ends its connection where it is given up, and tells so once', () => {
    const { response, asked } = create();
    const { taker: to, told } = taker();
    response.takeBody(to);
    response.destroy();
    response.destroy();
    response.deliver(Buffer.from('late'));
    response.break(new Error('broken'));
    expect(asked).toEqual(['abort: the response was given up']);
    expect(told).toEqual(['FAIL: the response was given up']);
  });

  it.each([true, false])('can be given up at what was there before, with its end there: %s', (isWhole) => {
    const { response, asked } = create();
    const told: string[] = [];
    response.deliver(Buffer.from('a'));
    if (isWhole) response.finish();
    response.takeBody({
      data: () => response.destroy(new Error('enough')),
      end: () => told.push('END'),
      fail: ({ message }) => told.push(message),
    });
    expect(told).toEqual(['enough']);
    expect(asked).toEqual(isWhole ? [] : ['abort: enough']);
  });

  it('that has ended leaves its connection alone', () => {
    const { response, asked } = create();
    response.takeBody(taker().taker);
    response.finish();
    response.destroy();
    expect(asked).toEqual([]);
  });
});

describe('readBody', () => {
  it('reads it', async () => {
    const { response } = create();
    response.deliver(Buffer.from('a'));
    const reading = readBody(response, { limit: 3 });
    response.deliver(Buffer.from('bc'));
    response.finish();
    expect(await reading).toEqual({ kind: 'ok', body: Buffer.from('abc') });
  });

  it('holds back what is too large', async () => {
    const { response, asked } = create();
    const reading = readBody(response, { limit: 1 });
    response.deliver(Buffer.from('ab'));
    expect([await reading, asked]).toEqual([{ kind: 'too_large' }, ['pause']]);
  });

  it.each<[string, (response: UpstreamResponse) => void]>([
    ['broken', (response) => response.break(new Error('broken'))],
    ['given up', (response) => response.destroy()],
  ])('does not wait for what is %s', async (_what, end) => {
    const { response } = create();
    const reading = readBody(response, { limit: 9 });
    end(response);
    expect(await reading).toEqual({ kind: 'cut_off' });
  });

  it('stops at its signal', async () => {
    const { response } = create();
    const stop = new AbortController();
    const reading = readBody(response, { limit: 9, signal: stop.signal });
    stop.abort();
    expect(await reading).toEqual({ kind: 'cut_off' });
  });
});
