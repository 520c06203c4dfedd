import { afterEach, describe, expect, it } from 'vitest';
import { listenForRedirect, type RedirectListener } from '../../../src/remote/login/redirect-listener.ts';
import { exchange } from '../../support/raw-http.ts';

let listener: RedirectListener | undefined;
afterEach(() => listener?.close());

async function start(options: Partial<Parameters<typeof listenForRedirect>[0]> = {}): Promise<RedirectListener> {
  return (listener = await listenForRedirect({ port: 0, isRegistered: false, ...options }));
}

const ask = async ({ url }: RedirectListener, query: Readonly<Record<string, string>>, method = 'GET'): Promise<number> =>
  (await fetch(`${url}?${new URLSearchParams(query)}`, { method })).status;

describe('the listener for the answer to a login', () => {
  it('has an address that nobody can guess, or the one that is registered', async () => {
    expect((await start()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\/[\w-]{22}$/);
    expect((await start({ isRegistered: true })).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(listener?.state).toMatch(/^[\w-]{22}$/);
  });

  it('takes one answer, and none after it', async () => {
    const { state, answer } = await start();
    expect(await ask(listener as RedirectListener, { code: 'c', state, iss: 'https://as.example' })).toBe(200);
    expect(await answer).toEqual({ code: 'c', iss: 'https://as.example' });
    expect(await ask(listener as RedirectListener, { code: 'other', state })).toBe(409);
    expect(listener?.take(`${listener.url}?code=other&state=${state}`)).toBe(false);
  });

  it('waits on after what is no answer: of a prefetch, another program on this machine, or a page', async () => {
    const open = await start();
    const { state, url, answer } = open;
    for (const query of [
      {},
      { state },
      { code: 'c' },
      { code: 'c', state: '' },
      { code: 'c', state: `${state}x` },
      { code: '', state },
    ])
      expect(await ask(open, query as Record<string, string>)).toBe(400);
    expect(await ask(open, { code: 'c', state: 'ü'.repeat(22) })).toBe(400);
    expect((await fetch(`${url}?code=a&code=b&state=${state}`)).status).toBe(400);
    expect((await fetch(`${url}?code=a&state=${state}&state=${state}`)).status).toBe(400);
    for (const method of ['POST', 'HEAD', 'PUT']) expect(await ask(open, { code: 'c', state }, method)).toBe(404);
    expect((await fetch(`${new URL(url).origin}/callback?code=c&state=${state}`)).status).toBe(404);
    expect(await Promise.race([answer, Promise.resolve('open')])).toBe('open');
    expect(await ask(open, { code: 'c', state })).toBe(200);
  });

  it('answers under its own name alone, since a page may give it another', async () => {
    const open = await start();
    const { origin, port, pathname } = new URL(open.url);
    const target = `${pathname}?code=c&state=${open.state}`;
    const said = await exchange(origin, `GET ${target} HTTP/1.1\r\nHost: evil.example:${port}\r\nConnection: close\r\n\r\n`);
    expect(said).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('repeats nothing of what it is sent', async () => {
    const { url, state, answer } = await start();
    const script = '<script>alert(1)</script>';
    const query = new URLSearchParams({ error: script, error_description: script, state, iss: script });
    const response = await fetch(`${url}?${query}`);
    const text = await response.text();
    expect(text).toBe('clawai has the answer. You can close this window.\n');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(await answer).toEqual({ error: script, iss: script });
  });

  it('gives up after its time, and refuses a port that is taken', async () => {
    const open = await start({ patience: 20 });
    expect(await open.answer).toBeUndefined();
    await expect(listenForRedirect({ port: Number(new URL(open.url).port), isRegistered: true })).rejects.toThrow('EADDRINUSE');
  });
});
