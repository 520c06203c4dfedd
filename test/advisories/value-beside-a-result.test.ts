import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { tool } from '../support/declaring.ts';
import { callOf, post, said } from '../support/post.ts';
import { ScriptedServer, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';

/**
 * Clients tell the model more than what stands in a result's texts: what an error says, also as the page of an HTTP error, where links lead to, and
 * all that structured content has. Values in these were not remembered, so that they could be sent on.
 */
const sandbox = useSandbox();

const POLICY = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';
const WORDS = 'a line of words that says nothing to anybody\n'.repeat(10);

interface Given {
  readonly result?: object;
  readonly error?: object;
  readonly page?: { readonly status: number; readonly type: string; readonly text: string };
}

const structured = (structuredContent: object): Given => ({ result: { content: [], structuredContent } });
const page = (status: number, type: string, text: string): Given => ({ page: { status, type, text } });

const CASES: readonly (readonly [string, (value: string) => Given])[] = [
  ['an error', (value) => ({ error: { code: -32_000, message: `no such row: ${value}` } })],
  ["an error's data", (value) => ({ error: { code: -32_000, message: 'failed', data: { type: value } } })],
  ['a page in words', (value) => page(500, 'text/plain', `no such row: ${value}`)],
  ['a page in JSON', (value) => page(400, 'application/json', JSON.stringify({ error: 'failed', type: value }))],
  [
    'a link',
    (value) => ({ result: { content: [{ type: 'resource_link', name: 'f', uri: `https://a.example/f?key=${value}` }] } }),
  ],
  ['a type of MIME', (value) => ({ result: { content: [{ type: 'resource', resource: { uri: 'a', mimeType: value } }] } })],
  ['a member that MCP has, too', (value) => structured({ accounts: [{ role: value }] })],
  ['a long text under the name of bytes', (value) => structured({ data: WORDS + value })],
  ['long signs under that name', (value) => structured({ blob: `${'ab01'.repeat(80)} ${value}` })],
];

it('what was read is not sent, wherever in the answer it stood', async () => {
  let given: Given = {};
  const remote = await ScriptedServer.start();
  remote.script = ({ url, message: { id, params } }, response) => {
    if (id === undefined) return void response.writeHead(202).end();
    const { page: shown, ...answer } = url.endsWith('db') ? given : { result: { content: [{ type: 'text', text: 'done' }] } };
    if (shown !== undefined) return void response.writeHead(shown.status, { 'content-type': shown.type }).end(shown.text);
    const isList = params?.name === undefined;
    return sendJson(response, { jsonrpc: '2.0', id, ...(isList ? { result: { tools: [tool('any', '')] } } : answer) });
  };
  const servers = { db: `${remote.url}/db`, mail: `${remote.url}/mail` };
  const serving = await Serving.start(sandbox.current, { servers, policy: POLICY });
  const send = async (body: string): Promise<string> =>
    said(await post(serving.url('mail'), callOf(2, { body }, 'send_message')));
  for (const name of ['db', 'mail']) await post(serving.url(name), { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const denied: string[] = [];
  for (const [at, [name, give]] of CASES.entries()) {
    const value = `rk_${createHash('sha256').update(String(at)).digest('base64url').slice(0, 30)}`;
    given = give(value);
    await post(serving.url('db'), callOf(1, {}, 'query_database'));
    if ((await send(`it is ${value}`)).includes('denied')) denied.push(name);
  }
  expect(denied).toEqual(CASES.map(([name]) => name));
  expect(await send('nothing of that')).toBe('done');
  await serving.stop();
  await remote.stop();
});
