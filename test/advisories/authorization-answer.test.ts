import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callOften, callTool, useLoginScene } from '../support/login-scene.ts';
import { said } from '../support/post.ts';

/**
 * Answers of a hostile authorization server: what it says ends up on a terminal, in a file that all logins share, and in requests. And a server
 * that refuses every token, so that each call would fetch a new one.
 */
const scene = useLoginScene();

function giveToken(answer: object): void {
  scene.current.world.instead = (path, response) => {
    if (path !== '/token') return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    return true;
  };
}

function list(...flags: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string }> {
  return scene.current.clawai('login', '--list', ...flags).close();
}

describe('a token answer', () => {
  it('with escape codes in its scopes does not write them to the terminal', async () => {
    giveToken({ access_token: 'a', token_type: 'Bearer', scope: 'x \u001b[31mred\u0007 y' });
    expect((await scene.current.logIn()).code).toBe(0);
    const { stdout } = await list();
    expect(stdout).toContain('x y');
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it.each([1e300, 1e306])('that lasts %d seconds does not damage the logins', async (seconds) => {
    giveToken({ access_token: 'a', token_type: 'Bearer', expires_in: seconds });
    expect((await scene.current.logIn()).code).toBe(0);
    const { code, stdout } = await list('--json');
    expect({ code, logins: (JSON.parse(stdout) as { logins: object[] }).logins }).toMatchObject({
      code: 0,
      logins: [{ logged_in: true }],
    });
    expect(readFileSync(scene.current.file, 'utf8')).not.toContain('"expires": null');
  });

  it('that is none is named in one sentence', async () => {
    giveToken({ access_token: 5, token_type: 'Bearer' });
    expect((await scene.current.logIn()).stderr).toMatch(/an answer of its authorization server is invalid: access_token: /);
  });
});

it('a server that refuses every token has one fetched, and not one for each call', async () => {
  const { world } = scene.current;
  await scene.current.logIn();
  const serving = await scene.current.serve();
  Object.defineProperty(world, 'url', { value: 'http://another.example/' });
  for (let calls = 0; calls < 10; calls++) expect(said(await callTool(serving))).toContain('does not accept even a new token');
  expect(await callOften(50, serving)).toBe(0);
  expect(world.grants('refresh_token')).toBeLessThanOrEqual(3);
});

describe('a server that names several authorization servers', () => {
  it('is logged in to at the one that the person chooses, and there again', async () => {
    const { world } = scene.current;
    world.metadata['authorization_servers'] = ['http://127.0.0.1:9', world.issuer];
    expect((await scene.current.clawai('login', 'guarded', '--no-browser').close()).code).toBe(2);
    const chosen = await scene.current.logIn('--authorization-server', world.issuer);
    expect(chosen).toMatchObject({ code: 0, stderr: expect.stringContaining(`names 2 authorization servers`) });
    expect((await scene.current.logIn()).code).toBe(0);
  });

  it('is not logged in to at one that it does not name', async () => {
    const ended = await scene.current
      .clawai('login', 'guarded', '--no-browser', '--authorization-server', 'https://evil.example')
      .close();
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/does not name https:\/\/evil\.example.*it names http/),
    });
    expect(scene.current.world.asked).toEqual([]);
  });
});
