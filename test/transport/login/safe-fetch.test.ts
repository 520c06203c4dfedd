import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSafeFetch } from '../../../src/transport/login/safe-fetch.ts';
import { ConnectProxy, portOf } from '../../support/connect-proxy.ts';
import { ISSUED, SELF_SIGNED } from '../../support/tls-fixtures.ts';

const nowhere = (): Promise<never> => Promise.reject(new Error('there is no such host'));

let proxy: ConnectProxy;
let server: Server;
let url: string;
beforeEach(async () => {
  proxy = await ConnectProxy.start();
  const { key, cert } = SELF_SIGNED;
  server = createTlsServer({ key, cert }, (_request, response) => response.end('hello'));
  url = `https://mcp.example:${await portOf(server)}`;
  vi.stubEnv('https_proxy', proxy.url);
  vi.stubEnv('http_proxy', proxy.url);
});
afterEach(() => {
  vi.unstubAllEnvs();
  proxy.stop();
  server.closeAllConnections();
  server.close();
});

describe("a login's requests behind a proxy", () => {
  it('go through it to the server whose key is pinned, although its name has no address here', async () => {
    const fetch = createSafeFetch({ server: url, tlsFingerprint: SELF_SIGNED.fingerprint, lookUp: nowhere });
    expect(await (await fetch(`${url}/metadata`)).text()).toBe('hello');
    expect(proxy.asked).toEqual([new URL(url).host]);
  });

  it('do not reach a server with another key than the pinned one', async () => {
    const fetch = createSafeFetch({ server: url, tlsFingerprint: ISSUED.fingerprint, lookUp: nowhere });
    await expect(fetch(url)).rejects.toThrow('has another key than the pinned one');
  });

  it('trust no other origin for the pin of the server', async () => {
    const fetch = createSafeFetch({ server: 'https://other.example', tlsFingerprint: SELF_SIGNED.fingerprint, lookUp: nowhere });
    await expect(fetch(url)).rejects.toThrow('cannot reach');
  });

  it.each(['http://as.example/', 'https://169.254.169.254/', 'https://10.0.0.1/', 'https://127.0.0.1/', 'https://localhost/'])(
    'do not go to %s, which the proxy may reach',
    async (address) => {
      const lookUp = async (host: string): Promise<readonly string[]> => (host === 'localhost' ? ['127.0.0.1'] : nowhere());
      await expect(createSafeFetch({ server: url, lookUp })(address)).rejects.toThrow('is not asked');
      expect(proxy.asked).toEqual([]);
    },
  );

  it('do not go to a name that is private here', async () => {
    const lookUp = async (host: string): Promise<readonly string[]> =>
      host === 'mcp.example' ? ['93.184.215.14'] : ['10.1.2.3'];
    await expect(createSafeFetch({ server: url, lookUp })('https://router.example/')).rejects.toThrow('is not asked');
    expect(proxy.asked).toEqual([]);
  });

  it('do not wait for names that nobody looks up', async () => {
    const fetch = createSafeFetch({
      server: url,
      tlsFingerprint: SELF_SIGNED.fingerprint,
      lookUp: () => new Promise(() => {}),
      patience: 60_000,
    });
    expect((await fetch(url)).status).toBe(200);
  });

  it('go without it where no_proxy says so', async () => {
    vi.stubEnv('no_proxy', 'mcp.example');
    const fetch = createSafeFetch({ server: url, tlsFingerprint: SELF_SIGNED.fingerprint, lookUp: async () => ['127.0.0.1'] });
    expect((await fetch(url)).status).toBe(200);
    expect(proxy.asked).toEqual([]);
  });
});

it('a server that does not answer in time is given up, also while it is connected to', async () => {
  const sockets: Socket[] = [];
  const silent = createTcpServer();
  silent.on('connection', (socket) => sockets.push(socket));
  const address = `https://127.0.0.1:${await portOf(silent)}`;
  await expect(createSafeFetch({ server: address, patience: 200 })(address)).rejects.toThrow(/in time|no connection after/);
  for (const socket of sockets) socket.destroy();
  silent.close();
});
