import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { tool } from '../support/declaring.ts';
import { callOf, post, type Posted, said } from '../support/post.ts';
import { Sandbox } from '../support/sandbox.ts';
import { ScriptedServer, type SeenRequest, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';

/**
 * What a call gave was remembered only where it came as the result of that call, by the connection that had made it. What a task came to passed
 * unread when another connection asked for it, when it came by itself, or where a rule was about the method that asks; so did a result that
 * asks for something besides, errors without an id, also in a stream, what a task says before it is over, what methods other than `resources/read` bring back, short texts in base64, and words that a
 * second server gave as well, which may have had them by way of a file. What a server was told after it was read counted as its own knowledge once it was
 * read again.
 */
const POLICY = `
[defaults]
action = "allow"
[flow]
read_then_send = { action = "deny", evidence = "value" }
[[rule]]
action = "allow"
method = "tasks/result"
`;
const MODERN = { 'mcp-protocol-version': '2026-07-28' };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Answering = (request: SeenRequest, response: ServerResponse) => void;

let sandbox: Sandbox;
let remote: ScriptedServer;
let serving: Serving;
/** How the server that reads answers. */
let answering: Answering;
let lastId = 1;
/** What is read, and the task that it comes from: another one in each test. */
let token: string;
let task: string;

beforeAll(async () => {
  sandbox = new Sandbox();
  remote = await ScriptedServer.start();
  remote.script = (request, response) => {
    const { url, message } = request;
    const { id, method } = message;
    if (method === 'tools/list') return sendJson(response, { jsonrpc: '2.0', id, result: { tools: [tool('any', '')] } });
    if (url.endsWith('db')) return answering(request, response);
    return sendJson(response, { jsonrpc: '2.0', id, result: text('done') });
  };
  const servers = { db: `${remote.url}/db`, copies: `${remote.url}/copies/db`, mail: `${remote.url}/mail` };
  serving = await Serving.start(sandbox, { servers, policy: POLICY });
  for (const name of ['db', 'copies', 'mail']) await post(serving.url(name), { jsonrpc: '2.0', id: 1, method: 'tools/list' });
});
afterAll(async () => {
  await serving.stop();
  await remote.stop();
  sandbox.remove();
});

beforeEach(() => {
  task = `task-${++lastId}`;
  token = `rk_${createHash('sha256').update(task).digest('base64url').slice(0, 30)}`;
});

const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });

function ask(method: string, params: object, headers: Readonly<Record<string, string>> = {}): Promise<Posted> {
  return post(serving.url('db'), { jsonrpc: '2.0', id: ++lastId, method, params }, headers);
}

/** The same by a client of the newest revision, which has no sessions. */
function askModern(method: string, params: object, name?: string): Promise<Posted> {
  const named = name === undefined ? {} : { 'mcp-name': name };
  return ask(method, { ...params, _meta: META }, { ...MODERN, 'mcp-method': method, ...named });
}

async function send(body: string): Promise<string> {
  return said(await post(serving.url('mail'), callOf(++lastId, { body }, 'send_message')));
}

const DENIED = expect.stringMatching(/denied.*"db"/) as string;

/** Sends what the client has got. @param given how it stands there */
async function sendOn({ text: got }: Pick<Posted, 'text'>, given = token): Promise<string> {
  if (!got.includes(given)) throw new Error(`the client never got it: ${got}`);
  return send(`it is ${token}`);
}

const QUERY = { name: 'query_database', arguments: {} };
const done = (): object => ({ resultType: 'complete', taskId: task, status: 'completed', result: text(token) });

/** Answers calls with a task, and what asks for that with what it came to. */
const asTask: Answering = ({ message: { id, method } }, response) => {
  const isCall = method === 'tools/call';
  const result = isCall ? { resultType: 'task', taskId: task, status: 'working' } : method === 'tasks/get' ? done() : text(token);
  sendJson(response, { jsonrpc: '2.0', id, result });
};

it('what a task came to, when others of the same client are asked at once', async () => {
  const arrived = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  answering = (request, response) => {
    if (request.message.params?.arguments?.['wait'] === undefined) return asTask(request, response);
    arrived.resolve();
    void goOn.promise.then(() => asTask(request, response));
  };
  await askModern('tools/call', QUERY, QUERY.name);
  const other = askModern('tools/call', { ...QUERY, arguments: { wait: true } }, QUERY.name);
  await arrived.promise;
  expect(await sendOn(await askModern('tasks/get', { taskId: task }, task))).toEqual(DENIED);
  goOn.resolve();
  await other;
});

it.each<[string, object]>([
  ['tasks/get', { status: 'working', statusMessage: 'TOKEN' }],
  ['tasks/get', { status: 'cancelled', statusMessage: 'TOKEN' }],
  ['tasks/update', { status: 'completed', result: text('TOKEN') }],
  ['tasks/cancel', { status: 'completed', result: text('TOKEN') }],
  ['tasks/list', { tasks: [{ taskId: 'any', status: 'failed', statusMessage: 'TOKEN' }] }],
])('how far a task has come, as %s says', async (method, state) => {
  answering = (request, response) => {
    const { id, method: asked } = request.message;
    if (asked === 'tools/call') return asTask(request, response);
    sendJson(response, { jsonrpc: '2.0', id, result: JSON.parse(JSON.stringify(state).replace('TOKEN', token)) as object });
  };
  await askModern('tools/call', QUERY, QUERY.name);
  expect(await sendOn(await askModern(method, { taskId: task }, task))).toEqual(DENIED);
});

