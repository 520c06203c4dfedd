import { once } from 'node:events';
import { Agent, request as sendTls } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type ListenerOptions, startListener } from '../../../src/transport/http/listener.ts';
import type { Target } from '../../../src/transport/http/target.ts';
import { type RunningListener, runListener, useListener } from '../../support/http-listener.ts';
import { type RawConnection, connectRaw, exchange, head, statusesIn } from '../../support/raw-http.ts';
import { SELF_SIGNED } from '../../support/tls-fixtures.ts';
import { until } from '../../support/until.ts';

const plain = useListener();
const guarded = useListener({ token: 'open sesame', hosts: ['gate.example'] });

/** What a listener says to a head with these lines after its request line. */
function say(
  listener: { readonly current: { listener: { origin: string } } },
  lines: string[],
  request = 'GET /mcp HTTP/1.1',
): Promise<string> {
  return exchange(listener.current.listener.origin, head(request, ...lines, 'connection: close'));
}

describe('an ordinary request', () => {
  it('gets through, with its target and body', async () => {
    const { listener, seen } = plain.current;
    const response = await fetch(`${listener.origin}/mcp/a%20b?c=d`, { method: 'POST', body: 'hello' });
    expect([response.status, await response.text()]).toEqual([200, 'ok']);
    expect(seen.at(-1)).toMatchObject({
      method: 'POST',
      target: { segments: ['mcp', 'a b'], path: '/mcp/a%20b', query: '?c=d' },
      body: 'hello',
    });
  });

  it('names the real port in its origin', () => {
    expect(plain.current.listener.origin).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  });

  it('may come with others on one connection', async () => {
    const { listener, host, seen } = plain.current;
    const before = seen.length;
    const bytes =
      head('POST /1 HTTP/1.1', `host: ${host}`, 'content-length: 2') +
      'ab' +
      head('GET /2 HTTP/1.1', `host: ${host}`, 'connection: close');
    expect(statusesIn(await exchange(listener.origin, bytes))).toEqual([200, 200]);
    // The second has no body to wait for, so it may be seen first.
    expect(
      seen
        .slice(before)
        .map(({ target, body }) => target.path + body)
        .sort(),
    ).toEqual(['/1ab', '/2']);
  });

  it('is not upgraded, whatever it asks for', async () => {
    const { host, seen } = plain.current;
    const before = seen.length;
    const answer = await exchange(
      plain.current.listener.origin,
      head('POST /up HTTP/1.1', `host: ${host}`, 'connection: upgrade, close', 'upgrade: h2c', 'content-length: 3') + 'abc',
    );
    expect(statusesIn(answer)).toEqual([200]);
    expect(seen.slice(before).map(({ body }) => body)).toEqual(['abc']);
  });
});

describe('the answer to a refused one', () => {
  it('is an error of JSON-RPC that nobody keeps', async () => {
    const answer = await say(plain, ['host: other.example']);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toMatch(/^content-type: application\/json\r$/m);
    expect(answer).toMatch(/^cache-control: no-store\r$/m);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.any(String) },
    });
  });

  it('ends the connection, and what came with it is no request', async () => {
    const { listener, host, seen } = plain.current;
    const before = seen.length;
    const bytes = head('GET // HTTP/1.1', `host: ${host}`) + head('GET / HTTP/1.1', `host: ${host}`);
    expect(statusesIn(await exchange(listener.origin, bytes))).toEqual([400]);
    expect(seen).toHaveLength(before);
  });

  it('ends it also where there was a body that nobody reads', async () => {
    const { listener, host, seen } = plain.current;
    const before = seen.length;
    const inner = head('GET /inner HTTP/1.1', `host: ${host}`);
    const bytes = head('POST // HTTP/1.1', `host: ${host}`, `content-length: ${inner.length + 1}`) + inner;
    expect(statusesIn(await exchange(listener.origin, bytes))).toEqual([400]);
    expect(seen).toHaveLength(before);
  });

  it('arrives although megabytes are on their way', async () => {
    const { listener, host } = plain.current;
    const bytes = head('POST // HTTP/1.1', `host: ${host}`, 'content-length: 4000000') + 'x'.repeat(4_000_000);
    expect(statusesIn(await exchange(listener.origin, bytes))).toEqual([400]);
  });
});

