import { describe, expect, it } from 'vitest';
import { useListener } from '../support/http-listener.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';

/**
 * A page whose name resolves to 127.0.0.1 once it is loaded may ask whatever listens there, as a page of the same origin
 * (CVE-2025-66414, CVE-2025-66416 of the MCP SDKs). Its requests name the page's host, and where they come from.
 */
const listening = useListener();

async function ask(lines: readonly string[], method = 'POST'): Promise<number[]> {
  const { listener, host } = listening.current;
  const { port } = new URL(listener.origin);
  const real = lines.map((line) => line.replaceAll('HOST', host).replaceAll('PORT', port));
  return statusesIn(await exchange(listener.origin, head(`${method} /mcp HTTP/1.1`, ...real, 'connection: close')));
}

describe('a page', () => {
  const pages: [name: string, lines: string[]][] = [
    ['under its own name', ['host: evil.example:PORT']],
    ['under its own name, with an Origin of ours', ['host: evil.example:PORT', 'origin: http://HOST']],
    ['under a name that begins like ours', ['host: localhost.evil.example:PORT']],
    ['under a name that ends like ours', ['host: evil.localhost:PORT']],
    ['under an address of its own', ['host: 127.0.0.1.nip.io:PORT']],
    ['at 0.0.0.0', ['host: 0.0.0.0:PORT']],
    ['at another port', ['host: 127.0.0.1:1']],
    ['with a name and ours', ['host: HOST', 'host: evil.example:PORT']],
    ['with user information', ['host: HOST@evil.example']],
    ['that asks another site', ['host: HOST', 'origin: https://evil.example']],
    ['of the same host, at another port', ['host: HOST', 'origin: http://127.0.0.1:1']],
    ['in a sandbox', ['host: HOST', 'origin: null']],
    ['with an Origin of ours and its own', ['host: HOST', 'origin: http://HOST', 'origin: https://evil.example']],
    ['with an Origin that begins like ours', ['host: HOST', 'origin: http://HOST.evil.example']],
  ];
  it.each(pages)('%s', async (_name, lines) => {
    expect(await ask(lines)).toEqual([403]);
    expect(await ask(lines, 'GET')).toEqual([403]);
    expect(await ask([...lines, 'access-control-request-method: POST'], 'OPTIONS')).toEqual([403]);
    expect(listening.current.seen).toEqual([]);
  });
});

it('is not told that it may read the answer', async () => {
  const { listener, host } = listening.current;
  const answer = await exchange(
    listener.origin,
    head('OPTIONS /mcp HTTP/1.1', `host: ${host}`, 'origin: https://evil.example', 'connection: close'),
  );
  expect(answer.toLowerCase()).not.toContain('access-control');
});

it('an agent on this machine gets through', async () => {
  expect(await ask(['host: localhost:PORT'])).toEqual([200]);
  expect(await ask(['host: HOST', 'origin: http://localhost:PORT'])).toEqual([200]);
});
