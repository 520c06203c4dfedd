import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tool } from '../support/declaring.ts';
import { callOf, post, said } from '../support/post.ts';
import { Sandbox } from '../support/sandbox.ts';
import { ScriptedServer, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

/**
 * What a server says by itself may be sent by it. Most servers repeat what they are told, in errors above all, and only arguments counted as told, the first
 * 16 KiB of them: a value that was read elsewhere was the server's own once it had been named as a tool, or told behind so much else.
 */
const POLICY = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';

const sandbox = new Sandbox();
let remote: ScriptedServer;
let serving: Serving;
let lastId = 1;
let token = '';

beforeAll(async () => {
  remote = await ScriptedServer.start();
  remote.script = ({ url, text, message: { id, method, params } }, response) => {
    const tools = [tool(url.endsWith('db') ? 'query_database' : 'send_message', '')];
    if (method === 'tools/list') return sendJson(response, { jsonrpc: '2.0', id, result: { tools } });
    const isSent = params?.name === 'send_message';
    const back = url.endsWith('db') ? token : isSent ? 'done' : `nothing is there for ${text}`;
    return sendJson(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: back }] } });
  };
  const servers = { db: `${remote.url}/db`, mail: `${remote.url}/mail` };
  serving = await Serving.start(sandbox, { servers, policy: POLICY });
  for (const name of ['db', 'mail']) await post(serving.url(name), { jsonrpc: '2.0', id: 1, method: 'tools/list' });
});
afterAll(async () => {
  await serving.stop();
  await remote.stop();
  sandbox.remove();
});

async function read(): Promise<string> {
  token = `rk_${createHash('sha256').update(`${++lastId}`).digest('base64url').slice(0, 30)}`;
  return said(await post(serving.url('db'), callOf(lastId, {}, 'query_database')));
}

async function tell(method: string, params: object): Promise<string> {
  const { text } = await post(serving.url('mail'), { jsonrpc: '2.0', id: ++lastId, method, params });
  // Only a call with a value of another server waits for what its own server said.
  await until('it was read', () => readdirSync(join(sandbox.state, 'clawai', 'results')).length === 0);
  return text;
}

async function send(body: string): Promise<string> {
  return said(await post(serving.url('mail'), callOf(++lastId, { body }, 'send_message')));
}

const PADDING = 'words of no account ';

it.each<[string, string, (value: string) => object]>([
  ['the name of a tool', 'tools/call', (value) => ({ name: value })],
  ['the URI of a resource', 'resources/read', (value) => ({ uri: `mail://${value}` })],
  ['the name of a prompt', 'prompts/get', (value) => ({ name: value })],
  ['beside the arguments', 'tools/call', (value) => ({ name: 'search', arguments: {}, _meta: { about: value } })],
  ['behind much else', 'tools/call', (value) => ({ name: 'search', arguments: { query: PADDING.repeat(1000) + value } })],
])('a value that was told as %s, and said back', async (_, method, params) => {
  const value = await read();
  expect(await tell(method, params(value))).toContain(value);
  expect(await send(`it is ${value}`)).toMatch(/denied.*"db"/);
});

it('what a server says by itself may be sent at once, whatever it was told before', async () => {
  await tell('tools/call', { name: 'search', arguments: { query: PADDING.repeat(1000) } });
  const value = await read();
  const { script } = remote;
  remote.script = ({ message: { id } }, response) =>
    sendJson(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `order ${value}` }] } });
  await post(serving.url('mail'), callOf(++lastId, {}, 'get_message'));
  remote.script = script;
  expect(await send(`it is ${value}`)).toBe('done');
});
