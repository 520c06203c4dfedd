// clawai login, and what clawai serve does with its tokens, against a real authorization server.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logInAt, OAuthWorld, type OAuthWorldOptions } from '../support/oauth-world.ts';
import type { Ended, Running } from '../support/running.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let world: OAuthWorld;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(async () => {
  await world.stop();
  sandbox.remove();
});

async function begin(options: OAuthWorldOptions = {}): Promise<void> {
  world = await OAuthWorld.start(options);
  sandbox.write('config.toml', configFor(world));
}

function configFor({ url }: OAuthWorld): string {
  return `[login]\nkeychain = false\n[[servers]]\nid = "guarded"\nurl = "${url}"\nauth = "managed"\n`;
}

function clawai(...words: readonly string[]): Running {
  return sandbox.clawai(...words, '--config', sandbox.path('config.toml'));
}

async function pageOf(running: Running): Promise<string> {
  await running.until(() => /^http\S+$/m.test(running.stdout.toString()));
  return /^http\S+$/m.exec(running.stdout.toString())?.[0] ?? '';
}

/** Logs in with a browser on the same machine. */
async function logIn(...flags: readonly string[]): Promise<Ended> {
  const running = clawai('login', 'guarded', '--no-browser', ...flags);
  await (await fetch(await logInAt(await pageOf(running)))).text();
  return running.ended;
}

const file = (): string => join(sandbox.state, 'clawai', 'logins.json');

describe('clawai login', () => {
  it('logs in by a browser on this machine, and keeps the tokens where only their user can read them', async () => {
    await begin();
    const { code, stdout, stderr } = await logIn();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('Logged in to guarded.');
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const { logins } = JSON.parse(readFileSync(file(), 'utf8')) as { logins: Record<string, unknown>[] };
    expect(logins).toMatchObject([{ url: world.url, issuer: world.issuer, resource: world.url, scope: 'mcp:read' }]);
    const list = await clawai('login', '--list', '--json').close();
    expect(list.stdout).toContain('"logged_in"');
    const { accessToken, refreshToken } = logins[0]?.['secrets'] as Record<string, string>;
    for (const text of [stdout, stderr, list.stdout]) {
      expect(text).not.toContain(accessToken);
      expect(text).not.toContain(refreshToken);
    }
  });

  it('takes the address that a browser elsewhere ended at', async () => {
    await begin();
    const running = clawai('login', 'guarded', '--no-browser');
    const end = await logInAt(await pageOf(running));
    running.send(`http://127.0.0.1:1/callback?code=x&state=y\n${end}\n`);
    expect((await running.ended).code).toBe(0);
    expect(running.stderr).toContain('that is no answer to this login');
  });

  it('forgets the tokens and has them revoked', async () => {
    await begin();
    await logIn();
    const { code, stdout } = await clawai('logout', 'guarded').close();
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Logged out of guarded.\n' });
    expect(world.asked.filter(({ path }) => path === '/token/revocation')).toHaveLength(2);
    expect(readFileSync(file(), 'utf8')).not.toContain('accessToken');
    expect(existsSync(file())).toBe(true);
  });
});
