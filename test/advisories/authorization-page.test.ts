import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useLoginScene } from '../support/login-scene.ts';
import type { Ended } from '../support/running.ts';
import { until } from '../support/until.ts';

/**
 * A hostile server names the page that the user's browser opens (CVE-2025-6514 in mcp-remote): another scheme runs a script or opens a file, and a
 * shell in between runs a command.
 */
const scene = useLoginScene();

/** Runs a login for which the authorization server names this page; a program takes the place of the browser. */
async function logInWith(page: string): Promise<{ readonly ended: Promise<Ended>; readonly kill: () => void }> {
  const { world, sandbox } = scene.current;
  world.instead = (path, response) => {
    if (path !== '/.well-known/oauth-authorization-server') return false;
    const metadata = {
      issuer: world.issuer,
      authorization_endpoint: page,
      token_endpoint: `${world.issuer}/token`,
      registration_endpoint: `${world.issuer}/reg`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
    return true;
  };
  sandbox.write(
    'xdg-open',
    `#!/bin/sh\nprintf '%s\\n' "$@" >${sandbox.path('part')}; mv ${sandbox.path('part')} ${sandbox.path('opened')}\n`,
    0o755,
  );
  const env = { ...sandbox.env, PATH: `${sandbox.folder}:${sandbox.env['PATH']}` };
  const running = sandbox.start(['login', 'guarded', '--config', sandbox.path('config.toml')], env);
  return { ended: running.ended, kill: () => running.kill('SIGTERM') };
}

describe('a page of a hostile authorization server', () => {
  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,<script>alert(1)</script>',
    'vscode://evil.example/run',
    'http://evil.example/authorize',
    'https://guarded.example@evil.example/authorize',
    '--help',
  ])('at %s is not opened', async (page) => {
    const { code, stdout, stderr } = await (await logInWith(page)).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('the login to guarded failed');
    expect(existsSync(scene.current.sandbox.path('opened'))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is one argument of the program that opens it, and nothing of it is run', async () => {
    const { sandbox } = scene.current;
    const hostile = `https://evil.example/$(touch ${sandbox.path('ran')})\`touch ${sandbox.path('ran')}\`;touch ${sandbox.path('ran')}&"'|x`;
    const login = await logInWith(hostile);
    await until('the browser', () => existsSync(sandbox.path('opened')));
    const lines = sandbox.read('opened').toString().trimEnd().split('\n');
    expect(lines).toEqual([expect.stringMatching(/^https:\/\/evil\.example\/\S+$/)]);
    expect(existsSync(sandbox.path('ran'))).toBe(false);
    login.kill();
    await login.ended;
  });
});
