import { type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Approval } from '../../../src/gate/ports/approval-port.ts';
import { type Arrived, runRoute, type RouteOptions, type RunningRoute } from '../../support/remote-route.ts';
import { until } from '../../support/until.ts';

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
const streams: Listening[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  await Promise.all(running.splice(0).map((route) => route.close()));
});

/** A server of HTTP+SSE: each stream has a session of its own. */
class SseServer {
  readonly streams: ServerResponse[] = [];
  /** Messages by session, as they came. */
  readonly posted: { readonly session: string; readonly message: Record<string, unknown> }[] = [];
  status = 202;
  /** What the stream begins with, by the number of its session. */
  begin = (session: number): string => `event: endpoint\ndata: /messages?sessionId=${session}&a=%2F&b=\n\n`;

  readonly answer: RouteOptions['answer'] = ({ method, url, body }: Arrived, response) => {
    if (method === 'GET') {
      this.streams.push(response);
      response.on('close', () => (this.closed += 1));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(this.begin(this.streams.length - 1));
      return;
    }
    const session = new URL(url, 'http://h').searchParams.get('sessionId') ?? url;
    this.posted.push({ session, message: JSON.parse(body) as Record<string, unknown> });
    response.writeHead(this.status, { 'content-type': 'text/plain' }).end(this.status < 300 ? 'Accepted' : 'no');
  };
  closed = 0;

  say(session: number, message: unknown): void {
    this.streams[session]?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
}

interface Told {
  readonly event: string | undefined;
  readonly data: string;
}

/** A client's stream. */
class Listening {
  readonly told: Told[] = [];
  isOver = false;
  readonly #leaving = new AbortController();
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
    streams.push(this);
  }

  static async open(url: string): Promise<Listening> {
    const listening = new Listening(url);
    const answer = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: listening.#leaving.signal });
    if (answer.status !== 200) throw new Error(`no stream: ${answer.status}`);
    void listening.#read(answer);
    return listening;
  }