it('in another session of MCP, where a rule allows it', async () => {
  answering = asTask;
  await ask('tools/call', { ...QUERY, task: {} }, { 'mcp-session-id': 'one' });
  expect(await sendOn(await ask('tasks/result', { taskId: task }, { 'mcp-session-id': 'two' }))).toEqual(DENIED);
});

it('by itself', async () => {
  answering = (request, response) => {
    const { id, method } = request.message;
    if (method !== 'subscriptions/listen') return asTask(request, response);
    const events = [
      { jsonrpc: '2.0', method: 'notifications/tasks', params: done() },
      { jsonrpc: '2.0', id, result: {} },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  };
  await askModern('tools/call', QUERY, QUERY.name);
  expect(await sendOn(await askModern('subscriptions/listen', { notifications: { taskIds: [task] } }))).toEqual(DENIED);
});

it('a result that asks for something besides', async () => {
  answering = ({ message: { id } }, response) =>
    sendJson(response, { jsonrpc: '2.0', id, result: { ...text(token), inputRequests: {} } });
  expect(await sendOn(await ask('tools/call', QUERY))).toEqual(DENIED);
});

it.each([200, 400])('an error without an id, with status %i', async (status) => {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: `no such row: ${token}` } };
  answering = (_, response) => sendJson(response, status === 400 ? [error] : error, status);
  expect(await sendOn(await ask('tools/call', QUERY))).toEqual(DENIED);
});

it.each([
  ['an error without an id', (value: string) => `data: {"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"${value}"}}\n\n`],
  ['an event of another name', (value: string) => `event: error\ndata: failed at ${value}\n\n`],
])('%s in a stream', async (_, event) => {
  answering = ({ message: { id } }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${event(token)}data: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('done') })}\n\n`);
  };
  expect(await sendOn(await ask('tools/call', QUERY))).toEqual(DENIED);
});

it.each(['skills/get', 'resources/directory/read', 'resources/get'])('what %s brings back', async (method) => {
  answering = ({ message: { id } }, response) =>
    sendJson(response, { jsonrpc: '2.0', id, result: { contents: [{ uri: 'db://a', text: token }] } });
  expect(await sendOn(await ask(method, { uri: 'db://a' }))).toEqual(DENIED);
});

it('a short text in base64', async () => {
  const secret = Buffer.from(token.slice(0, 20)).toString('base64');
  answering = ({ message: { id } }, response) =>
    sendJson(response, { jsonrpc: '2.0', id, result: text(`data:\n  password: ${secret}`) });
  expect(await sendOn(await ask('tools/call', QUERY), secret)).toEqual(DENIED);
});

it('words that another server gave as well', async () => {
  const words = 'The board will sell the Rotterdam plant to Hagemeyer in March for nine million.';
  answering = ({ message: { id } }, response) => sendJson(response, { jsonrpc: '2.0', id, result: text(words) });
  await ask('tools/call', QUERY);
  expect(await send(words)).toEqual(DENIED);
  await post(serving.url('copies'), callOf(++lastId, { path: 'copy.txt' }, 'read_file'));
  expect(await send(words)).toMatch(/denied/);
});

it('what the other server was told by a search in between, when it is read once more', async () => {
  answering = ({ message: { id } }, response) => sendJson(response, { jsonrpc: '2.0', id, result: text(token) });
  await ask('tools/call', QUERY);
  expect(said(await post(serving.url('mail'), callOf(++lastId, { query: token }, 'search_messages')))).toBe('done');
  expect(await sendOn(await ask('tools/call', QUERY))).toEqual(DENIED);
});

it.each([
  ['hex, a byte a line', (value: string) => Buffer.from(value).toString('hex').replaceAll(/../g, '$&\n')],
  ['hex in a list', (value: string) => Buffer.from(value).toString('hex').match(/../g)],
  ['characters of HTML', (value: string) => value.replaceAll(/./g, (letter) => `&#${letter.charCodeAt(0)};`)],
  ['the numbers of its characters', (value: string) => Array.from(value, (letter) => letter.charCodeAt(0))],
  [
    'tags that nobody sees',
    (value: string) => value.replaceAll(/./g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))),
  ],
  ['letters that nobody sees between others', (value: string) => value.replaceAll(/./g, '$&\u3164')],
])('as %s', async (_, encode) => {
  answering = ({ message: { id } }, response) => sendJson(response, { jsonrpc: '2.0', id, result: text(token) });
  await ask('tools/call', QUERY);
  expect(said(await post(serving.url('mail'), callOf(++lastId, { body: encode(token) }, 'send_message')))).toEqual(DENIED);
});

it.each([
  ['digit by digit', (value: string) => value.replaceAll(/./g, '$& ')],
  ['as a list of digits', (value: string) => Array.from(value, Number)],
])('a number %s', async (_, encode) => {
  const card = `4929${BigInt(`0x${createHash('sha256').update(task).digest('hex')}`) % 10n ** 12n}`;
  answering = ({ message: { id } }, response) => sendJson(response, { jsonrpc: '2.0', id, result: text(`card: ${card}`) });
  await ask('tools/call', QUERY);
  expect(said(await post(serving.url('mail'), callOf(++lastId, { body: encode(card) }, 'send_message')))).toEqual(DENIED);
});

it('what nobody read is sent', async () => {
  expect(await send(token)).toBe('done');
});
