// What clients may send to clawai serve, and what of it reaches the server.
import { request as sendRequest } from 'node:http';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { callOf, JSON_HEADERS, post, said } from '../support/post.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';
import { answerOk, sendJson } from '../support/scripted-server.ts';
import { useScripted } from '../support/use-scripted.ts';

const POLICY = `
[defaults]
action = "allow"
[[rule]]
id = "no-evil"
action = "deny"
tool = "evil"
`;

const scripted = useScripted({ policy: POLICY });
beforeEach(() => {
  scripted.current.server.seen.length = 0;
  scripted.current.server.script = answerOk;
});

describe('a request', () => {
  it('reaches the server as it was sent, with its query and headers, and the answer the client', async () => {
    const text =
      '{ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"n": 1.0, "text": "\\u00e9"}} }';
    const answer = await post(`${scripted.current.url}?a=1&b=%20`, text, {
      authorization: 'Bearer of-the-user',
      'mcp-session-id': 'one',
    });
    expect(answer.status).toBe(200);
    expect(said(answer)).toBe('é');
    const [seen] = scripted.current.server.seen;
    expect(seen).toMatchObject({ method: 'POST', url: '/mcp?a=1&b=%20', text });
    expect(seen?.headers).toMatchObject({
      host: new URL(scripted.current.server.url).host,
      authorization: 'Bearer of-the-user',
      'mcp-session-id': 'one',
    });
  });

  it.each([
    ['HEAD', 405],
    ['OPTIONS', 405],
    ['PUT', 405],
    ['PATCH', 405],
  ])('hazard 49: %s is none of MCP and reaches nobody', async (method, status) => {
    const answer = await fetch(scripted.current.url, { method, ...(method.startsWith('P') ? { body: '{}' } : {}) });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('allow')).toBe('GET, POST, DELETE');
    expect(scripted.current.server.seen).toEqual([]);
  });

  it('hazard 49: one of another site is refused, whatever it asks for', async () => {
    const host = new URL(scripted.current.serving.origin).host;
    const body = JSON.stringify(callOf(1));
    const lines = (...more: readonly string[]): string =>
      head(
        `POST ${new URL(scripted.current.url).pathname} HTTP/1.1`,
        'content-type: application/json',
        `content-length: ${body.length}`,
        ...more,
      );
    for (const more of [
      [`host: evil.example:${new URL(scripted.current.url).port}`],
      [`host: ${host}`, 'origin: https://evil.example'],
      [`host: ${host}`, 'origin: null'],
    ]) {
      expect(statusesIn(await exchange(scripted.current.serving.origin, lines(...more, 'connection: close') + body))).toEqual([
        403,
      ]);
    }
    expect(scripted.current.server.seen).toEqual([]);
    const own = lines(`host: ${host}`, `origin: http://${host}`, 'connection: close');
    expect(statusesIn(await exchange(scripted.current.serving.origin, own + body))).toEqual([200]);
  });
});