describe('Host', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('%s with the port is ours', async (name) => {
    const { port } = new URL(plain.current.listener.origin);
    expect(statusesIn(await say(plain, [`host: ${name}:${port}`]))).toEqual([200]);
  });

  it.each([
    'localhost',
    '127.0.0.1',
    'localhost:1',
    'evil.example',
    'localhost.:PORT',
    'a.localhost:PORT',
    '0.0.0.0:PORT',
    '',
    'x@localhost:PORT',
  ])('%j is not', async (name) => {
    const { port } = new URL(plain.current.listener.origin);
    expect(statusesIn(await say(plain, [`host: ${name.replace('PORT', port)}`]))).toEqual([403]);
  });

  it('must be there, once', async () => {
    const { host } = plain.current;
    expect(statusesIn(await say(plain, []))).toEqual([403]);
    expect(statusesIn(await say(plain, [], 'GET / HTTP/1.0'))).toEqual([403]);
    expect(statusesIn(await say(plain, [`host: ${host}`, `host: ${host}`]))).toEqual([403]);
  });
});

describe('Origin', () => {
  it('may be ours', async () => {
    const { listener, host } = plain.current;
    expect(statusesIn(await say(plain, [`host: ${host}`, `origin: ${listener.origin}`]))).toEqual([200]);
  });

  it.each(['null', 'https://HOST', 'http://localhost', 'http://evil.example', 'http://HOST/', 'http://HOST.evil.example', ''])(
    'may not be %j',
    async (origin) => {
      const { host } = plain.current;
      expect(statusesIn(await say(plain, [`host: ${host}`, `origin: ${origin.replace('HOST', host)}`]))).toEqual([403]);
    },
  );
});

describe('the token', () => {
  it('opens, and nothing else does', async () => {
    const host = `host: gate.example:${new URL(guarded.current.listener.origin).port}`;
    const ask = async (...lines: string[]): Promise<number[]> => statusesIn(await say(guarded, [host, ...lines]));
    expect(await ask('x-clawai-token: open sesame')).toEqual([200]);
    expect(await ask()).toEqual([403]);
    expect(await ask('x-clawai-token: open')).toEqual([403]);
    expect(await ask('x-clawai-token: open sesame2')).toEqual([403]);
    expect(await ask('x-clawai-token:')).toEqual([403]);
    expect(await ask('x-clawai-token: wrong', 'x-clawai-token: open sesame')).toEqual([403]);
    expect(await ask('authorization: open sesame')).toEqual([403]);
  });
});

describe('headers with more than one meaning', () => {
  const twice: [lines: string[], status: number][] = [
    [['content-type: a', 'Content-Type: a'], 400],
    [['authorization: a', 'authorization: b'], 400],
    [['mcp-session-id: a', 'Mcp-Session-Id: b'], 400],
    [['mcp-protocol-version: a', 'mcp-protocol-version: b'], 400],
    [['origin: ORIGIN', 'origin: ORIGIN'], 400],
    [['cookie: a', 'cookie: b'], 200],
    [['accept: a', 'accept: b'], 200],
  ];
  it.each(twice)('%j: %i', async (lines, status) => {
    const { listener, host } = plain.current;
    const real = lines.map((line) => line.replace('ORIGIN', listener.origin));
    expect(statusesIn(await say(plain, [`host: ${host}`, ...real]))).toEqual([status]);
  });

  it('256 are enough', async () => {
    const { host } = plain.current;
    const many = (count: number): string[] => [
      `host: ${host}`,
      ...Array.from({ length: count - 2 }, (_, index) => `x-${index}: y`),
    ];
    expect(statusesIn(await say(plain, many(256)))).toEqual([200]);
    expect(statusesIn(await say(plain, many(257)))).toEqual([431]);
  });

  it('32 KiB are enough', async () => {
    const { host } = plain.current;
    expect(statusesIn(await say(plain, [`host: ${host}`, `x: ${'y'.repeat(31 * 1024)}`]))).toEqual([200]);
    expect(statusesIn(await say(plain, [`host: ${host}`, `x: ${'y'.repeat(33 * 1024)}`]))).toEqual([431]);
  });
});

