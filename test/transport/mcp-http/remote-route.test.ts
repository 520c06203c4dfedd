import { request as sendRequest, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/gate/ports/approval-port.ts';
import { type Arrived, runRoute, type RouteOptions, type RunningRoute } from '../../support/remote-route.ts';

const POLICY = `
[[rule]]
action = "deny"
tool = "shell"

[[rule]]
action = "prompt"
tool = "ask"

[[rule]]
action = "deny"
method = "elicitation/create"

[defaults]
action = "allow"
`;

const running: RunningRoute[] = [];

async function run(answer: RouteOptions['answer'], more: Partial<RouteOptions> = {}): Promise<RunningRoute> {
  const route = await runRoute({ policy: POLICY, answer, ...more });
  running.push(route);
  return route;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((route) => route.close()));
});

const ping = (id: unknown = 1): unknown => ({ jsonrpc: '2.0', id, method: 'ping' });
const call = (name: string, id: unknown = 1): unknown => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const done = (id: unknown = 1): unknown => ({ jsonrpc: '2.0', id, result: {} });
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

function json(response: ServerResponse, message: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(message));
}

/** A server that greets with a session and answers everything else with an empty result. */
function serve({ body }: Arrived, response: ServerResponse): void {
  const { id, method } = JSON.parse(body === '' ? '{}' : body) as { id?: unknown; method?: string };
  if (method === 'initialize') {
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
    json(response, { jsonrpc: '2.0', id, result }, 200, { 'mcp-session-id': 'one' });
  } else if (id === undefined || method === undefined) response.writeHead(202).end();
  else json(response, done(id));
}