describe('a header Mcp-Param-…', () => {
  const SCHEMA = { type: 'object', properties: { at: { type: 'object', properties: { region: { 'x-mcp-header': 'Region' } } } } };
  const COUNTED = { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } };

  it('repeats what the listed schema says that it does; what that does not name passes on', async () => {
    const { server, url } = scripted.current;
    server.script = (request, response) => {
      const { id, method } = request.message;
      const tools = [
        { name: 'query', inputSchema: SCHEMA },
        { name: 'take', inputSchema: COUNTED },
      ];
      if (method === 'tools/list') sendJson(response, { jsonrpc: '2.0', id, result: { tools } });
      else answerOk(request, response);
    };
    const session = { 'mcp-session-id': 'of-params', 'mcp-protocol-version': '2025-11-25' };
    await post(url, { jsonrpc: '2.0', id: 0, method: 'tools/list' }, session);
    const ask = async (id: number, args: unknown, headers: Readonly<Record<string, string>>, name = 'query'): Promise<unknown> =>
      (await post(url, callOf(id, args, name), { ...session, ...headers })).message.error?.code;
    const args = { at: { region: 'eu' }, other: 'us' };
    expect(await ask(1, args, { 'mcp-param-region': 'eu', 'mcp-param-tenant': 'acme' })).toBeUndefined();
    expect(server.seen.at(-1)?.headers).toMatchObject({ 'mcp-param-region': 'eu', 'mcp-param-tenant': 'acme' });
    expect(await ask(2, args, { 'mcp-param-region': 'us' })).toBe(-32020);
    expect(await ask(3, { other: 'eu' }, { 'mcp-param-region': 'eu' })).toBe(-32020);
    // Nobody knows what this one repeats: it was never listed.
    expect(await ask(4, args, { 'mcp-param-region': 'us' }, 'never_listed')).toBeUndefined();
    expect(await ask(5, args, { 'mcp-param-region': 'asia' }, 'never_listed')).toBe(-32020);
    expect(server.reached()).toEqual([0, 1, 4]);
    // A server that reads the header counts one less than the body says.
    const body = JSON.stringify(callOf(6, { count: 'N' }, 'take')).replace('"N"', '9007199254740993');
    const counted = await post(url, body, { ...session, 'mcp-param-count': '9007199254740992' });
    expect(counted.message.error?.code).toBe(-32020);
    expect(await ask(7, { count: 42 }, { 'mcp-param-count': '42.0' }, 'take')).toBeUndefined();
    expect(server.reached()).toEqual([0, 1, 4, 7]);
  });
});

describe('a body', () => {
  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
  ])('of type %s gets %d', async (type, status) => {
    const answer = await post(scripted.current.url, callOf(1), { 'content-type': type });
    expect(answer.status).toBe(status);
    expect(scripted.current.server.seen.length).toBe(status === 200 ? 1 : 0);
  });

  it.each([
    ['no JSON', '{"jsonrpc":"2.0",'],
    ['nothing', ''],
    ['blank', ' \t\r\n'],
    ['a number', '1'],
    ['two messages', `${JSON.stringify(callOf(1))}\n${JSON.stringify(callOf(2, {}, 'evil'))}`],
    [
      'no UTF-8',
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":"\xff"}}}', 'latin1'),
    ],
  ])('that is %s is refused, and reaches nobody', async (_what, body) => {
    const answer = await post(scripted.current.url, body);
    expect(answer.message.error?.code).toBeOneOf([-32600, -32700]);
    expect(scripted.current.server.seen).toEqual([]);
  });

  it.each([
    ['a method twice', '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"evil"}}'],
    ['a tool twice', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","name":"evil"}}'],
    ['a tool in other letters', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","Name":"evil"}}'],
    [
      'a method in other letters',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","METHOD":"tools/call","params":{"name":"evil"}}',
    ],
  ])('hazard 12: that says %s is refused, since parsers differ', async (_what, body) => {
    const answer = await post(scripted.current.url, body);
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(scripted.current.server.seen).toEqual([]);
  });

  it('hazard 18: of 40 MB is refused with an answer, and the next one passes', async () => {
    const answer = await post(scripted.current.url, JSON.stringify(callOf(1, { text: 'x'.repeat(40_000_000) })));
    expect(answer.status).toBe(413);
    expect(answer.message.error?.message).toContain('longer than clawai accepts');
    expect(scripted.current.server.seen).toEqual([]);
    expect((await post(scripted.current.url, callOf(2))).status).toBe(200);
  });

  it('that ends too early reaches nobody', async () => {
    await new Promise<void>((settle) => {
      const request = sendRequest(scripted.current.url, {
        method: 'POST',
        headers: { ...JSON_HEADERS, 'content-length': '1000' },
      });
      request.on('error', () => settle());
      request.on('close', () => settle());
      request.write(JSON.stringify(callOf(1)));
      setTimeout(() => request.destroy(), 100);
    });
    expect((await post(scripted.current.url, callOf(2))).status).toBe(200);
    expect(scripted.current.server.reached()).toEqual([2]);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('in %s is decided as what it stands for, and goes on as that', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding };
    const allowed = JSON.stringify(callOf(1, { text: 'squeezed' }));
    expect(said(await post(scripted.current.url, compress(allowed), headers))).toBe('squeezed');
    expect(scripted.current.server.seen[0]?.text).toBe(allowed);
    expect(scripted.current.server.seen[0]?.headers['content-encoding']).toBeUndefined();
    expect(said(await post(scripted.current.url, compress(JSON.stringify(callOf(2, {}, 'evil'))), headers))).toContain(
      'clawai denied',
    );
    expect((await post(scripted.current.url, Buffer.from('not compressed'), headers)).status).toBe(400);
    expect((await post(scripted.current.url, compress(Buffer.alloc(64 * 1024 * 1024)), headers)).status).toBe(413);
    expect(scripted.current.server.reached()).toEqual([1]);
  });

  it('in an encoding that nobody knows is refused', async () => {
    expect((await post(scripted.current.url, JSON.stringify(callOf(1)), { 'content-encoding': 'rot13' })).status).toBe(415);
    expect(scripted.current.server.seen).toEqual([]);
  });
});