describe('expectations', () => {
  it('100-continue is met before the body comes', async () => {
    const { listener, host } = plain.current;
    const connection = connectRaw(listener.origin);
    connection.socket.write(
      head('POST / HTTP/1.1', `host: ${host}`, 'content-length: 2', 'expect: 100-continue', 'connection: close'),
    );
    await until('the invitation', () => connection.received().includes('100 Continue'));
    connection.socket.write('ab');
    await connection.closed;
    expect(statusesIn(connection.received())).toEqual([100, 200]);
  });

  it('nobody is invited to send what would be refused', async () => {
    const answer = await say(plain, ['host: evil.example', 'content-length: 2', 'expect: 100-continue'], 'POST / HTTP/1.1');
    expect(statusesIn(answer)).toEqual([403]);
  });

  it('there is no other', async () => {
    const { host } = plain.current;
    expect(statusesIn(await say(plain, [`host: ${host}`, 'expect: the unexpected']))).toEqual([417]);
    expect(statusesIn(await say(plain, ['host: evil.example', 'expect: the unexpected']))).toEqual([403]);
  });
});

it('there are no tunnels', async () => {
  const { listener, host, seen } = plain.current;
  const before = seen.length;
  expect(statusesIn(await exchange(listener.origin, head('CONNECT example.com:443 HTTP/1.1', `host: ${host}`)))).toEqual([405]);
  expect(seen).toHaveLength(before);
});

describe('who is slow', () => {
  const limits = { headersTimeout: 300, bodyTimeout: 300, idleTimeout: 300 };

  it('with the headers gets 408', async () => {
    const { listener } = await runListener({ limits });
    expect(statusesIn(await exchange(listener.origin, 'GET / HTTP/1.1\r\nhost: '))).toEqual([408]);
    await listener.close(0);
  });

  it('with the body as well', async () => {
    const { listener, host, seen } = await runListener({ limits });
    expect(
      statusesIn(await exchange(listener.origin, head('POST / HTTP/1.1', `host: ${host}`, 'content-length: 9') + 'abc')),
    ).toEqual([408]);
    expect(seen).toEqual([]);
    await listener.close(0);
  });

  it('but not too slow, has time', async () => {
    const { listener, host, seen } = await runListener({ limits });
    const connection = connectRaw(listener.origin);
    connection.socket.write(head('POST / HTTP/1.1', `host: ${host}`, 'content-length: 9', 'connection: close'));
    for (const letter of 'slow body') {
      await setTimeout(100);
      connection.socket.write(letter);
    }
    await connection.closed;
    expect(statusesIn(connection.received())).toEqual([200]);
    expect(seen).toMatchObject([{ body: 'slow body' }]);
    await listener.close(0);
  });

  it('without an end has none', async () => {
    const { listener, host, seen } = await runListener({ limits: { ...limits, bodyTimeout: 100 } });
    const connection = connectRaw(listener.origin);
    connection.socket.write(head('POST / HTTP/1.1', `host: ${host}`, 'content-length: 1000'));
    const feeding = setInterval(() => connection.socket.write('x'), 10);
    await connection.closed;
    clearInterval(feeding);
    expect(statusesIn(connection.received())).toEqual([408]);
    expect(seen).toEqual([]);
    await listener.close(0);
  });

  it('here and not there, is not to blame', async () => {
    const { listener, host } = await runListener({
      limits,
      handle: (request, response) => {
        void setTimeout(900).then(() => request.resume().once('end', () => response.end('late')));
      },
    });
    const bytes = head('POST / HTTP/1.1', `host: ${host}`, 'content-length: 400000', 'connection: close') + 'x'.repeat(400_000);
    expect(statusesIn(await exchange(listener.origin, bytes))).toEqual([200]);
    await listener.close(0);
  });

  it('to ask again finds the connection closed', async () => {
    const { listener, host } = await runListener({ limits });
    const before = performance.now();
    expect(statusesIn(await exchange(listener.origin, head('GET / HTTP/1.1', `host: ${host}`)))).toEqual([200]);
    expect(performance.now() - before).toBeGreaterThan(250);
    await listener.close(0);
  });

  it('to answer, is not hurried', async () => {
    const { listener } = await runListener({
      limits,
      handle: (_request, response) => {
        response.write('a');
        void setTimeout(1000).then(() => response.end('b'));
      },
    });
    expect(await (await fetch(listener.origin)).text()).toBe('ab');
    await listener.close(0);
  });
});

