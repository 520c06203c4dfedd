import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createSafeFetch } from '../../src/transport/login/safe-fetch.ts';
import { portOf } from '../support/connect-proxy.ts';
import { useLoginScene } from '../support/login-scene.ts';
import { ISSUED, SELF_SIGNED } from '../support/tls-fixtures.ts';

/**
 * Server-side request forgery by metadata (MCP, "Security Best Practices"): a server names its authorization server, and whoever asks that asks what
 * only they can reach: the cloud's credentials, a router, a database on this machine. A name that changes its address between check and
 * connection is the same (DNS rebinding).
 */
const scene = useLoginScene();

/** Counts connections to this machine. */
async function listen(): Promise<{ readonly port: number; readonly count: () => number; readonly close: () => void }> {
  let connections = 0;
  const server = createServer((_request, response) => void response.end('{}'));
  server.on('connection', () => connections++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, count: () => connections, close: () => server.close() };
}

const PUBLIC = '93.184.215.14';

describe('an address in the metadata of a server', () => {
  it.each(['http://169.254.169.254/latest', 'http://[fd00:ec2::254]/', 'https://169.254.169.254/'])(
    'is not asked, by the real binary: %s',
    async (address) => {
      scene.current.world.metadata['authorization_servers'] = [address];
      const { code, stderr } = await scene.current.clawai('login', 'guarded', '--no-browser').close();
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/is not asked: it is at an address/) });
      expect(existsSync(scene.current.file)).toBe(false);
    },
  );

  it('is not taken from metadata for another server', async () => {
    scene.current.world.metadata['resource'] = 'https://other.example/mcp';
    const { code, stderr } = await scene.current.clawai('login', 'guarded', '--no-browser').close();
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/does not match expected/) });
    expect(scene.current.world.asked).toEqual([]);
  });

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '[::1]', '2130706433', '0x7f.1', 'localhost', '10.0.0.1', '[::ffff:a9fe:a9fe]'])(
    'of a public server does not lead to %s',
    async (host) => {
      const trap = await listen();
      const fetch = createSafeFetch({
        server: 'https://mcp.example.com/mcp',
        lookUp: async (name) => [name === 'mcp.example.com' ? PUBLIC : '127.0.0.1'],
      });
      await expect(fetch(`https://${host}:${trap.port}/`)).rejects.toThrow('is not asked');
      await expect(fetch(`http://${host}:${trap.port}/`)).rejects.toThrow('is not asked');
      expect(trap.count()).toBe(0);
      trap.close();
    },
  );

  it('is looked up once, and the connection goes to what was checked', async () => {
    const trap = await listen();
    const answers = ['192.0.2.1', '127.0.0.1'];
    let lookUps = 0;
    const fetch = createSafeFetch({
      server: 'https://mcp.example.com/mcp',
      lookUp: async (name) => {
        if (name === 'mcp.example.com') return [PUBLIC];
        lookUps++;
        return [answers.shift() ?? '127.0.0.1'];
      },
    });
    for (let tries = 0; tries < 3; tries++)
      await expect(fetch(`https://as.example:${trap.port}/`)).rejects.toThrow('is not asked');
    expect({ lookUps, connections: trap.count() }).toEqual({ lookUps: 1, connections: 0 });
    trap.close();
  });

  it('is not followed to another origin', async () => {
    const trap = await listen();
    const { world } = scene.current;
    world.instead = (path, response) => {
      if (!path.startsWith('/.well-known/')) return false;
      response.writeHead(307, { location: `http://127.0.0.1:${trap.port}/metadata` }).end();
      return true;
    };
    expect((await scene.current.clawai('login', 'guarded', '--no-browser').close()).code).toBe(2);
    expect(trap.count()).toBe(0);
    trap.close();
  });
});

describe('a server that is pinned to its key', () => {
  it.each([
    ['the pinned key', SELF_SIGNED.fingerprint, /Open this address in a browser/],
    ['another key', ISSUED.fingerprint, /has another key than the pinned one/],
  ])('with %s: its login, by the real binary', async (_which, fingerprint, says) => {
    const { world, sandbox } = scene.current;
    const { key, cert } = SELF_SIGNED;
    const front = createTlsServer({ key, cert }, (socket) => {
      socket.pipe(connect(Number(new URL(world.url).port), '127.0.0.1')).pipe(socket);
      socket.on('error', () => {});
    });
    const url = `https://127.0.0.1:${await portOf(front)}/mcp`;
    world.metadata['resource'] = url;
    world.metadata['authorization_servers'] = [world.issuer];
    const server = `[[servers]]\nid = "guarded"\nurl = "${url}"\nauth = "managed"\ntls_fingerprint = "${fingerprint}"\n`;
    sandbox.write('config.toml', `[login]\nkeychain = false\n${server}`);
    const running = scene.current.clawai('login', 'guarded', '--no-browser');
    await running.until(() => says.test(running.stdout.toString() + running.stderr));
    running.kill('SIGKILL');
    const { stdout, stderr } = await running.ended;
    front.close();
    expect(stdout + stderr).toMatch(says);
  });
});
