// Flow and rates between the remote servers of one `clawai serve`, over sessions, without them, and all at once.
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { tool } from '../support/declaring.ts';
import { callOf, post, said } from '../support/post.ts';
import type { Event } from '../support/sandbox.ts';
import { ScriptedServer, type SeenRequest, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const sandbox = useSandbox();

const TOKEN = 'rk9_Zt4mQw8bVx2nLp7cYd5sHf3jGu6a';

/** Two remote servers, behind one program. */
let remote: ScriptedServer;
let serving: Serving | undefined;
/** What a query answers, and how. */
let answered = { text: `token: ${TOKEN}`, isStream: false };
/** Queries that wait until somebody lets them go on. */
let held: { readonly arrived: () => void; readonly until: Promise<void> } | undefined;

beforeAll(async () => {
  remote = await ScriptedServer.start();
  // What clawai lists by itself, whenever that is, is what clients get to see.
  remote.handle = (request, response) => remote.script(request, response);
});
afterAll(() => remote.stop());

beforeEach(() => {
  answered = { text: `token: ${TOKEN}`, isStream: false };
  held = undefined;
  chat = CHAT;
  remote.script = ({ url, message }, response) => {
    const { id, method, params } = message;
    if (id === undefined) return void response.writeHead(202).end();
    const answer = (): void => {
      const result = resultOf(url, method, params?.name);
      const line = { jsonrpc: '2.0', id, result };
      if (!answered.isStream || method !== 'tools/call') return sendJson(response, line);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: message\ndata: ${JSON.stringify(line)}\n\n`);
    };
    if (held === undefined || params?.name !== 'query_database') return answer();
    held.arrived();
    void held.until.then(answer);
  };
});
afterEach(async () => {
  await serving?.stop();
  serving = undefined;
});

function resultOf(url: string, method: SeenRequest['message']['method'], name = ''): object {
  if (method === 'initialize') return GREETING;
  if (method === 'tools/list') return { tools: url.endsWith('db') ? DB : chat };
  return { content: [{ type: 'text', text: name === 'query_database' ? answered.text : 'done' }] };
}

const DB = [tool('query_database', 'Queries.'), tool('lookup', 'Looks up.')];
const CHAT = [tool('send_message', 'Sends.'), tool('update_note', 'Writes.')];
let chat = CHAT;
const GREETING = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'scripted', version: '1' } };

async function serve(policy: string): Promise<void> {
  serving = await Serving.start(sandbox.current, {
    servers: { db: `${remote.url}/db`, chat: `${remote.url}/chat` },
    policy: `[defaults]\naction = "allow"\n${policy}`,
  });
  for (const server of ['db', 'chat']) await list(server);
}

function list(server: string): Promise<unknown> {
  return post(urlOf(server), { jsonrpc: '2.0', id: 1, method: 'tools/list' });
}

function urlOf(server: string): string {
  if (serving === undefined) throw new Error('nothing is served');
  return serving.url(server);
}

let lastId = 0;

/** What the model is told. @param session of MCP; without one every request is by itself */
async function call(server: string, name: string, args: object = {}, session?: string): Promise<string> {
  return said(
    await post(urlOf(server), callOf(++lastId, args, name), session === undefined ? {} : { 'mcp-session-id': session }),
  );
}

/** What was recorded of flows: a denial may be answered a moment before that. */
async function flows(count: number): Promise<Event[]> {
  const recorded = (): Event[] => sandbox.current.events().filter(({ type }) => type === 'mcp_cross_server_blocked');
  await until('it is on record', () => recorded().length >= count);
  return recorded();
}

const passed = (told: readonly string[]): number => told.filter((text) => text === 'done').length;

describe('between the remote servers of one process', () => {
  it.each([
    ['without sessions', undefined, undefined],
    ['in sessions of MCP', 'one', 'two'],
  ])('read_then_send, %s', async (_, first, second) => {
    await serve('[flow]\naction = "deny"\n');
    expect(await call('chat', 'send_message', { body: 'hello' }, second)).toBe('done');
    expect(await call('db', 'query_database', {}, first)).toContain(TOKEN);
    expect(await call('chat', 'send_message', { body: 'hello' }, second)).toMatch(/denied.*"query_database".*"db"/);
    expect(await flows(1)).toMatchObject([{ rule: 'read_then_send', action: 'block', server_id: 'chat' }]);
  });

  it('a read counts from when it goes on, also in the same turn', async () => {
    const arrived = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    held = { arrived: arrived.resolve, until: goOn.promise };
    await serve('[flow]\naction = "deny"\n');
    expect(await call('chat', 'send_message')).toBe('done');
    const reading = call('db', 'query_database');
    await arrived.promise;
    expect(await call('chat', 'send_message')).toMatch(/denied/);
    goOn.resolve();
    expect(await reading).toContain(TOKEN);
  });

  it.each(['result', 'page of errors'])('what a slow read gave is as new as its answer: a %s', async (what) => {
    await serve('[flow]\naction = "deny"\nread_then_send = { window = "1500ms" }\n');
    const { script } = remote;
    if (what !== 'result')
      remote.script = (request, response) => {
        if (request.message.params?.name !== 'query_database') return script(request, response);
        void held?.until.then(() => response.writeHead(400, { 'content-type': 'text/plain' }).end(TOKEN));
      };
    held = { arrived: () => {}, until: setTimeout(1600) };
    const { text } = await post(urlOf('db'), callOf(++lastId, {}, 'query_database'));
    expect(text).toContain(TOKEN);
    expect(await call('chat', 'send_message')).toMatch(/denied.*"query_database".*"db"/);
  });

  it.each([
    ['JSON', { text: `token: ${TOKEN}`, isStream: false }],
    ['an event of a stream', { text: `token: ${TOKEN}`, isStream: true }],
    // At most 4,096 values of a result are kept: of so many some are among those that are passed on.
    ['a megabyte', { text: rows(14_000), isStream: false }],
  ])('read_then_send and cross_server_flow by value, at once after %s', async (_, answer) => {
    answered = answer;
    await serve(
      '[flow]\nread_then_send = { action = "deny", evidence = "value" }\ncross_server_flow = { action = "deny", evidence = "value", same_turn_only = false }\n',
    );
    for (const name of ['send_message', 'update_note']) {
      await call('db', 'query_database', {}, 'one');
      const passedOn = answer.text.length > 1000 ? rows(300) : TOKEN;
      expect(await call('chat', name, { body: `it is ${passedOn}` })).toMatch(/denied.*query_database/);
      expect(await call('chat', name, { body: 'the weekly report is ready' }, 'two')).toBe('done');
    }
    // A call that sends is both.
    const rules = (await flows(3)).map(({ rule }) => rule);
    expect(new Set(rules)).toEqual(new Set(['read_then_send', 'cross_server_flow']));
  });

  it('by value, a call waits for no result that has not come', async () => {
    const arrived = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    held = { arrived: arrived.resolve, until: goOn.promise };
    await serve('[flow]\nread_then_send = { action = "deny", evidence = "value" }\n');
    const reading = call('db', 'query_database');
    await arrived.promise;
    expect(await call('chat', 'send_message', { body: TOKEN })).toBe('done');
    goOn.resolve();
    await reading;
    expect(await call('chat', 'send_message', { body: `${TOKEN} again` })).toBe('done');
  });

  it('by value, the first result after the store was replaced counts as any other', async () => {
    await serve('[flow]\nread_then_send = { action = "deny", evidence = "value" }\n');
    expect(await call('chat', 'send_message')).toBe('done');
    for (const end of ['', '-wal', '-shm']) rmSync(sandbox.current.storeFile + end, { force: true });
    expect(await call('db', 'query_database')).toContain(TOKEN);
    expect(await call('chat', 'send_message', { body: TOKEN })).toMatch(/denied.*query_database/);
  });

  it('cross_server_flow by kinds', async () => {
    await serve(
      '[flow]\nread_then_send = { enabled = false }\ncross_server_flow = { action = "deny", same_turn_only = false }\n',
    );
    expect(await call('chat', 'update_note')).toBe('done');
    await call('db', 'query_database');
    expect(await call('chat', 'update_note')).toMatch(/denied.*query_database/);
  });

  it('burst: five of twenty that come at once, and five of seven over two sessions', async () => {
    await serve('[flow]\nburst = { action = "deny", max_calls = 5, window = "60s" }\n');
    const told = await Promise.all(Array.from({ length: 20 }, () => call('chat', 'update_note')));
    expect(passed(told)).toBe(5);
    const later: string[] = [];
    for (let i = 0; i < 7; i++) later.push(await call('db', 'lookup', {}, i % 2 === 0 ? 'one' : 'two'));
    expect(passed(later)).toBe(5);
  });

  it('shadow_tool: who listed a name first keeps it', async () => {
    await serve('');
    chat = [...CHAT, tool('lookup', 'Looks up.')];
    await list('chat');
    expect(await call('chat', 'lookup')).toMatch(/denied.*"db"/);
    expect(await call('db', 'lookup')).toBe('done');
    expect(await flows(1)).toMatchObject([{ rule: 'shadow_tool', server_id: 'chat' }]);
  });

  it('rate limits: as many of simultaneous calls as there are tokens, over sessions and without', async () => {
    await serve(
      '[rate_limits]\nenabled = true\n[rate_limits.server.chat]\nrpm = 1\nburst = 4\n[rate_limits.server.db.tool.lookup]\nrpm = 1\n',
    );
    const sessions = [undefined, 'one', 'two'];
    const told = await Promise.all(Array.from({ length: 12 }, (_, i) => call('chat', 'update_note', {}, sessions[i % 3])));
    expect(passed(told)).toBe(4);
    expect(await call('db', 'lookup', {}, 'one')).toBe('done');
    expect(await call('db', 'lookup', {}, 'two')).toMatch(/denied/);
    expect(await call('db', 'query_database')).toContain(TOKEN);
  });
});

/** So many rows of a table, no two alike. */
function rows(count: number): string {
  const row = (_: unknown, i: number): string =>
    `${i},Quill${(i * 7919) % 99_991} Marchetti,${4_000_000_000_000_000 + i * 104_729_131},open`;
  return Array.from({ length: count }, row).join('\n');
}