  async #read({ body }: Response): Promise<void> {
    try {
      const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { event, data } of events ?? []) this.told.push({ event, data });
    } catch {
      // It broke, or we have left.
    }
    this.isOver = true;
  }

  leave(): void {
    this.#leaving.abort();
  }

  /** Where messages go, once the stream has said so. */
  async endpoint(): Promise<string> {
    await until('the stream begins', () => this.told.some(({ event }) => event === 'endpoint'));
    return new URL(this.told.findLast(({ event }) => event === 'endpoint')?.data ?? '', this.#url).href;
  }

  async post(message: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const body = JSON.stringify(message);
    return fetch(await this.endpoint(), { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  }

  async message(count = 1): Promise<unknown> {
    const messages = (): Told[] => this.told.filter(({ event }) => event !== 'endpoint');
    await until('a message comes', () => messages().length >= count);
    return JSON.parse(messages()[count - 1]?.data ?? '');
  }
}

async function run(server: SseServer, more: Partial<RouteOptions> = {}): Promise<RunningRoute> {
  const route = await runRoute({ policy: POLICY, answer: server.answer, path: '/sse', ...more });
  running.push(route);
  return route;
}

const call = (name: string, id: unknown = 1): unknown => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const done = (id: unknown = 1): unknown => ({ jsonrpc: '2.0', id, result: { content: [] } });

describe('a session of HTTP+SSE', () => {
  it('gets an address of ours, and messages reach that of the server, with its query as it was', async () => {
    const server = new SseServer();
    const route = await run(server);
    const client = await Listening.open(route.url);
    expect(await client.endpoint()).toMatch(new RegExp(`^${route.url}~/[\\w-]{22}$`));
    const posted = await client.post(call('read'), { authorization: 'Bearer t' });
    expect([posted.status, await posted.text()]).toEqual([202, '']);
    expect(route.arrived.at(-1)).toMatchObject({ url: '/messages?sessionId=0&a=%2F&b=', headers: { authorization: 'Bearer t' } });
    server.say(0, done());
    expect(await client.message()).toEqual(done());
  });

  it('is told of a denial by its stream, and the server hears of nothing', async () => {
    const server = new SseServer();
    const client = await Listening.open((await run(server)).url);
    expect((await client.post(call('shell', 'a'))).status).toBe(202);
    expect(await client.message()).toMatchObject({ id: 'a', result: { isError: true } });
    await client.post(call('read', 'b'));
    server.say(0, done('b'));
    expect(await client.message(2)).toEqual(done('b'));
    expect(server.posted.map(({ message }) => message['id'])).toEqual(['b']);
  });

  it('has a call wait for a person without its POST, and passes it then', async () => {
    const server = new SseServer();
    const answers = Promise.withResolvers<{ approval: Approval }>();
    const client = await Listening.open((await run(server, { ports: { approver: { ask: () => answers.promise } } })).url);
    expect((await client.post(call('ask'))).status).toBe(202);
    expect(server.posted).toEqual([]);
    answers.resolve({ approval: 'granted' });
    await until('it is passed', () => server.posted.length === 1);
    server.say(0, done());
    expect(await client.message()).toEqual(done());
  });

  it('is told if the server cannot be reached after a person has allowed the call', async () => {
    const server = new SseServer();
    const answers = Promise.withResolvers<{ approval: Approval }>();
    const client = await Listening.open((await run(server, { ports: { approver: { ask: () => answers.promise } } })).url);
    await client.post(call('ask'));
    server.status = 500;
    answers.resolve({ approval: 'granted' });
    expect(await client.message()).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('did not take it (HTTP 500)') },
    });
  });

  it('two of one client do not mix, whatever ids they use', async () => {
    const server = new SseServer();
    const { url } = await run(server);
    const one = await Listening.open(url);
    await one.endpoint();
    const two = await Listening.open(url);
    await Promise.all([one.post(call('read')), two.post(call('shell'))]);
    expect(await two.message()).toMatchObject({ id: 1, result: { isError: true } });
    server.say(0, done());
    expect(await one.message()).toEqual(done());
    // What nobody has asked for is no answer.
    server.say(1, done());
    await setTimeout(50);
    expect(two.told.filter(({ event }) => event !== 'endpoint')).toHaveLength(1);
    expect(server.posted.map(({ session }) => session)).toEqual(['0']);
  });

  it("answers a denied request of the server's at the server's address", async () => {
    const server = new SseServer();
    const client = await Listening.open((await run(server)).url);
    await client.endpoint();
    server.say(0, { jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: { message: 'who?' } });
    await until('the server is told', () => server.posted.length === 1);
    expect(server.posted[0]).toMatchObject({ session: '0', message: { id: 7, result: { action: 'decline' } } });
    expect(client.told).toHaveLength(1);
  });

  it('is told of all that was not answered when the server ends, and its address is of no use then', async () => {
    const server = new SseServer();
    const client = await Listening.open((await run(server)).url);
    await client.post(call('read', 1));
    await client.post(call('read', 'x'));
    server.streams[0]?.end();
    expect(await client.message(2)).toMatchObject({ id: 'x', error: {} });
    await until('the stream ends', () => client.isOver);
    expect((await client.post(call('read'))).status).toBe(404);
  });

  it('ends at the server when the client leaves', async () => {
    const server = new SseServer();
    const client = await Listening.open((await run(server)).url);
    const endpoint = await client.endpoint();
    client.leave();
    await until('the server sees it', () => server.closed === 1);
    const late = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect([late.status, server.posted]).toEqual([404, []]);
  });

  it('a second address replaces the first', async () => {
    const server = new SseServer();
    const client = await Listening.open((await run(server)).url);
    const first = await client.endpoint();
    server.streams[0]?.write('event: endpoint\ndata: other?sessionId=9\n\n');
    await until('it is told', () => client.told.length === 2);
    const old = await fetch(first, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(old.status).toBe(404);
    await client.post(call('read'));
    expect(server.posted.map(({ session }) => session)).toEqual(['9']);
  });

  it.each([
    ['401 keeps its header', 401],
    ['400', 400],
  ])('the status of the server for a POST passes: %s', async (_what, status) => {
    const server = new SseServer();
    server.status = status;
    const client = await Listening.open((await run(server)).url);
    const posted = await client.post(call('read'));
    expect([posted.status, await posted.text()]).toEqual([status, 'no']);
    // Some clients throw the status away.
    expect(await client.message()).toMatchObject({ id: 1, error: {} });
  });

  it('hazard 49: an address in pieces, with other line ends, is the same', async () => {
    const server = new SseServer();
    server.begin = () => '';
    const { url } = await run(server);
    const client = await Listening.open(url);
    for (const byte of '\uFEFF: hi\r\n\r\nevent:endpoint\r\ndata:messages?sessionId=5\r\n\r\n') {
      server.streams[0]?.write(byte);
      await setTimeout(1);
    }
    await client.post(call('read'));
    expect(server.posted.map(({ session }) => session)).toEqual(['5']);
  });
});

