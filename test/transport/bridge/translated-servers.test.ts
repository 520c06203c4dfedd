import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Arrived, runRoute, type RouteOptions, type RunningRoute } from '../../support/remote-route.ts';
import { until } from '../../support/until.ts';

type Json = Readonly<Record<string, unknown>>;

const running: RunningRoute[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((route) => route.close()));
});

const POLICY = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\ntool = "shell"\n';

async function run(answer: RouteOptions['answer'], more: Partial<RouteOptions> = {}): Promise<RunningRoute> {
  const route = await runRoute({ policy: POLICY, answer, ...more });
  running.push(route);
  return route;
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};
const request = (id: unknown, method: string, params: Json = {}): Json => ({ jsonrpc: '2.0', id, method, params });
const modern = (id: unknown, method: string, params: Json = {}, meta: Json = {}): Json =>
  request(id, method, { ...params, _meta: { ...META, ...meta } });
const GREETING = request(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
});

function json(response: ServerResponse, message: Json, status = 200, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

interface Asked {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Json & { readonly _meta?: Json };
}

const askedOf = ({ body }: Arrived): Asked => JSON.parse(body === '' ? '{}' : body) as Asked;
const methodsOf = ({ arrived }: RunningRoute): readonly unknown[] => arrived.map((one) => askedOf(one).method ?? one.method);

const UNSUPPORTED = { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } };
const UNKNOWN = { code: -32601, message: 'Method not found' };

/** A server that speaks only the modern era; `rest` answers what is no greeting. */
function modernServer(
  rest: (asked: Asked, response: ServerResponse, arrived: Arrived) => void = ({ id }, response) =>
    json(response, { id, result: { resultType: 'complete', content: [] } }),
): RouteOptions['answer'] {
  return (arrived, response) => {
    const asked = askedOf(arrived);
    const { id, method, params } = asked;
    if (arrived.method !== 'POST') return void response.writeHead(405).end();
    if (id === undefined) return void response.writeHead(202).end();
    if (params?.['_meta']?.['io.modelcontextprotocol/protocolVersion'] === undefined)
      return json(response, { id, error: UNSUPPORTED }, 400);
    if (method !== 'server/discover') return rest(asked, response, arrived);
    const result = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    };
    return json(response, { id, result });
  };
}

/** A server that speaks only the legacy era, with sessions. */
function legacyServer(
  rest: (asked: Asked, response: ServerResponse, arrived: Arrived) => void = ({ id }, response) =>
    json(response, { id, result: { content: [] } }),
): RouteOptions['answer'] {
  return (arrived, response) => {
    const asked = askedOf(arrived);
    const { id, method } = asked;
    if (arrived.method === 'DELETE') return void response.writeHead(204).end();
    if (arrived.method === 'GET') return void response.writeHead(405).end();
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
      return json(response, { id, result }, 200, { 'mcp-session-id': 'one' });
    }
    if (arrived.headers['mcp-session-id'] !== 'one') return json(response, { id: null, error: UNKNOWN }, 400);
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    return rest(asked, response, arrived);
  };
}