describe('a handler that throws', () => {
  it('denies, says so, and others go on', async () => {
    const { listener, warnings } = await runListener({
      handle: (_request, response, { path }) => {
        if (path === '/half') response.write('half');
        if (path !== '/fine') throw new Error('a bug');
        response.end('fine');
      },
    });
    const broken = await fetch(`${listener.origin}/broken`);
    expect([broken.status, await broken.json()]).toMatchObject([500, { error: { code: -32603, message: 'internal error' } }]);
    await expect(fetch(`${listener.origin}/half`).then((response) => response.text())).rejects.toBeInstanceOf(TypeError);
    expect(await (await fetch(`${listener.origin}/fine`)).text()).toBe('fine');
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('a bug');
    await listener.close(0);
  });
});

describe('closing', () => {
  it('ends at once what is idle, also what never said a word', async () => {
    const { listener, host } = await runListener();
    const silent = connectRaw(listener.origin);
    const idle = connectRaw(listener.origin);
    idle.socket.write(head('GET / HTTP/1.1', `host: ${host}`));
    await until('an answer', () => idle.received().endsWith('ok\r\n0\r\n\r\n') || idle.received().endsWith('\r\n\r\nok'));
    await until('both', () => listener.connections === 2);
    // Whoever waited for that grace would be over the test's time.
    await listener.close(3_600_000);
    await Promise.all([silent.closed, idle.closed]);
    expect(listener.connections).toBe(0);
  });

  it('lets what is under way come to its end', async () => {
    const { listener } = await runListener({
      handle: (_request, response) => void setTimeout(300).then(() => response.end('done')),
    });
    const answer = fetch(listener.origin);
    await until('the request', () => listener.connections === 1);
    await setTimeout(50);
    await listener.close(3_600_000);
    expect(await (await answer).text()).toBe('done');
  });

  it('but not for longer than the grace', async () => {
    const { listener } = await runListener({ handle: (_request, response) => void response.write('and so on') });
    const response = await fetch(listener.origin);
    const text = response.text();
    await Promise.all([listener.close(200), expect(text).rejects.toThrow('terminated')]);
    expect(listener.connections).toBe(0);
  });

  it('nobody new gets in', async () => {
    const { listener } = await runListener();
    await listener.close(0);
    await expect(fetch(listener.origin)).rejects.toThrow('fetch failed');
  });
});

