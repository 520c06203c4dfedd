import { expect, it } from 'vitest';
import { useLoginScene } from '../support/login-scene.ts';
import { logInAt } from '../support/oauth-world.ts';

/**
 * The answer to a login comes to an address of this machine, which other users, pages and a browser's prefetch can ask too: RFC 8252, 8.3 and
 * 8.9. Whoever comes first without the login's state must neither end the login nor have a code of their own exchanged.
 */
const scene = useLoginScene();

const XSS = '<script>alert(1)</script>';

it('what others send to the address of the answer is not taken, repeated, or the end of the login', async () => {
  const { world } = scene.current;
  const { running, page } = await scene.current.begin();
  const { searchParams } = new URL(page);
  const address = searchParams.get('redirect_uri') ?? '';
  const state = searchParams.get('state') ?? '';
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  const ask = async (query: string, method = 'GET', at = address): Promise<readonly [number, string]> => {
    const answer = await fetch(`${at}?${query}`, { method });
    return [answer.status, await answer.text()];
  };
  const told = [
    await ask(''),
    await ask('code=theirs'),
    await ask('code=theirs&state=theirs'),
    await ask(`code=theirs&state=${'A'.repeat(state.length)}`),
    await ask(`code=theirs&state=${state}&state=${state}`),
    await ask(`state=${state}`),
    await ask(`code=theirs&state=${state}`, 'POST'),
    await ask(`code=theirs&state=${state}`, 'HEAD'),
    await ask(`code=theirs&state=${state}`, 'GET', new URL('/callback', address).href),
    await ask(`error=access_denied&error_description=${encodeURIComponent(XSS)}`),
    await ask(`code=${encodeURIComponent(XSS)}&state=${encodeURIComponent(XSS)}`),
  ];
  expect(told.filter(([status]) => status < 400)).toEqual([]);
  expect(told.filter(([, text]) => text.includes('script') || text.includes(state))).toEqual([]);
  expect(world.grants('authorization_code')).toBe(0);

  const callback = await logInAt(page);
  expect((await fetch(callback)).status).toBe(200);
  const second = await fetch(callback).then(
    ({ status }) => status,
    () => 'closed',
  );
  expect([409, 'closed']).toContain(second);
  expect(await running.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Logged in to guarded.') });
  expect(world.grants('authorization_code')).toBe(1);
});