describe('a request', () => {
  it('that may go on arrives as it is, with the query of both URLs, and its answer comes back', async () => {
    const { url, arrived } = await run(serve, { path: '/mcp?key=k' });
    const response = await fetch(`${url}?a=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ping()),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(done());
    expect(arrived).toMatchObject([{ url: '/mcp?key=k&a=1', body: JSON.stringify(ping()) }]);
  });

  it('that is denied never arrives, and is answered with status 200', async () => {
    const { post, arrived } = await run(serve);
    const response = await post(call('shell'));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 1, result: { isError: true } });
    expect(arrived).toEqual([]);
  });

  it('whose headers say something else never arrives, and is told so by its id', async () => {
    const { post, arrived } = await run(serve);
    const response = await post(call('read', 'x'), { 'mcp-method': 'tools/call', 'mcp-name': 'shell' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 'x', error: { code: -32020 } });
    expect(arrived).toEqual([]);
  });

  it.each([
    ['nonsense', 400],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400],
    ['\uFEFF{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shell"}}', 200],
  ])('%j is none that arrives', async (text, status) => {
    const { post, arrived } = await run(serve);
    expect((await post(text, { 'mcp-protocol-version': '2025-11-25' })).status).toBe(status);
    expect(arrived).toEqual([]);
  });

  it.each(['text/plain', 'application/jsonp', ''])('of the type %j is not read', async (type) => {
    const { post, arrived } = await run(serve);
    expect((await post(ping(), { 'content-type': type })).status).toBe(415);
    expect(arrived).toEqual([]);
  });

  it('a batch in the revision that has them: what is denied is left out, and answered along with the rest', async () => {
    const { post, arrived } = await run(({ body }, response) =>
      json(
        response,
        (JSON.parse(body) as { id: unknown }[]).map(({ id }) => done(id)),
      ),
    );
    const response = await post([ping(1), call('shell', 2), ping(3)], { 'mcp-protocol-version': '2025-03-26' });
    const answers = (await response.json()) as { id: number }[];
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([done(1), { id: 2, result: { isError: true } }, done(3)]);
    expect(JSON.parse(arrived[0]?.body ?? '')).toEqual([ping(1), ping(3)]);
  });

  it('that a person is asked about waits; and the next one without a session is asked about, too', async () => {
    const asked: ((approval: Approval) => void)[] = [];
    const ask = (): Promise<Approval> => new Promise((answer) => asked.push(answer));
    const { post, arrived } = await run(serve, { ports: { approver: { ask } } });
    for (const index of [0, 1]) {
      const response = post(call('ask'));
      for (let tries = 0; asked.length === index && tries < 100; tries++) await setTimeout(10);
      expect(arrived).toHaveLength(index);
      asked[index]?.('granted');
      expect(await (await response).json()).toEqual(done());
    }
  });

  it('whose client leaves while a person is asked never arrives', async () => {
    const withdrawn = Promise.withResolvers<void>();
    const ask = (_call: unknown, _decision: unknown, signal: AbortSignal): Promise<Approval> =>
      new Promise((answer) => {
        signal.addEventListener('abort', () => {
          answer('withdrawn');
          withdrawn.resolve();
        });
        isAsked.resolve();
      });
    const isAsked = Promise.withResolvers<void>();
    const { url, arrived } = await run(serve, { ports: { approver: { ask } } });
    const client = sendRequest(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
    client.on('error', () => {});
    client.end(JSON.stringify(call('ask')));
    await isAsked.promise;
    client.destroy();
    await withdrawn.promise;
    await setTimeout(20);
    expect(arrived).toEqual([]);
  });
});

describe('what the server answers instead of an answer', () => {
  it.each<readonly [string, (response: ServerResponse) => void, number]>([
    ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>{"jsonrpc":"2.0"}'), 502],
    ['nothing', (response) => response.writeHead(202).end(), 502],
    ['nothing, as JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(), 502],
    ['what is no JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('hello'), 502],
    ['the answer to another', (response) => json(response, done(99)), 502],
    [
      'two types',
      (response) =>
        response.writeHead(200, ['Content-Type', 'text/html', 'Content-Type', 'application/json']).end(JSON.stringify(done())),
      502,
    ],
    ['no connection', (response) => response.destroy(), 502],
    ['the way to another server', (response) => response.writeHead(307, { location: 'http://elsewhere.example/' }).end(), 502],
  ])('%s: the request is answered by its id, and may be made again', async (_name, answer, status) => {
    const { post } = await run((_arrived, response) => answer(response));
    const headers = { 'mcp-session-id': 'one' };
    for (const _ of [1, 2]) {
      const response = await post(ping(), headers);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32603 } });
    }
  });

  it('too much: the request is answered by its id', async () => {
    const { post } = await run((_arrived, response) => json(response, { ...(done() as object), x: 'y'.repeat(5000) }), {
      limits: { message: 4000, frame: 4000 },
    });
    expect(await (await post(ping())).json()).toMatchObject({ id: 1, error: {} });
  });

  it('an error of the message keeps its status, and is of the request', async () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no such method' } };
    const { post } = await run((_arrived, response) => json(response, error, 404));
    for (const headers of [{}, { 'mcp-session-id': 'one' }]) {
      const response = await post(ping(), headers);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual(error);
    }
  });

  it('an error of no message keeps its status and its body: the session is unknown', async () => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } };
    const { post, route } = await run((_arrived, response) => json(response, error, 404));
    const response = await post(ping(), { 'mcp-session-id': 'one' });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(error);
    expect(route.parts.gates.sessions).toBe(0);
  });

  it.each([
    ['application/json', '{"error":"invalid_token"}'],
    ['text/html', '<h1>Log in</h1>'],
    ['text/plain', ''],
    ['application/problem+json', '{"title":"no"}'],
  ])('an error of type %s that is no message passes as it is, with what it says of a login', async (type, body) => {
    const { post } = await run((_arrived, response) =>
      response
        .writeHead(401, { 'content-type': type, 'www-authenticate': 'Bearer resource_metadata="https://x.example"' })
        .end(body),
    );
    for (const _ of [1, 2]) {
      const response = await post(ping(), { 'mcp-session-id': 'one' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('x.example');
      expect(await response.text()).toBe(body);
    }
  });

  const asking = { jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: { message: 'Password?' } };
  it.each<readonly [string, string]>([
    ['application/json', JSON.stringify(asking)],
    ['application/problem+json', JSON.stringify(asking)],
    ['application/json', JSON.stringify(asking).replace('"jsonrpc"', '"\\u006asonrpc"')],
    ['application/json', JSON.stringify(asking).replace('"jsonrpc":"2.0",', '')],
    ['application/json', `\uFEFF${JSON.stringify(asking)}`],
    ['text/event-stream', `data: ${JSON.stringify(asking)}\n\n`],
  ])('an error of type %s does not carry what is denied: %s', async (type, body) => {
    const { post, url } = await run((_arrived, response) => response.writeHead(403, { 'content-type': type }).end(body));
    const answers = [await post(ping()), await fetch(url), await fetch(url, { method: 'DELETE' })];
    for (const response of answers) {
      expect(response.status).toBe(403);
      expect(await response.text()).not.toContain('Password');
    }
  });

  it('a good answer to DELETE has no body', async () => {
    const { url } = await run((_arrived, response) => json(response, asking));
    const response = await fetch(url, { method: 'DELETE' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it('a good answer to GET that is no stream does not pass', async () => {
    const { url } = await run((_arrived, response) => json(response, asking));
    const response = await fetch(url);
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain('Password');
  });

  it.each([200, 202, 204])('an empty answer of status %i to a notification is one', async (status) => {
    const { post } = await run((_arrived, response) => {
      response.writeHead(status, { 'transfer-encoding': 'chunked' });
      response.end();
    });
    const response = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
  });
});

describe('sessions', () => {
  const headers = { 'mcp-session-id': 'one' };

  it('begin with the greeting, and end with DELETE or when the server does not know them', async () => {
    const { post, url, route } = await run(serve);
    await (await post(initialize)).json();
    expect(route.parts.gates.sessions).toBe(1);
    await (await post(ping(), headers)).json();
    expect(route.parts.gates.sessions).toBe(1);
    await fetch(url, { method: 'DELETE', headers });
    expect(route.parts.gates.sessions).toBe(0);
  });

  it('a request of the server that comes on a stream is answered in its session', async () => {
    const question = { jsonrpc: '2.0', id: 's1', method: 'roots/list' };
    const { post, arrived } = await run((one, response) => {
      if (!one.body.includes('tools/call')) return serve(one, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: 1\ndata: ${JSON.stringify(question)}\n\ndata: ${JSON.stringify(done(1))}\n\n`);
    });
    await (await post(initialize)).json();
    expect(await (await post(call('read'), headers)).text()).toContain('roots/list');
    const answer = { jsonrpc: '2.0', id: 's1', result: { roots: [] } };
    expect((await post(answer, headers)).status).toBe(202);
    expect(arrived.at(-1)?.body).toBe(JSON.stringify(answer));
  });

  it('a request of the server that is denied is answered to it, where the client asks and in its session', async () => {
    const question = { jsonrpc: '2.0', id: 's1', method: 'elicitation/create', params: { message: 'Password?' } };
    const { post, arrived } = await run(
      (one, response) => {
        if (!one.body.includes('tools/call')) return serve(one, response);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify(question)}\n\ndata: ${JSON.stringify(done(1))}\n\n`);
      },
      { path: '/mcp?key=k' },
    );
    await (await post(initialize)).json();
    expect(await (await post(call('read'), headers)).text()).toBe(`data: ${JSON.stringify(done(1))}\n\n`);
    for (let tries = 0; arrived.length < 3 && tries < 100; tries++) await setTimeout(10);
    expect(arrived[2]).toMatchObject({ url: '/mcp?key=k', headers });
    expect(JSON.parse(arrived[2]?.body ?? '')).toMatchObject({ id: 's1' });
  });

  it('one client may make requests with the same ids at the same time, where there are no sessions', async () => {
    const waiting: (() => void)[] = [];
    const { post } = await run(({ body }, response) => {
      waiting.push(() => json(response, { jsonrpc: '2.0', id: 1, result: { of: body.length } }));
      if (waiting.length === 2) for (const answer of waiting) answer();
    });
    const texts = ['read', 'read_more'].map((name) => JSON.stringify(call(name)));
    const answers = await Promise.all(texts.map(async (text) => (await post(text)).json()));
    expect(answers).toEqual(texts.map((text) => ({ jsonrpc: '2.0', id: 1, result: { of: text.length } })));
  });
});

it('a stream is open while it is, and is counted', async () => {
  const { url, route } = await run((_arrived, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\n');
  });
  const leaving = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: leaving.signal });
  expect(route.parts.counters.streams).toBe(1);
  await response.body?.getReader().read();
  leaving.abort();
  for (let tries = 0; route.parts.counters.streams > 0 && tries < 100; tries++) await setTimeout(10);
  expect(route.parts.counters).toMatchObject({ streams: 0, requests: 1 });
});

it.each(['PUT', 'PATCH', 'OPTIONS'])('%s is not part of it', async (method) => {
  const { url, arrived } = await run(serve);
  expect((await fetch(url, { method })).status).toBe(405);
  expect(arrived).toEqual([]);
});

it('a GET with a body is not carried on', async () => {
  const { url, arrived } = await run(serve);
  const status = await new Promise((resolve, reject) => {
    const request = sendRequest(url, { method: 'GET', headers: { 'content-length': 2 } });
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    request.end('{}');
  });
  expect(status).toBe(400);
  expect(arrived).toEqual([]);
});