/** Begins a session, and returns what its later requests bring. */
async function begin(route: RunningRoute, headers: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const greeted = await route.post(GREETING, headers);
  expect(await greeted.json()).toMatchObject({ id: 0, result: { protocolVersion: '2025-06-18' } });
  const session = {
    ...headers,
    'mcp-session-id': greeted.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-06-18',
  };
  expect((await route.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status).toBe(202);
  return session;
}

const MODERN = { 'mcp-protocol-version': '2026-07-28' };

describe('a client of the legacy era with a server of the modern one', () => {
  it('gets a session, in which each call is decided, and which ends for good', async () => {
    const route = await run(modernServer());
    const session = await begin(route);
    expect(session['mcp-session-id']).toMatch(/^clawai-/);
    const answered = await route.post(request(1, 'tools/call', { name: 'read' }), session);
    expect(await answered.json()).toMatchObject({ id: 1, result: { content: [] } });
    const denied = await route.post(request(2, 'tools/call', { name: 'shell' }), session);
    expect(await denied.json()).toMatchObject({ id: 2, result: { isError: true } });
    expect(route.arrived.filter(({ body }) => body.includes('shell'))).toEqual([]);
    expect((await fetch(route.url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await route.post(request(3, 'tools/list'), session)).status).toBe(404);
    // As after a restart.
    const before = session['mcp-session-id']?.slice(0, -4);
    expect((await route.post(request(3, 'tools/list'), { 'mcp-session-id': `${before}AAAA` })).status).toBe(404);
    expect(route.arrived.filter(({ body }) => body.includes('"id":3'))).toEqual([]);
  });

  it("may have a session of another clawai's, which its server is", async () => {
    const answer = legacyServer();
    const route = await run((arrived, response) => {
      response.setHeader('mcp-session-id', 'clawai-AAAAAAAA-other');
      answer(arrived.body.includes('"initialize"') ? arrived : { ...arrived, headers: { 'mcp-session-id': 'one' } }, response);
    });
    const listed = await route.post(request(1, 'tools/list'), { 'mcp-session-id': 'clawai-AAAAAAAA-other' });
    expect(await listed.json()).toMatchObject({ id: 1, result: { content: [] } });
  });

  it('may send several requests at once, as in 2025-03-26, and gets one answer to all', async () => {
    const route = await run(modernServer());
    const session = { ...(await begin(route)), 'mcp-protocol-version': '2025-03-26' };
    const calls = ['read', 'shell', 'write'].map((name, at) => request(at + 1, 'tools/call', { name }));
    const text = await (await route.post(calls, session)).text();
    const answers = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? (JSON.parse(line.slice(6)) as Json[]) : []));
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
    expect(answers.find(({ id }) => id === 2)).toMatchObject({ result: { isError: true } });
    expect(route.arrived.filter(({ body }) => body.includes('shell'))).toEqual([]);
  });

  it('gets a long answer as fast as it reads it', async () => {
    const long = 'x'.repeat(900_000);
    let sent = 0;
    const route = await run(
      modernServer(async ({ id }, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let count = 0; count < 40; count++) {
          const params = { level: 'info', data: long };
          const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
          if (!response.write(`data: ${line}\n\n`)) await new Promise((resolve) => response.once('drain', resolve));
          sent++;
        }
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n\n`);
      }),
    );
    const session = await begin(route);
    const answer = await route.post(request(1, 'tools/list'), session);
    await pause(1000);
    expect(sent).toBeLessThan(40);
    const text = await answer.text();
    expect(text.split('notifications/message')).toHaveLength(41);
    expect(text).toMatch(/"id":1,"result":\{\}/);
  });

  it('sends its own headers with each request, as they are at the time, and the query', async () => {
    const route = await run(modernServer());
    const session = await begin(route, { authorization: 'Bearer old', 'x-team': 'a' });
    await route.post(request(1, 'tools/list'), { ...session, authorization: 'Bearer new' });
    const sent = route.arrived.map(({ headers }) => headers['authorization']);
    expect(sent.at(-1)).toBe('Bearer new');
    expect(new Set(sent.slice(0, -1))).toEqual(new Set(['Bearer old']));
    expect(new Set(route.arrived.map(({ headers }) => headers['x-team']))).toEqual(new Set(['a']));
    expect(route.arrived.map(({ headers }) => headers['mcp-session-id']).filter((id) => id !== undefined)).toEqual([]);
    expect(route.arrived.at(-1)?.headers).toMatchObject({ 'mcp-method': 'tools/list', 'mcp-protocol-version': '2026-07-28' });
  });

  it('hears by its stream what answers nothing, also what came before it listened', async () => {
    const news = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    let say = (): void => {};
    const answer = modernServer(({ id, method }, response) => {
      if (method !== 'subscriptions/listen') return json(response, { id, result: {} });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const meta = { 'io.modelcontextprotocol/subscriptionId': id };
      say = () => void response.write(`data: ${JSON.stringify({ ...news, params: { _meta: meta } })}\n\n`);
      say();
    });
    const route = await run((arrived, response) => {
      if (!arrived.body.includes('server/discover')) return answer(arrived, response);
      const result = { supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } };
      return json(response, { id: askedOf(arrived).id, result });
    });
    const session = await begin(route);
    await until('the subscription', () => methodsOf(route).includes('subscriptions/listen'));
    const stream = await fetch(route.url, { headers: { ...session, accept: 'text/event-stream' } });
    let heard = '';
    void (async () => {
      for await (const chunk of stream.body ?? []) heard += Buffer.from(chunk).toString();
    })().catch(() => {});
    await until('the early news', () => heard.split('list_changed').length === 2);
    say();
    await until('the other news', () => heard.split('list_changed').length === 3);
    expect(methodsOf(route)).not.toContain('GET');
  });

  it.each([
    ['refuses in a body of HTTP 200', 200],
    ['does not know the method', 404],
    ['takes no such request', 405],
  ])('is translated for by a server that %s', async (_what, status) => {
    const answer = modernServer();
    const route = await run((arrived, response) =>
      arrived.body.includes('"initialize"') ? json(response, { id: 0, error: UNKNOWN }, status) : answer(arrived, response),
    );
    expect((await begin(route))['mcp-session-id']).toMatch(/^clawai-/);
  });

  it('asks no server anything that has only HTTP+SSE', async () => {
    const route = await run((_arrived, response) => void response.writeHead(405).end('Cannot POST'));
    expect((await route.post(GREETING)).status).toBe(405);
    expect(methodsOf(route)).toEqual(['initialize']);
  });

  it.each<[string, RouteOptions['answer']]>([
    ['with nothing of the kind', (arrived, response) => json(response, { id: askedOf(arrived).id, result: { a: 1 } })],
    ['with text', (_arrived, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    [
      'with versions that are none',
      (arrived, response) => json(response, { id: askedOf(arrived).id, result: { supportedVersions: 7 } }),
    ],
    [
      'for another request',
      (_arrived, response) => json(response, { id: 'other', result: { supportedVersions: ['2026-07-28'] } }),
    ],
    ['never', (_arrived, response) => void response.destroy()],
  ])('gets the words of a server that answers discover %s', async (what, discover) => {
    const route = await run((arrived, response) =>
      arrived.body.includes('server/discover') ? discover(arrived, response) : json(response, { id: 0, error: UNSUPPORTED }, 400),
    );
    const answer = await route.post(GREETING);
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 400,
      body: { jsonrpc: '2.0', id: 0, error: UNSUPPORTED },
    });
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    if (what.includes('none') || what.includes('nothing'))
      expect(route.warnings).toEqual(['files refuses a client, and it answers server/discover with something else']);
  });

  it('gets an error from a server that names the modern revision in its answer to initialize', async () => {
    const route = await run((arrived, response) =>
      json(response, { id: askedOf(arrived).id, result: { protocolVersion: '2026-07-28', capabilities: {} } }),
    );
    const answer = await route.post(GREETING);
    expect(await answer.json()).toMatchObject({
      id: 0,
      error: { message: 'clawai refused the answer to initialize: it names MCP "2026-07-28", which has no sessions' },
    });
  });

  it('whose server is older now than when its session began hears so, and its next session needs no translation', async () => {
    let answer = modernServer();
    const route = await run((arrived, response) => answer(arrived, response));
    const session = await begin(route);
    answer = legacyServer();
    const refused = await route.post(request(1, 'tools/call', { name: 'read' }), session);
    expect(await refused.json()).toMatchObject({ id: 1, error: { message: 'files did not take it (HTTP 400)' } });
    const greeted = await route.post(GREETING);
    expect(greeted.headers.get('mcp-session-id')).toBe('one');
  });

  it('whose server is newer now than when its session began hears so, and its next session is translated', async () => {
    let answer = legacyServer();
    const route = await run((arrived, response) => answer(arrived, response));
    expect((await route.post(GREETING)).headers.get('mcp-session-id')).toBe('one');
    answer = modernServer();
    const refused = await route.post(request(1, 'tools/call', { name: 'read' }), { 'mcp-session-id': 'one' });
    expect(await refused.json()).toMatchObject({ id: 1, error: UNSUPPORTED });
    await begin(route);
  });

  it('whose server knows only a later revision by now loses its session', async () => {
    let isLater = false;
    const route = await run(
      modernServer(({ id }, response) =>
        isLater
          ? json(response, { id, error: { ...UNSUPPORTED, data: { supported: ['2031-01-01'] } } }, 400)
          : json(response, { id, result: {} }),
      ),
    );
    const session = await begin(route);
    isLater = true;
    expect(await (await route.post(request(1, 'tools/list'), session)).json()).toMatchObject({ error: { code: -32022 } });
    expect((await route.post(request(2, 'tools/list'), session)).status).toBe(404);
    expect(route.warnings.join('')).toContain('files speaks another revision of MCP than before');
  });

  it('that nobody uses for an hour has its session ended', async () => {
    let time = 0;
    const route = await run(modernServer(), { now: () => time });
    const session = await begin(route);
    time += 61 * 60 * 1000;
    await begin(route);
    expect((await route.post(request(1, 'tools/list'), session)).status).toBe(404);
  });

  it('may leave before its answer, and later answers go nowhere', async () => {
    const waiting: (() => void)[] = [];
    const route = await run(modernServer(({ id }, response) => void waiting.push(() => json(response, { id, result: {} }))));
    const session = await begin(route);
    const leaving = new AbortController();
    const left = fetch(route.url, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', ...session },
      body: JSON.stringify(request(1, 'tools/list')),
    });
    await until('the first request', () => waiting.length === 1);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    const next = route.post(request(2, 'tools/list'), session);
    await until('the second request', () => waiting.length === 2);
    for (const answer of waiting) answer();
    expect(await (await next).json()).toMatchObject({ id: 2 });
  });
});

describe('clients of the modern era with a server of the legacy one', () => {
  const more = { isModernOnly: true };

  it('share one session, whatever ids they use, and get each their own answers and progress', async () => {
    const waiting: (() => void)[] = [];
    const route = await run(
      legacyServer(({ id, params }, response) => {
        waiting.push(() => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const progress = { progressToken: params?.['_meta']?.['progressToken'], progress: 1, message: params?.['name'] };
          response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: progress })}\n\n`);
          const content = [{ type: 'text', text: params?.['name'] }];
          response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content } })}\n\n`);
        });
      }),
      more,
    );
    const call = async (name: string): Promise<readonly unknown[]> => {
      const answer = await route.post(modern(1, 'tools/call', { name }, { progressToken: 1 }), MODERN);
      const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '));
      return lines.map((line) => JSON.parse(line.slice(6)) as unknown);
    };
    const calls = ['a', 'b'].map(call);
    await until('both calls', () => waiting.length === 2);
    for (const answer of waiting.toReversed()) answer();
    const [a, b] = await Promise.all(calls);
    for (const [got, name] of [[a, 'a'] as const, [b, 'b'] as const]) {
      expect(got).toMatchObject([
        { method: 'notifications/progress', params: { progressToken: 1, message: name } },
        { id: 1, result: { resultType: 'complete', content: [{ text: name }] } },
      ]);
    }
    expect(methodsOf(route).filter((method) => method === 'initialize')).toHaveLength(1);
  });

  it('whom the server could tell apart have a session each', async () => {
    const route = await run(legacyServer(), more);
    const headers = [MODERN, { ...MODERN, authorization: 'Bearer a' }, { ...MODERN, authorization: 'Bearer b' }];
    for (const own of [...headers, ...headers])
      await route.post(modern(1, 'tools/list'), { ...own, traceparent: `${Math.random()}` });
    const greetings = route.arrived.filter(({ body }) => body.includes('"initialize"'));
    expect(greetings.map(({ headers: sent }) => sent['authorization'])).toEqual([undefined, 'Bearer a', 'Bearer b']);
    const lists = route.arrived.filter(({ body }) => body.includes('tools/list'));
    expect(lists.map(({ headers: sent }) => sent['authorization'])).toEqual([
      undefined,
      'Bearer a',
      'Bearer b',
      undefined,
      'Bearer a',
      'Bearer b',
    ]);
  });

  it('have their calls decided, and cancelled when they leave', async () => {
    const route = await run(
      legacyServer(({ id, params }, response) => {
        if (params?.['name'] !== 'hang') json(response, { id, result: { content: [] } });
      }),
      more,
    );
    const denied = await route.post(modern(1, 'tools/call', { name: 'shell' }), MODERN);
    expect(await denied.json()).toMatchObject({ id: 1, result: { isError: true, resultType: 'complete' } });
    const leaving = new AbortController();
    const left = fetch(route.url, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', ...MODERN },
      body: JSON.stringify(modern(1, 'tools/call', { name: 'hang' })),
    });
    const hanging = (): Arrived | undefined => route.arrived.find(({ body }) => body.includes('"hang"'));
    await until('the call', () => hanging() !== undefined);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    const { id } = askedOf(hanging() as Arrived);
    const isCancelled = ({ body }: Arrived): boolean => body.includes('notifications/cancelled') && body.includes(String(id));
    await until('its end', () => route.arrived.some(isCancelled));
    expect(route.arrived.filter(({ body }) => body.includes('shell'))).toEqual([]);
  });

  it('hear of changes by their own subscriptions', async () => {
    let say = (): void => {};
    const route = await run((arrived, response) => {
      if (arrived.method !== 'GET') return legacyServer()(arrived, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      say = () => void response.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
      return undefined;
    }, more);
    const listen = async (): Promise<() => string> => {
      const answer = await route.post(modern(7, 'subscriptions/listen', { notifications: { toolsListChanged: true } }), MODERN);
      let heard = '';
      void (async () => {
        for await (const chunk of answer.body ?? []) heard += Buffer.from(chunk).toString();
      })().catch(() => {});
      await until('the acknowledgement', () => heard.includes('acknowledged'));
      return () => heard;
    };
    const both = [await listen(), await listen()];
    await until('the stream', () => route.arrived.some(({ method }) => method === 'GET'));
    say();
    for (const heard of both) {
      await until('the news', () => heard().includes('list_changed'));
      expect(heard().match(/"io.modelcontextprotocol\/subscriptionId":7/g)).toHaveLength(2);
    }
  });

  it('need no translation without the switch, or if the server speaks their era', async () => {
    const plain = await run(legacyServer());
    expect((await plain.post(modern(1, 'tools/list'), MODERN)).status).toBe(400);
    expect(methodsOf(plain)).toEqual(['tools/list']);
    const alike = await run(modernServer(), more);
    for (let count = 0; count < 3; count++) expect((await alike.post(modern(1, 'tools/list'), MODERN)).status).toBe(200);
    expect(methodsOf(alike)).toEqual(['server/discover', 'tools/list', 'tools/list', 'tools/list']);
    expect(alike.arrived.at(-1)?.body).toBe(JSON.stringify(modern(1, 'tools/list')));
  });

  it('leave clients of the legacy era alone', async () => {
    const route = await run(legacyServer(), more);
    const greeted = await route.post(GREETING);
    expect(greeted.headers.get('mcp-session-id')).toBe('one');
    const listed = await route.post(request(1, 'tools/list'), { 'mcp-session-id': 'one' });
    expect(await listed.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [] } });
    expect(methodsOf(route)).toEqual(['initialize', 'tools/list']);
  });

  it('whose server changes its era are answered by the new one soon', async () => {
    let answer = legacyServer();
    let time = 0;
    const route = await run((arrived, response) => answer(arrived, response), { ...more, now: () => time });
    const list = async (): Promise<unknown> => (await route.post(modern(1, 'tools/list'), MODERN)).json();
    expect(await list()).toMatchObject({ result: { resultType: 'complete' } });
    answer = modernServer();
    expect(await list()).toMatchObject({ id: 1, error: { code: -32022 } });
    expect(await list()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    answer = legacyServer();
    time += 61_000;
    expect(await list()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  });

  it('get the words of a server that answers initialize with the modern revision', async () => {
    const route = await run((arrived, response) => {
      const { id, method } = askedOf(arrived);
      if (method === 'initialize') return json(response, { id, result: { protocolVersion: '2026-07-28', capabilities: {} } });
      return json(response, { id, error: UNKNOWN }, 404);
    }, more);
    const answer = await route.post(modern(1, 'tools/list'), MODERN);
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 404, body: { id: 1, error: UNKNOWN } });
    expect(route.warnings).toEqual([
      'files refuses a client, and it answers initialize with MCP 2026-07-28, which has no sessions',
    ]);
  });
});
