import { getEventListeners, once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Server as NetServer, type Socket, createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { UpstreamResponse } from '../../../src/transport/http/upstream-response.ts';
import { UpstreamFault } from '../../../src/transport/http/upstream-fault.ts';
import { Upstream, type UpstreamOptions, type UpstreamRequest } from '../../../src/transport/http/upstream.ts';
import { ISSUED, SELF_SIGNED } from '../../support/tls-fixtures.ts';
import { until } from '../../support/until.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

/** A server on a free port of loopback, until the end of the test. */
async function start<T extends NetServer>(server: T): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

function upstream(url: string, options: Partial<UpstreamOptions> = {}): Upstream {
  const created = new Upstream({ url: new URL(url), ...options });
  cleanups.push(() => created.close());
  return created;
}

function ask(to: Upstream, request: Partial<UpstreamRequest> = {}): Promise<UpstreamResponse> {
  return to.send({ method: 'GET', path: '/', headers: ['host', to.host], body: undefined, ...request });
}

async function faultOf(asking: Promise<unknown>): Promise<UpstreamFault> {
  const fault = await asking.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (fault instanceof UpstreamFault) return fault;
  throw new Error('there was no fault', { cause: fault });
}

/** Answers with what it was asked. */
function echo(): Server {
  return createServer((request, response) => {
    void text(request).then((body) =>
      response.end(JSON.stringify({ line: `${request.method} ${request.url}`, headers: request.rawHeaders, body })),
    );
  });
}

/** Does as it is told with each connection. */
function tcp(talk: (socket: Socket) => void): Promise<number> {
  return start(createTcpServer(talk));
}

describe('a request', () => {
  it('goes out as it was given, with the length of its body', async () => {
    const to = upstream(`http://127.0.0.1:${await start(echo())}`);
    const headers = ['Host', to.host, 'X-b', '1', 'x-A', '2', 'X-B', '3'];
    const response = await ask(to, { method: 'POST', path: '/a%20b?c', headers, body: Buffer.from('héllo') });
    expect(JSON.parse(await text(response))).toEqual({
      line: 'POST /a%20b?c',
      headers: ['host', to.host, 'connection', 'keep-alive', ...headers.slice(2), 'content-length', '6'],
      body: 'héllo',
    });
  });

  it.each([
    ['GET', []],
    ['DELETE', []],
    ['POST', ['content-length', '0']],
  ])('%s without a body', async (method, length) => {
    const to = upstream(`http://127.0.0.1:${await start(echo())}`);
    const { headers } = JSON.parse(await text(await ask(to, { method })));
    expect(headers).toEqual(['host', to.host, 'connection', 'keep-alive', ...length]);
  });

  it('shares its connection with those after it', async () => {
    const server = echo();
    let connections = 0;
    server.on('connection', () => connections++);
    const to = upstream(`http://127.0.0.1:${await start(server)}`);
    for (let round = 0; round < 3; round++) await text(await ask(to));
    expect(connections).toBe(1);
    await Promise.all([1, 2, 3].map(async () => text(await ask(to))));
    expect(connections).toBe(3);
  });

  it('finds its connection closed after the time that the server has named, sooner than another one', async () => {
    const ended: string[] = [];
    for (const named of ['', 'keep-alive: timeout=2\r\n']) {
      const port = await tcp((socket) => {
        socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${named}content-length: 2\r\n\r\nok`));
        socket.once('end', () => ended.push(named));
      });
      await text(await ask(upstream(`http://127.0.0.1:${port}`)));
    }
    await until('the end of one', () => ended.length > 0);
    expect(ended).toEqual(['keep-alive: timeout=2\r\n']);
  });

  it('gets all headers of its response', async () => {
    const lines = Array.from({ length: 2500 }, () => 'x:\r\n').join('');
    const port = await tcp(
      (socket) =>
        void socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${lines}last: one\r\ncontent-length: 0\r\n\r\n`)),
    );
    const response = await ask(upstream(`http://127.0.0.1:${port}`));
    expect(response.headers['last']).toBe('one');
    response.resume();
  });

  it('is not sent elsewhere', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const response = await ask(upstream(`http://127.0.0.1:${await start(server)}`));
    expect([response.statusCode, response.headers.location, asked]).toEqual([307, '/elsewhere', ['/']]);
    response.resume();
  });

  it('is not sent twice, also where a kept connection breaks', async () => {
    let requests = 0;
    const port = await tcp((socket) => {
      socket.on('data', () => {
        requests++;
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else socket.destroy();
      });
    });
    const to = upstream(`http://127.0.0.1:${port}`);
    expect(await text(await ask(to))).toBe('ok');
    expect((await faultOf(ask(to))).kind).toBe('reset');
    expect(requests).toBe(2);
  });

  it('can be ended, before and after its response', async () => {
    const port = await tcp(
      (socket) =>
        void socket.once('data', (data) => {
          if (String(data).startsWith('POST')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nand so on');
        }),
    );
    const to = upstream(`http://127.0.0.1:${port}`);
    const reason = new Error('enough');
    const first = new AbortController();
    const asking = ask(to, { signal: first.signal });
    setTimeout(() => first.abort(reason), 50);
    await expect(asking).rejects.toBe(reason);
    await expect(ask(to, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const second = new AbortController();
    const response = await ask(to, { method: 'POST', signal: second.signal });
    second.abort(reason);
    await expect(text(response)).rejects.toBe(reason);
  });

  it('can be ended while its connection is made, and is not sent then', async () => {
    const got: string[] = [];
    const port = await tcp((socket) => void socket.on('data', (data) => got.push(String(data))));
    const to = upstream(`http://127.0.0.1:${port}`);
    const reason = new Error('enough');
    const asking = ask(to, { onStart: (abort) => process.nextTick(abort, reason) });
    await expect(asking).rejects.toBe(reason);
    await expect(ask(to, { onStart: (abort) => abort(reason) })).rejects.toBe(reason);
    await setTimeoutPromise(50);
    expect(got).toEqual([]);
  });

  it('leaves nothing behind at the signal that might have ended it', async () => {
    const { signal } = new AbortController();
    const to = upstream(`http://127.0.0.1:${await start(echo())}`);
    for (let round = 0; round < 5; round++) await text(await ask(to, { signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('goes over another connection where the kept one was closed before a byte was sent', async () => {
    let requests = 0;
    const port = await tcp((socket) => {
      socket.on('data', () => {
        requests++;
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    const to = upstream(`http://127.0.0.1:${port}`);
    for (let round = 0; round < 20; round++) expect(await text(await ask(to, { method: 'POST' }))).toBe('ok');
    expect(requests).toBe(20);
  });

  it('streams its body with the length that the headers say, or in chunks', async () => {
    const to = upstream(`http://127.0.0.1:${await start(echo())}`);
    const parts = (): Readable => Readable.from([Buffer.from('ab'), Buffer.from('cd')], { objectMode: false });
    const whole = JSON.parse(
      await text(await ask(to, { method: 'POST', headers: ['host', to.host, 'content-length', '4'], body: parts() })),
    );
    expect(whole).toMatchObject({ body: 'abcd', headers: ['host', to.host, 'connection', 'keep-alive', 'content-length', '4'] });
    const chunked = JSON.parse(await text(await ask(to, { method: 'POST', body: parts() })));
    expect(chunked).toMatchObject({
      body: 'abcd',
      headers: ['host', to.host, 'connection', 'keep-alive', 'transfer-encoding', 'chunked'],
    });
    const long = ask(to, { method: 'POST', headers: ['host', to.host, 'content-length', '3'], body: parts() });
    expect((await faultOf(long)).kind).toBe('protocol');
  });

  it('takes only the connections that it needs', async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end('ok'), 1));
    let connections = 0;
    server.on('connection', () => connections++);
    const to = upstream(`http://127.0.0.1:${await start(server)}`);
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    cleanups.push(() => process.off('warning', warn));
    const ten = Array.from({ length: 10 });
    await Promise.all(
      ten.map(async () => {
        for (let round = 0; round < 20; round++) await text(await ask(to));
      }),
    );
    expect(connections).toBe(10);
    expect(warnings).toEqual([]);
  });
});

describe('a response', () => {
  const informational = ['102 Processing', '103 Early Hints'];
  it.each(informational)('comes after %s', async (line) => {
    const port = await tcp(
      (socket) =>
        void socket.once('data', () =>
          socket.write(`HTTP/1.1 ${line}\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`),
        ),
    );
    const response = await ask(upstream(`http://127.0.0.1:${port}`));
    expect([response.statusCode, response.headers['link'], await text(response)]).toEqual([200, undefined, 'ok']);
  });

  const cut: [what: string, headers: string, end: (socket: Socket) => void][] = [
    ['before its length', 'content-length: 5\r\n', (socket) => socket.end()],
    ['before its length, on its last connection', 'connection: close\r\ncontent-length: 5\r\n', (socket) => socket.end()],
    ['within its chunks', 'connection: close\r\ntransfer-encoding: chunked\r\n', (socket) => socket.end('5\r\nok')],
    ['by a reset, where its connection would have ended it', 'connection: close\r\n', (socket) => socket.resetAndDestroy()],
    ['by what is no chunk', 'transfer-encoding: chunked\r\n', (socket) => socket.write('2\r\nokno\r\n')],
  ];
  it.each(cut)('that is cut off %s ends in an error, read as a stream or taken', async (_what, headers, end) => {
    const port = await tcp((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
        setTimeout(() => {
          if (!headers.includes('chunked')) socket.write('ok');
          setTimeout(() => end(socket), 20);
        }, 20);
      });
    });
    const to = upstream(`http://127.0.0.1:${port}`);
    await expect(text(await ask(to))).rejects.toBeInstanceOf(Error);
    const response = await ask(to);
    const ended = await new Promise((resolve) => {
      response.takeBody({ data: () => {}, end: () => resolve('whole'), fail: () => resolve('cut off') });
    });
    expect(ended).toBe('cut off');
  });

  it('that breaks before anybody reads it harms nobody', async () => {
    const port = await tcp((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nok'));
    });
    const response = await ask(upstream(`http://127.0.0.1:${port}`));
    await until('the end', () => response.destroyed);
    await expect(text(response)).rejects.toBeInstanceOf(Error);
  });

  it('that nobody reads holds its server back', async () => {
    let sent = 0;
    const port = await tcp((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const chunk = Buffer.alloc(65_536);
        const more = (): void => {
          while (sent < 64 * 1024 * 1024) {
            sent += chunk.length;
            if (!socket.write(chunk)) return;
          }
          socket.end();
        };
        socket.on('drain', more);
        more();
      });
    });
    const response = await ask(upstream(`http://127.0.0.1:${port}`));
    await setTimeoutPromise(300);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    let got = 0;
    for await (const chunk of response) got += (chunk as Buffer).length;
    expect(got).toBe(64 * 1024 * 1024);
  });

  it('ends its connection where it is given up, also while it is taken', async () => {
    let closed = 0;
    const port = await tcp((socket) => {
      socket.on('close', () => closed++);
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nok'));
    });
    const to = upstream(`http://127.0.0.1:${port}`);
    (await ask(to)).destroy();
    await until('the first end', () => closed === 1);
    const response = await ask(to);
    let fails = 0;
    response.takeBody({ data: () => {}, end: () => {}, fail: () => fails++ });
    response.destroy();
    await until('the second end', () => closed === 2);
    expect(fails).toBe(1);
  });

  it('to one that was given up does not reach the next request', async () => {
    const port = await tcp((socket) => {
      socket.on('data', (data) => {
        const name = /\/(\w+)/.exec(String(data))?.[1];
        setTimeout(() => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n${name}`), name === 'one' ? 30 : 60);
      });
    });
    const to = upstream(`http://127.0.0.1:${port}`);
    const one = ask(to, { path: '/one', onStart: (abort) => setTimeout(() => abort(new Error('enough')), 10) });
    await expect(one).rejects.toThrow('enough');
    expect(await text(await ask(to, { path: '/two' }))).toBe('two');
  });

  it('is not what came unasked after the one before', async () => {
    const port = await tcp((socket) => {
      socket.on('data', () => {
        const ok = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n${body}`;
        socket.write(ok('ok') + ok('no'));
      });
    });
    const to = upstream(`http://127.0.0.1:${port}`);
    for (let round = 0; round < 5; round++) expect(await text(await ask(to))).toBe('ok');
  });
});

describe('the host', () => {
  it.each([
    ['http://remote.example/mcp', 'remote.example'],
    ['https://remote.example:8443/', 'remote.example:8443'],
    ['https://remote.example:443/', 'remote.example'],
    ['http://[::1]:80/', '[::1]'],
  ])('of %s is %s', (url, host) => {
    expect(upstream(url).host).toBe(host);
  });
});

describe('a fault', () => {
  const SECRETS = { path: '/mcp?key=SECRET', headers: ['host', 'x', 'authorization', 'Bearer SECRET'] };

  it('unreachable: nobody listens', async () => {
    const server = createTcpServer();
    const port = await start(server);
    server.close();
    const fault = await faultOf(ask(upstream(`http://127.0.0.1:${port}`), SECRETS));
    expect(fault).toMatchObject({
      kind: 'unreachable',
      message: `cannot reach http://127.0.0.1:${port}: the connection was refused`,
    });
  });

  it('unreachable: there is no such host', async () => {
    expect((await faultOf(ask(upstream('http://nobody.invalid')))).kind).toBe('unreachable');
  });

  it('timeout: it says nothing while TLS is set up', async () => {
    const port = await tcp(() => {});
    const fault = await faultOf(ask(upstream(`https://127.0.0.1:${port}`, { connectTimeout: 200 })));
    expect(fault.kind).toBe('timeout');
  });

  it('no timeout: it takes its time to answer', async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end('late'), 500));
    const to = upstream(`http://127.0.0.1:${await start(server)}`, { connectTimeout: 200 });
    expect(await text(await ask(to))).toBe('late');
  });

  it('tls: it speaks none', async () => {
    const port = await tcp((socket) => void socket.write('220 hello\r\n'));
    expect((await faultOf(ask(upstream(`https://127.0.0.1:${port}`)))).kind).toBe('tls');
  });

  it('tls: it hangs up', async () => {
    const port = await tcp((socket) => void socket.once('data', () => socket.destroy()));
    expect((await faultOf(ask(upstream(`https://127.0.0.1:${port}`)))).kind).toBe('tls');
  });

  it('reset: it hangs up on a request', async () => {
    const port = await tcp((socket) => void socket.once('data', () => socket.destroy()));
    const fault = await faultOf(ask(upstream(`http://127.0.0.1:${port}`), SECRETS));
    expect(fault.kind).toBe('reset');
    expect(`${fault.message} ${fault.stack}`).not.toContain('SECRET');
  });

  const odd: [what: string, response: string][] = [
    ['no HTTP', 'hello\r\n\r\n'],
    ['headers that end early', 'HTTP/1.1 200 OK\r\nx : y\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['too many headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['another protocol, unnamed', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['the same length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\n'],
    ['a length of words', 'HTTP/1.1 200 OK\r\ncontent-length: 0x2\r\n\r\n'],
    ['chunks and a length', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n'],
    ['lines that end in LF', 'HTTP/1.1 200 OK\nx: y\n\n'],
    ['a header over two lines', 'HTTP/1.1 200 OK\r\nx: y\r\n z\r\n\r\n'],
    ['NUL in a header', 'HTTP/1.1 200 OK\r\nx: \0\r\n\r\n'],
    ['no status that there is', 'HTTP/1.1 099 OK\r\ncontent-length: 0\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ];
  it.each(odd)('protocol: %s', async (_what, response) => {
    const port = await tcp((socket) => void socket.once('data', () => socket.write(response)));
    expect((await faultOf(ask(upstream(`http://127.0.0.1:${port}`)))).kind).toBe('protocol');
  });

  const unspeakable: [what: string, request: Partial<UpstreamRequest>][] = [
    ['a value', { headers: ['host', 'x', 'y', 'SECRET\r\nz: 1'] }],
    ['a value with NUL', { headers: ['host', 'x', 'y', 'SECRET\u0000'] }],
    ['a name', { headers: ['host', 'x', 'y: SECRET\r\nz', '1'] }],
    ['a path', { path: '/ HTTP/1.1\r\nx: SECRET' }],
    ['a method', { method: 'GET / SECRET' }],
  ];
  it.each(unspeakable)('protocol: a line ends in %s', async (_what, request) => {
    const server = echo();
    let connections = 0;
    server.on('connection', () => connections++);
    const fault = await faultOf(ask(upstream(`http://127.0.0.1:${await start(server)}`), request));
    expect(fault.kind).toBe('protocol');
    expect(fault.message).not.toContain('SECRET');
    expect(connections).toBe(0);
  });
});

describe('over TLS', () => {
  /** What the server got of a request, whatever was made of the answer. */
  async function startTls(fixture: { key: Buffer; cert: Buffer }): Promise<{ url: string; got: string[] }> {
    const got: string[] = [];
    const server = createTlsServer(fixture, (request, response) => response.end(`hello ${request.url}`));
    server.on('secureConnection', (socket) => socket.on('data', (data) => got.push(String(data))));
    return { url: `https://localhost:${await start(server)}`, got };
  }

  it('nobody is trusted whom nobody vouches for', async () => {
    for (const fixture of [SELF_SIGNED, ISSUED]) {
      const { url, got } = await startTls(fixture);
      const fault = await faultOf(ask(upstream(url)));
      expect(fault.kind).toBe('tls');
      expect(fault.message).toContain('not trusted');
      expect(got).toEqual([]);
    }
  });

  it('a pin is enough for a certificate that its own key has signed', async () => {
    const { url } = await startTls(SELF_SIGNED);
    for (const tlsFingerprint of [
      SELF_SIGNED.fingerprint,
      SELF_SIGNED.fingerprint.replace(/[a-f]/g, (letter) => letter.toUpperCase()),
    ]) {
      expect(await text(await ask(upstream(url, { tlsFingerprint: tlsFingerprint.replace('shA', 'sha') })))).toBe('hello /');
    }
  });

  it('another key than the pinned one gets not a byte of a request', async () => {
    const { url, got } = await startTls(SELF_SIGNED);
    const fault = await faultOf(ask(upstream(url, { tlsFingerprint: ISSUED.fingerprint }), { path: '/secret' }));
    expect(fault).toMatchObject({
      kind: 'fingerprint',
      fingerprints: { expected: ISSUED.fingerprint, found: SELF_SIGNED.fingerprint },
    });
    expect(fault.message).toContain(ISSUED.fingerprint);
    expect(fault.message).toContain(SELF_SIGNED.fingerprint);
    expect(got).toEqual([]);
  });

  it('a pin does not stand for the chain of a certificate that somebody else has signed', async () => {
    const { url, got } = await startTls(ISSUED);
    const fault = await faultOf(ask(upstream(url, { tlsFingerprint: ISSUED.fingerprint })));
    expect(fault.kind).toBe('tls');
    expect(got).toEqual([]);
  });

  it('whom somebody trusted vouches for is trusted, unless the pin is of another key or the name is wrong', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, SELF_SIGNED.cert.toString()]);
    cleanups.push(() => setDefaultCACertificates(before));
    const { url } = await startTls(ISSUED);
    expect(await text(await ask(upstream(url)))).toBe('hello /');
    expect(await text(await ask(upstream(url, { tlsFingerprint: ISSUED.fingerprint })))).toBe('hello /');
    expect((await faultOf(ask(upstream(url, { tlsFingerprint: SELF_SIGNED.fingerprint })))).kind).toBe('fingerprint');
    const elsewhere = url.replace('localhost', '127.0.0.2');
    const { port } = new URL(url);
    const other = createTlsServer(ISSUED, (_request, response) => response.end('hello'));
    other.listen(Number(port), '127.0.0.2');
    await once(other, 'listening');
    cleanups.push(() => other.close().closeAllConnections());
    expect((await faultOf(ask(upstream(elsewhere)))).kind).toBe('tls');
    expect((await faultOf(ask(upstream(elsewhere, { tlsFingerprint: ISSUED.fingerprint })))).kind).toBe('tls');
  });

  it('every new connection is looked at', async () => {
    const { url } = await startTls(SELF_SIGNED);
    const to = upstream(url, { tlsFingerprint: SELF_SIGNED.fingerprint });
    await text(await ask(to));
    to.close();
    const { port } = new URL(url);
    for (const clean of cleanups.splice(0)) clean();
    const impostor = createTlsServer(ISSUED, (_request, response) => response.end('hello'));
    await until('the port', () => !impostor.listening);
    impostor.listen(Number(port), '127.0.0.1');
    await once(impostor, 'listening');
    cleanups.push(() => impostor.close().closeAllConnections());
    expect((await faultOf(ask(to))).kind).toBe('fingerprint');
    to.close();
  });
});

it('closing ends what is under way', async () => {
  const port = await tcp(() => {});
  const to = upstream(`http://127.0.0.1:${port}`);
  const asking = faultOf(ask(to));
  setTimeout(() => to.close(), 50);
  expect((await asking).kind).toBe('reset');
});
