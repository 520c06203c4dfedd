import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOften, callTool, useLoginScene } from '../support/login-scene.ts';
import { callOf, JSON_HEADERS, post, said } from '../support/post.ts';

/**
 * Token passthrough (MCP, "Security Best Practices"): a token that one server was granted gets to another by a redirect, or since the user gave its
 * name to another server; a client's own token for our address gets to a server. And the confused deputy: whoever reaches the proxy uses its
 * user's login. The address's secret is what tells them apart.
 */
const scene = useLoginScene();
const seen: IncomingHttpHeaders[] = [];
const other = createServer((request, response) => {
  seen.push(request.headers);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":{}}');
});
let elsewhere: string;
beforeEach(async () => {
  seen.length = 0;
  await once(other.listen(0, '127.0.0.1'), 'listening');
  elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
});
afterEach(() => new Promise((resolve) => void other.close(resolve)));

describe('a token of a managed login', () => {
  it('does not follow a redirect to another origin', async () => {
    const serving = await scene.current.serve();
    await scene.current.logIn();
    expect(await callOften(1, serving)).toBe(1);
    scene.current.world.moved = elsewhere;
    expect(said(await callTool(serving))).toContain('redirects (307) to an address that clawai does not follow');
    expect(seen).toEqual([]);
  });

  it('does not go with its name to another server', async () => {
    await scene.current.logIn();
    const serving = await scene.current.serve({ guarded: elsewhere });
    expect(said(await callTool(serving, { authorization: 'Bearer of-the-client' }))).toContain('clawai login guarded');
    expect(seen).toEqual([]);
  });

  it('does not go to another path of its server, which may be another tenant', async () => {
    await scene.current.logIn();
    const serving = await scene.current.serve({ guarded: `${scene.current.world.url}/other` });
    expect(said(await callTool(serving))).toContain('clawai login guarded');
    expect(scene.current.world.arrived.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  it('is used for nobody who does not know the secret of the address', async () => {
    const serving = await scene.current.serve();
    await scene.current.logIn();
    scene.current.world.arrived.length = 0;
    const guessed = serving.url('guarded').replace(/[^/]+$/, 'a'.repeat(22));
    expect((await post(guessed, callOf(1))).status).toBe(404);
    // A page that a browser shows knows the port, and no secret.
    const page = await fetch(serving.url('guarded'), {
      method: 'POST',
      headers: { ...JSON_HEADERS, origin: 'https://evil.example' },
      body: JSON.stringify(callOf(1, {}, 'stolen')),
    });
    expect(page.status).toBe(403);
    expect(scene.current.world.arrived.filter(({ body }) => body.includes('stolen'))).toEqual([]);
  });
});
