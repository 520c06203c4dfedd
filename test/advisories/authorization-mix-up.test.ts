import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useLoginScene } from '../support/login-scene.ts';
import { logInAt } from '../support/oauth-world.ts';

/**
 * Mix-up (RFC 9207, RFC 9700 4.4): a client of two authorization servers sends the code of one to the token endpoint of the other. The state
 * tells the login, and `iss` the server; both are compared before the code goes anywhere.
 */
const scene = useLoginScene();

const exchanges = (): number => scene.current.world.grants('authorization_code');

describe('a code of another authorization server', () => {
  it.each([
    ['another issuer', 'https://evil.example'],
    ['an issuer that differs by a slash', undefined],
    ['no issuer, although the server says that it names it', ''],
  ])('with %s is sent nowhere', async (_what, iss) => {
    const { world, file } = scene.current;
    const { running, page } = await scene.current.begin();
    const end = new URL(await logInAt(page));
    if (iss === '') end.searchParams.delete('iss');
    else end.searchParams.set('iss', iss ?? `${world.issuer}/`);
    await (await fetch(end)).text();
    expect(await running.ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the answer is not from the authorization server that was asked'),
    });
    expect(exchanges()).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it('with the state of another login is not taken', async () => {
    const other = await scene.current.begin();
    const { running, page } = await scene.current.begin();
    const end = new URL(await logInAt(page));
    const own = end.searchParams.get('state') ?? '';
    end.searchParams.set('state', new URL(other.page).searchParams.get('state') ?? '');
    expect((await fetch(end)).status).toBe(400);
    expect(exchanges()).toBe(0);
    end.searchParams.set('state', own);
    expect((await fetch(end)).status).toBe(200);
    expect((await running.ended).code).toBe(0);
    other.running.kill('SIGTERM');
    await other.running.ended;
  });
});
