// clawai proxy --url with a login that clawai manages, against a real authorization server.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, expect, it } from 'vitest';
import { startEverything } from '../support/http-server.ts';
import { callOften, useLoginScene } from '../support/login-scene.ts';

const scene = useLoginScene();

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(): Promise<Client> {
  const { sandbox, world } = scene.current;
  const policy = sandbox.write('policy.toml', '[defaults]\naction = "allow"\n');
  const files = ['--policy', policy, '--config', sandbox.path('config.toml')];
  const [command, ...args] = sandbox.command('proxy', ...files, '--url', world.url);
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(new StdioClientTransport({ command, args, env: { ...sandbox.env }, stderr: 'ignore' }));
  return client;
}

const call = (client: Client) => client.callTool({ name: 'read_file', arguments: {} });
const DID = { content: [{ type: 'text', text: 'did read_file' }] };

it('every request brings the token, and without one the client hears what to do', async () => {
  const { world } = scene.current;
  await expect(connect()).rejects.toThrow('guarded wants a login: run `clawai login guarded`');
  expect(world.arrived).toEqual([]);
  await scene.current.logIn();
  // The login itself asks without a token, to be told where to log in.
  world.arrived.length = 0;
  const client = await connect();
  expect((await client.listTools()).tools).toMatchObject([{ name: 'read_file' }]);
  expect(await call(client)).toMatchObject(DID);
  expect(world.arrived.filter(({ headers }) => headers.authorization === undefined)).toEqual([]);
  expect(scene.current.sandbox.decided()).toMatchObject([{ server_id: 'guarded', tool_name: 'read_file', decision: 'allow' }]);
  expect((await scene.current.clawai('logout', 'guarded').close()).code).toBe(0);
  await expect(call(client)).rejects.toThrow('run `clawai login guarded`');
  await scene.current.logIn();
  expect(await call(client)).toMatchObject(DID);
});

it('a refused token is renewed once for all calls, of two proxies and serve', { tags: 'long' }, async () => {
  const { world } = scene.current;
  await scene.current.logIn();
  const [first, second, serving] = [await connect(), await connect(), await scene.current.serve()];
  expect(await call(first)).toMatchObject(DID);
  await world.spoil(scene.current.lastToken());
  const calls = Array.from({ length: 50 }, (_none, at) => call(at % 2 === 0 ? first : second));
  expect(await callOften(50, serving)).toBe(50);
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 50 }, () => DID));
  expect(world.grants('refresh_token')).toBe(1);
});

it('over HTTP+SSE, the stream and the messages bring it', async () => {
  const { world, sandbox } = scene.current;
  const everything = await startEverything(sandbox, 'sse');
  world.behind = everything.url;
  await scene.current.logIn();
  world.arrived.length = 0;
  const client = await connect();
  const echo = await client.callTool({ name: 'echo', arguments: { message: 'hello' } });
  expect(echo).toMatchObject({ content: [{ text: 'Echo: hello' }] });
  expect(world.arrived.filter(({ headers }) => headers.authorization === undefined)).toEqual([]);
  await client.close();
  await everything.stop();
});

it('no other origin gets it', async () => {
  const arrived: unknown[] = [];
  const other = createServer((request, response) => {
    arrived.push(request.headers.authorization);
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  await scene.current.logIn();
  scene.current.world.moved = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
  await expect(connect()).rejects.toThrow('redirects (307) to an address that clawai does not follow');
  expect(arrived).toEqual([]);
  await new Promise((resolve) => other.close(resolve));
});

it('a server that wants more rights than were granted is answered with what to do', async () => {
  await scene.current.logIn();
  const client = await connect();
  scene.current.world.needs = 'mcp:read mcp:write';
  await expect(call(client)).rejects.toThrow('guarded needs a login with more rights (mcp:read mcp:write)');
  expect((await scene.current.logIn()).stderr).toContain('mcp:read mcp:write');
  expect(await call(client)).toMatchObject(DID);
});