it('a port that is taken is an error', async () => {
  const { port } = new URL(plain.current.listener.origin);
  const options = { host: '127.0.0.1', port: Number(port), hosts: [], handle: () => {}, warn: () => {} };
  await expect(startListener(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

describe('more connections than there may be', () => {
  /** Asks for a URL, on a connection that stays open. */
  async function asking(path: string, { listener, host }: RunningListener): Promise<RawConnection> {
    const connection = connectRaw(listener.origin);
    connection.socket.write(head(`GET ${path} HTTP/1.1`, `host: ${host}`));
    await until('an answer', () => connection.received().includes('HTTP/1.1'));
    return connection;
  }
  const isOurs = ({ path }: Target): boolean => path !== '/none';
  const withFew = (maxConnections: number, others: Partial<ListenerOptions> = {}): Promise<RunningListener> =>
    runListener({ limits: { maxConnections }, isOurs, ...others });

  it('who has shown no URL of ours makes room first, whoever is there longest; that is told of once', async () => {
    const running = await withFew(4);
    const { listener, warnings } = running;
    const idle = await asking('/ours', running);
    const silent = connectRaw(listener.origin);
    await until('two', () => listener.connections === 2);
    const wrong = await asking('/none', running);
    const beginning = connectRaw(listener.origin);
    beginning.socket.write('GET /ours HT');
    await until('four', () => listener.connections === 4);
    await asking('/ours', running);
    await silent.closed;
    await asking('/ours', running);
    await wrong.closed;
    await asking('/ours', running);
    await beginning.closed;
    expect([idle.socket.destroyed, listener.connections, warnings.length]).toEqual([false, 4, 1]);
    await listener.close(0);
  });

  it('then who has been idle for the longest time; nobody whose answer is on its way', async () => {
    const running = await withFew(3, {
      handle: (_request, response, { path }) => (path === '/stream' ? response.write('event') : response.end('ok')),
    });
    const { listener, host } = running;
    const stream = await asking('/stream', running);
    const [idle, busier] = [await asking('/a', running), await asking('/b', running)];
    idle.socket.write(head('GET /a HTTP/1.1', `host: ${host}`));
    await until('its second answer', () => statusesIn(idle.received()).length === 2);
    // It has begun its next request, and does not end it.
    busier.socket.write('GET /b HT');
    await asking('/c', running);
    await busier.closed;
    expect([stream.socket.destroyed, idle.socket.destroyed]).toEqual([false, false]);
    await listener.close(0);
  });

  it('where all are at work, the one that came last is closed', async () => {
    const running = await withFew(1, { handle: (_request, response) => void response.write('event') });
    const stream = await asking('/stream', running);
    await connectRaw(running.listener.origin).closed;
    expect([stream.socket.destroyed, running.listener.connections]).toEqual([false, 1]);
    await running.listener.close(0);
  });

  it('so it is with TLS', async () => {
    const { listener } = await withFew(2, { tls: SELF_SIGNED });
    const agent = new Agent({ keepAlive: true });
    const ask = async (path: string): Promise<number | undefined> => {
      const [response] = await once(sendTls(listener.origin + path, { ca: SELF_SIGNED.cert, agent }).end(), 'response');
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    };
    expect(await ask('/ours')).toBe(200);
    for (let count = 0; count < 3; count++) {
      const before = connectRaw(listener.origin);
      await until('both', () => listener.connections === 2);
      const after = connectRaw(listener.origin);
      await before.closed;
      after.socket.destroy();
      await until('one', () => listener.connections === 1);
    }
    expect(await ask('/ours')).toBe(200);
    expect(listener.connections).toBe(1);
    agent.destroy();
    await listener.close(0);
  });
});

it('TLS: the same, with https as the scheme', async () => {
  const { listener, host, seen } = await runListener({ tls: SELF_SIGNED });
  const ask = async (origin: string): Promise<number | undefined> => {
    const request = sendTls(`${listener.origin}/a`, { ca: SELF_SIGNED.cert, headers: { origin }, agent: false }).end();
    const [response] = await once(request, 'response');
    response.resume();
    return response.statusCode;
  };
  expect(listener.origin).toBe(`https://${host}`);
  expect(await ask(`https://${host}`)).toBe(200);
  expect(await ask(`http://${host}`)).toBe(403);
  expect(seen).toHaveLength(1);
  // Whoever speaks no TLS is shown the door.
  expect(statusesIn(await exchange(listener.origin, head('GET / HTTP/1.1', `host: ${host}`)))).toEqual([]);
  await listener.close(0);
});