describe('denied', () => {
  it('hazard 50: with a status of 200, which starts no login', async () => {
    const answer = await post(scripted.current.url, callOf('x', {}, 'evil'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.message).toMatchObject({ id: 'x', result: { isError: true } });
    expect(scripted.current.server.seen).toEqual([]);
  });

  it('hazard 15: one element of a batch, and the others pass', async () => {
    scripted.current.server.script = ({ text }, response) => {
      const batch = JSON.parse(text) as { id: unknown }[];
      sendJson(
        response,
        batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `of ${String(id)}` }] } })),
      );
    };
    const answer = await post(scripted.current.url, [callOf(1), callOf(2, {}, 'evil'), callOf(3)], {
      'mcp-protocol-version': '2025-03-26',
    });
    expect(answer.status).toBe(200);
    const answers = JSON.parse(answer.text) as { id: number; result: { isError?: boolean; content: { text: string }[] } }[];
    expect(answers.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect(answers.find(({ id }) => id === 2)?.result.content[0]?.text).toContain('clawai denied the tool call "evil"');
    expect(answers.find(({ id }) => id === 3)?.result.content[0]?.text).toBe('of 3');
    expect((JSON.parse(scripted.current.server.seen[0]?.text ?? '[]') as { id: number }[]).map(({ id }) => id)).toEqual([1, 3]);
  });

  it('hazard 15: a whole batch, in a revision that has none', async () => {
    const answer = await post(scripted.current.url, [callOf(1), callOf(2)], { 'mcp-protocol-version': '2025-11-25' });
    expect(answer.message.error?.code ?? 0).toBe(-32600);
    expect(scripted.current.server.seen).toEqual([]);
  });
});

it('hazard 13: clients without sessions use the same ids at once, and each gets its own answer', async () => {
  // The last that asks is answered first.
  const waiting: (() => void)[] = [];
  scripted.current.server.script = (request, response) => {
    waiting.push(() => answerOk(request, response));
    if (waiting.length === 20) for (const answer of waiting.toReversed()) answer();
  };
  const texts = Array.from({ length: 20 }, (_, index) => `client ${index}`);
  const answers = await Promise.all(texts.map((text) => post(scripted.current.url, callOf(1, { text }))));
  expect(answers.map(said)).toEqual(texts);
});

it('hazard 33: no header of a client chooses its session in the audit', async () => {
  await post(scripted.current.url, callOf('plain'));
  await post(scripted.current.url, callOf('claimed'), {
    'mcp-session-id': 'of-somebody-else',
    'x-clawai-session': 'admin',
    'x-session-id': 'admin',
  });
  const of = (id: string): unknown =>
    scripted.current.sandbox.decided().find((event) => event['jsonrpc_id'] === id)?.['session_id'];
  expect(of('plain')).toBeDefined();
  expect(of('claimed')).toBe(of('plain'));
  expect(scripted.current.server.seen.at(-1)?.headers['x-clawai-session']).toBeUndefined();
});
