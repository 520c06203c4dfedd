import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { proxyFor } from '../../../src/transport/http/env-proxy.ts';
import { Upstream } from '../../../src/transport/http/upstream.ts';
import { ConnectProxy, portOf } from '../../support/connect-proxy.ts';
import { SELF_SIGNED } from '../../support/tls-fixtures.ts';

describe('the proxy of the environment', () => {
  it.each<[string, NodeJS.ProcessEnv, string | undefined]>([
    ['https://a.example/x', {}, undefined],
    ['https://a.example/x', { HTTPS_PROXY: 'http://p:3128' }, 'http://p:3128/'],
    ['https://a.example/x', { https_proxy: 'p:3128', HTTPS_PROXY: 'http://other:1' }, 'http://p:3128/'],
    ['http://a.example/x', { HTTPS_PROXY: 'http://p:3128' }, undefined],
    ['http://a.example/x', { HTTP_PROXY: 'http://me:s%20t@p:3128' }, 'http://me:s%20t@p:3128/'],
    ['https://a.example/x', { ALL_PROXY: 'http://p:3128' }, 'http://p:3128/'],
    ['https://a.example/x', { ALL_PROXY: 'socks5://p:1080' }, undefined],
    ['https://a.example/x', { HTTPS_PROXY: 'no url at all' }, undefined],
    ['https://a.example/x', { HTTPS_PROXY: ' ' }, undefined],
    ['https://a.example/x', { HTTPS_PROXY: 'http://p', NO_PROXY: '*' }, undefined],
    ['https://a.example/x', { HTTPS_PROXY: 'http://p', NO_PROXY: 'b.example, A.example' }, undefined],
    ['https://x.a.example/x', { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example' }, undefined],
    ['https://x.a.example/x', { HTTPS_PROXY: 'http://p', NO_PROXY: '.a.example' }, undefined],
    ['https://x.a.example/x', { HTTPS_PROXY: 'http://p', NO_PROXY: '*.a.example' }, undefined],
    ['https://xa.example/x', { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example' }, 'http://p/'],
    ['https://a.example/x', { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example:8443' }, 'http://p/'],
    ['https://a.example:8443/x', { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example:8443' }, undefined],
    ['https://10.0.0.1/x', { HTTPS_PROXY: 'http://p', NO_PROXY: '0.0.1' }, 'http://p/'],
    ['https://10.0.0.1/x', { HTTPS_PROXY: 'http://p', NO_PROXY: '10.0.0.1' }, undefined],
    ['https://[2001:db8::1]/x', { HTTPS_PROXY: 'http://p', NO_PROXY: '2001:db8::1' }, undefined],
    ['http://localhost:1/x', { HTTP_PROXY: 'http://p' }, undefined],
    ['http://127.8.8.8/x', { HTTP_PROXY: 'http://p' }, undefined],
    ['http://[::1]/x', { HTTP_PROXY: 'http://p' }, undefined],
  ])('for %s with %j is %s', (url, env, proxy) => {
    expect(proxyFor(new URL(url), env)?.href).toBe(proxy);
  });
});

describe('a server behind a proxy', () => {
  const servers: Server[] = [];
  let proxy: ConnectProxy;

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    return portOf(server);
  }

  beforeEach(async () => {
    proxy = await ConnectProxy.start();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    proxy.stop();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function get(upstream: Upstream): Promise<string> {
    const answer = await upstream.send({ method: 'GET', path: '/', headers: ['host', 'x'], body: undefined });
    let text = '';
    for await (const chunk of answer as unknown as AsyncIterable<Buffer>) text += chunk.toString();
    upstream.close();
    return text;
  }

  it('is reached through it, without TLS', async () => {
    const port = await listen(createServer((_request, response) => response.end('hello')));
    vi.stubEnv('http_proxy', proxy.url.replace('//', '//me:s%20t@'));
    expect(await get(new Upstream({ url: new URL(`http://server.example:${port}/`) }))).toBe('hello');
    expect(proxy.asked).toEqual([`server.example:${port}`]);
    expect(proxy.logins).toEqual([`Basic ${Buffer.from('me:s t').toString('base64')}`]);
  });

  it('is reached through it with TLS from end to end, and the pin of its key holds', async () => {
    const { key, cert, fingerprint } = SELF_SIGNED;
    const port = await listen(createTlsServer({ key, cert }, (_request, response) => response.end('hello')));
    vi.stubEnv('https_proxy', new URL(proxy.url).host);
    const url = new URL(`https://server.example:${port}/`);
    expect(await get(new Upstream({ url, tlsFingerprint: fingerprint }))).toBe('hello');
    const other = `sha256:${'0'.repeat(64)}`;
    await expect(get(new Upstream({ url, tlsFingerprint: other }))).rejects.toMatchObject({ kind: 'fingerprint' });
    expect(proxy.asked).toEqual([`server.example:${port}`, `server.example:${port}`]);
  });

  it.each([403, 407, 502])('is not reached if the proxy answers %i', async (code) => {
    proxy.status = code;
    vi.stubEnv('http_proxy', proxy.url);
    const upstream = new Upstream({ url: new URL('http://server.example/') });
    await expect(get(upstream)).rejects.toThrow(`the proxy ${new URL(proxy.url).host} refused (HTTP ${code})`);
  });

  it('is not reached if the proxy is not there', async () => {
    vi.stubEnv('http_proxy', 'http://127.0.0.1:9');
    await expect(get(new Upstream({ url: new URL('http://server.example/') }))).rejects.toThrow(
      'the proxy 127.0.0.1:9 cannot be reached',
    );
  });
});
