import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRoutable, parseRouteUrl, routeUrl } from '../../src/remote/remote-server.ts';

const SECRET = 'abcdefghijklmnopqrst-_';

describe('a URL at clawai serve', () => {
  it.each([
    ['docs', `http://127.0.0.1:8787/mcp/docs/${SECRET}`],
    ['my wiki', `http://127.0.0.1:8787/mcp/my%20wiki/${SECRET}`],
    ['@scope/name?#', `http://127.0.0.1:8787/mcp/%40scope%2Fname%3F%23/${SECRET}`],
  ])('of %j', (name, url) => {
    expect(routeUrl('http://127.0.0.1:8787', { name, secret: SECRET })).toBe(url);
    expect(parseRouteUrl(url)).toEqual({ name, secret: SECRET });
  });

  it('says which server it leads to, also as a client sends it', () => {
    const names = fc.string({ unit: 'binary' }).filter(isRoutable);
    fc.assert(
      fc.property(names, (name) => {
        const url = routeUrl('https://[::1]:1', { name, secret: SECRET });
        expect(parseRouteUrl(new URL(url).href)).toEqual({ name, secret: SECRET });
      }),
    );
  });

  it.each([
    '',
    'http://127.0.0.1:8787/mcp/docs',
    `http://127.0.0.1:8787/mcp//${SECRET}`,
    `http://127.0.0.1:8787/mcp/docs/${SECRET}/more`,
    `http://127.0.0.1:8787/mcp/docs/${SECRET}?query`,
    'http://127.0.0.1:8787/mcp/docs/short',
    `http://127.0.0.1:8787/mcp/%ff/${SECRET}`,
    `ws://127.0.0.1:8787/mcp/docs/${SECRET}`,
  ])('%j is none', (url) => {
    expect(parseRouteUrl(url)).toBeUndefined();
  });

  it.each(['', '.', '..', '\ud800', 'a\0'])('nothing can be made of the name %j', (name) => {
    expect(isRoutable(name)).toBe(false);
  });
});