describe('an address that a server announces', () => {
  it.each([
    'http://elsewhere.example/m',
    '//elsewhere.example/m',
    'http://127.0.0.1:9/m',
    'https://127.0.0.1/m',
    'http://me:pw@ORIGIN/m',
    '/m#part',
    'javascript:alert(1)',
    'http://',
    `/${'x'.repeat(8192)}`,
  ])('may not be %.40s: the stream ends, and nothing goes there', async (announced) => {
    const server = new SseServer();
    const route = await run(server);
    server.begin = () => `event: endpoint\ndata: ${announced.replace('ORIGIN', new URL(route.url).host)}\n\n`;
    const client = await Listening.open(route.url);
    await until('the stream ends', () => client.isOver);
    expect(client.told).toEqual([]);
    expect(route.warnings).toEqual(['files announced an address for messages that is not its own, so clawai ended its stream']);
    await until('the server sees it', () => server.closed === 1);
  });

  it('counts from where the stream is after a redirect', async () => {
    const server = new SseServer();
    server.begin = () => 'event: endpoint\ndata: messages?sessionId=3\n\n';
    const route = await run(server, {
      answer: (arrived, response) => {
        if (arrived.url === '/sse') response.writeHead(307, { location: '/deep/sse/' }).end();
        else server.answer(arrived, response);
      },
    });
    const client = await Listening.open(route.url);
    await client.post(call('read'));
    expect(route.arrived.at(-1)?.url).toBe('/deep/sse/messages?sessionId=3');
  });

  it('is dropped in the stream of a session of streamable HTTP, and behind an answer', async () => {
    const server = new SseServer();
    const { url } = await run(server);
    const answer = await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': 's' } });
    server.say(0, { jsonrpc: '2.0', method: 'notifications/message', params: {} });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('notifications/message')) text += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect(text).not.toContain('endpoint');
  });
});

describe('a token', () => {
  it('that nobody was given leads nowhere, and the address takes only POST', async () => {
    const server = new SseServer();
    const { url } = await run(server);
    const client = await Listening.open(url);
    const other = await fetch(`${url}~/AAAAAAAAAAAAAAAAAAAAAA`, { method: 'POST', body: '{}' });
    const got = await fetch(await client.endpoint());
    expect([other.status, got.status, server.posted]).toEqual([404, 405, []]);
  });

  it('takes no message that cannot be judged', async () => {
    const server = new SseServer();
    const { url } = await run(server, { limits: { message: 1000, frame: 1000 } });
    const client = await Listening.open(url);
    const endpoint = await client.endpoint();
    const post = async (body: string, type = 'application/json'): Promise<number> =>
      (await fetch(endpoint, { method: 'POST', headers: { 'content-type': type }, body })).status;
    expect([await post(' '), await post('{}', 'text/plain'), await post('x'.repeat(2000))]).toEqual([400, 415, 413]);
    expect(await post('{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping"}')).toBe(202);
    expect(await client.message()).toMatchObject({ error: {} });
    expect(server.posted).toEqual([]);
  });

  it('a message whose sender leaves before it was passed goes nowhere', async () => {
    const server = new SseServer();
    const client = await Listening.open((await run(server)).url);
    const post = sendRequest(await client.endpoint(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 500 },
    });
    post.on('error', () => {});
    post.on('response', (response: IncomingMessage) => response.resume());
    post.write('{"jsonrpc":"2.0",');
    await setTimeout(30);
    post.destroy();
    await client.post(call('read', 2));
    expect(server.posted.map(({ message }) => message['id'])).toEqual([2]);
  });
});
