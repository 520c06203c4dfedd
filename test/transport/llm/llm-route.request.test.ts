import Anthropic from '@anthropic-ai/sdk';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { accumulateMessage } from '../../support/anthropic-accumulator.ts';
import { callBlock, stream, textBlock } from '../../support/anthropic-events.ts';
import { ALLOW, answerJson, answerStream, denyNative, type RunningLlm, readUntilCut } from '../../support/llm-route.ts';
import { useLlm } from '../../support/use-llm.ts';
import { until } from '../../support/until.ts';

const route = useLlm();
const { run } = route;

const SECRET = '/etc/shadow';
const ASK = { model: 'm', stream: true, messages: [] };
const LS = callBlock('toolu_A', 'Bash', '{"command":"ls"}');
const CAT = callBlock('toolu_B', 'Bash', `{"command":"cat ${SECRET}"}`);
const TEXT = textBlock('so');
const NO_SHADOW = ALLOW + denyNative('Bash', 'args.command = "**shadow**"');
const message = (content: unknown[], stop_reason = 'tool_use') => ({ id: 'msg_1', type: 'message', content, stop_reason });
const streaming = (text: string) => (_asked: unknown, response: ServerResponse) => answerStream(response, text);

const ENCODE = {
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const;

describe('what the provider would run', () => {
  const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
  const SET = { type: 'mcp_toolset', mcp_server_name: 'ex', configs: { drop: { enabled: true }, read: {} } };
  const OLD = { type: 'url', name: 'old', url: 'https://old.org/', tool_configuration: { allowed_tools: ['drop', 'read'] } };
  const request = {
    model: 'm',
    tools: [SEARCH, { name: 'web_search', input_schema: {} }, SET],
    mcp_servers: [
      { type: 'url', name: 'ex', url: 'https://ex.org/' },
      OLD,
      { type: 'url', name: 'gone', url: 'https://gone.org/' },
    ],
  };
  const edited = {
    model: 'm',
    tools: [
      { name: 'web_search', input_schema: {} },
      { ...SET, configs: { drop: { enabled: false }, read: {} } },
    ],
    mcp_servers: [
      { type: 'url', name: 'ex', url: 'https://ex.org/' },
      { ...OLD, tool_configuration: { allowed_tools: ['read'] } },
    ],
  };
  const POLICY = `${ALLOW}${denyNative('web_search')}
[[rule]]\naction = "deny"\nserver = "gone"\ntool = "**"\n[[rule]]\naction = "deny"\nserver = ["ex", "old"]\ntool = "drop"\n`;
  const bodyOf = ({ asked }: RunningLlm): unknown => JSON.parse(asked[0]?.body.toString() ?? '');
  const answering = { policy: POLICY, answer: (_asked: unknown, response: ServerResponse) => answerJson(response, message([])) };

  it.each(['/v1/messages', '/v1/messages/count_tokens'])('and is denied is taken out of the request: %s', async (path) => {
    const llm = await run(answering);
    await (await llm.post(request, {}, path)).text();
    expect(bodyOf(llm)).toEqual(edited);
    expect(llm.asked[0]?.headers['content-length']).toBe(String(llm.asked[0]?.body.length));
  });

  it('and is denied is taken out of every request of a batch', async () => {
    const llm = await run(answering);
    const requests = [
      { custom_id: 'a', params: request },
      { custom_id: 'b', params: { model: 'm' } },
    ];
    await (await llm.post({ requests }, {}, '/v1/messages/batches')).text();
    expect(bodyOf(llm)).toEqual({ requests: [{ custom_id: 'a', params: edited }, requests[1]] });
  });

  it('and is denied is taken out also where the store is taken or fails', async () => {
    const llm = await run({ ...answering, sink: { begin: () => false } });
    await (await llm.post(request)).text();
    expect(bodyOf(llm)).toEqual(edited);
  });

  it.each(Object.keys(ENCODE) as (keyof typeof ENCODE)[])('is found in a request in %s', async (coding) => {
    const llm = await run(answering);
    await (await llm.post(ENCODE[coding](JSON.stringify(request)), { 'content-encoding': coding })).text();
    expect(bodyOf(llm)).toEqual(edited);
    expect(llm.asked[0]?.headers['content-encoding']).toBeUndefined();
  });

  it('and is allowed stays, byte for byte', async () => {
    const llm = await run({ ...answering, policy: ALLOW });
    const text = JSON.stringify(request, undefined, 3);
    await (await llm.post(text)).text();
    expect(llm.asked[0]?.body.toString()).toBe(text);
  });

  it('and did all the same is withheld', async () => {
    const blocks = [
      { start: { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } }, deltas: [] },
      { start: { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [{ title: 'found' }] }, deltas: [] },
    ];
    const { post } = await run({ policy: POLICY, answer: streaming(stream([...blocks, TEXT], 'end_turn')) });
    const text = await (await post(ASK)).text();
    expect(text).not.toContain('found');
    expect(accumulateMessage(text).content.map(({ type }) => type)).toEqual(['text', 'text', 'text']);
  });
});

describe('a request', () => {
  it.each([
    ['no JSON', '{', {}, 400],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400],
    ['tools twice', '{"tools":[],"tools":[]}', {}, 400],
    ['too much', JSON.stringify({ a: 'x'.repeat(1 << 15) }), {}, 413],
    ['another encoding than it says', 'plain', { 'content-encoding': 'gzip' }, 400],
    ['an encoding that is not known', 'plain', { 'content-encoding': 'lzma' }, 415],
  ] as const)('that has %s is refused, and goes nowhere', async (_what, body, headers, status) => {
    const { post, asked } = await run({
      limits: { message: 1 << 14, frame: 1 << 14 },
      answer: (_asked, response) => answerJson(response, {}),
    });
    const answer = await post(body, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(asked).toEqual([]);
  });

  it('goes on with its headers, and leaves none of its keys behind', async () => {
    const { post, asked, records, warnings } = await run({ policy: NO_SHADOW, answer: streaming(stream([CAT, LS])) });
    const headers = { 'x-api-key': 'sk-hush', authorization: 'Bearer hush', 'anthropic-beta': 'a,b', 'x-stainless-os': 'Linux' };
    const text = await (await post(ASK, headers)).text();
    expect(asked[0]?.headers).toMatchObject(headers);
    expect(JSON.stringify([records, warnings, text])).not.toContain('hush');
  });

  it.each([
    ['', '', '/v1/messages', '/v1/messages'],
    ['/base', '', '/v1/messages?beta=true', '/base/v1/messages?beta=true'],
    ['/base', '?key=1', '/v1/messages?beta=true', '/base/v1/messages?key=1&beta=true'],
    ['/base', '?key=1', '/v1/messages', '/base/v1/messages?key=1'],
    ['', '?key=1', '/v1/%6Dessages?', '/v1/%6Dessages?key=1'],
  ])('goes to the base URL %s%s with its own path and query: %s', async (path, query, sent, url) => {
    const { post, asked, records } = await run({ path, query, policy: NO_SHADOW, answer: streaming(stream([CAT])) });
    expect(await (await post(ASK, {}, sent)).text()).not.toContain('toolu_B');
    expect(asked[0]?.url).toBe(url);
    expect(records).toHaveLength(1);
  });

  it('to a provider that is not there is answered', async () => {
    const llm = await run({ answer: (_asked, _response, request) => request.socket.destroy() });
    const answer = await llm.post(ASK);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ error: { type: 'api_error', message: expect.stringMatching(/^clawai: /) } });
    expect(llm.warnings).toHaveLength(1);
    expect(llm.counters.failed).toBe(1);
  });

  it('whose client leaves before the answer is given up', async () => {
    let isCut = false;
    const { url, asked, warnings, counters } = await run({
      answer: (_asked, response) => void response.once('close', () => (isCut = true)),
    });
    const leaving = new AbortController();
    fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify(ASK), signal: leaving.signal }).catch(() => {});
    await until('the provider is asked', () => asked.length === 1);
    leaving.abort();
    await until('the provider is told', () => isCut);
    expect([warnings, counters.failed]).toEqual([[], 0]);
  });
});

describe('any other request', () => {
  it('passes as a stream both ways, with its length and encoding', async () => {
    const sent = Buffer.alloc(5 * 1024 * 1024, 'é~\0');
    const { url, asked } = await run({
      answer: ({ body }, response) =>
        void response
          .writeHead(200, { 'content-type': 'x/y', 'content-encoding': 'odd', 'content-length': body.length })
          .end(body),
    });
    const call = httpRequest(`${url}/v1/files?a=b`, {
      method: 'POST',
      headers: { 'content-length': sent.length, 'content-encoding': 'gzip', 'accept-encoding': 'br' },
    });
    call.end(sent);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
    expect(answer.headers).toMatchObject({ 'content-encoding': 'odd', 'content-length': String(sent.length) });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/v1/files?a=b',
      headers: { 'content-encoding': 'gzip', 'accept-encoding': 'br', 'content-length': String(sent.length) },
    });
    expect(asked[0]?.headers['transfer-encoding']).toBeUndefined();
  });

  it.each(['GET', 'DELETE', 'HEAD'])('without a body passes without one: %s', async (method) => {
    const { url, asked } = await run({ answer: (_asked, response) => answerJson(response, { data: [] }) });
    const answer = await fetch(`${url}/v1/models`, { method });
    expect(await answer.text()).toBe(method === 'HEAD' ? '' : '{"data":[]}');
    expect(asked).toMatchObject([{ method, url: '/v1/models' }]);
    expect(asked[0]?.body).toHaveLength(0);
  });

  it('is answered while it is still being sent', async () => {
    const { url } = await run({
      answer: () => {},
      early: (request, response) => {
        request.once('data', (chunk: Buffer) => response.write(`got ${chunk.toString()}`));
        request.once('end', () => response.end(' and the end'));
      },
    });
    const call = httpRequest(`${url}/v1/files`, { method: 'POST' });
    call.write('a');
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.toString()).toBe('got a');
    call.end('b');
    const [rest] = (await once(answer, 'data')) as [Buffer];
    expect(rest.toString()).toBe(' and the end');
  });

  it('that is cut is cut on the other side', async () => {
    let isCut = false;
    const { url, warnings } = await run({
      answer: () => {},
      early: (request) =>
        void request
          .on('error', () => {})
          .once('close', () => (isCut = true))
          .resume(),
    });
    const call = httpRequest(`${url}/v1/files`, { method: 'POST' }).on('error', () => {});
    call.write('a');
    await setTimeout(50);
    call.destroy();
    await until('the provider is told', () => isCut);
    expect(warnings).toEqual([]);
  });

  it('whose answer breaks off breaks off', async () => {
    const { url } = await run({
      answer: (_asked, response) => void response.writeHead(200).write('abc', () => response.destroy()),
    });
    const { text, isWhole } = await readUntilCut(await fetch(`${url}/v1/models`));
    expect([text, isWhole]).toEqual(['abc', false]);
  });
});

describe('what is told of batches', () => {
  const RESULTS = '/v1/messages/batches/msgbatch_1/results';
  const batch = { id: 'msgbatch_1', results_url: `https://api.anthropic.com${RESULTS}`, n: 1 };

  it("leads the client's library to us for the results", async () => {
    const content = [{ type: 'tool_use', id: 'toolu_B', name: 'Bash', input: { command: `cat ${SECRET}` } }];
    const line = JSON.stringify({ custom_id: 'a', result: { type: 'succeeded', message: { content } } });
    const { url, asked } = await run({
      path: '/base',
      policy: NO_SHADOW,
      answer: (one, response) => (one.url.includes('results') ? void response.end(`${line}\n`) : answerJson(response, batch)),
    });
    const client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 });
    const results: unknown[] = [];
    for await (const result of await client.messages.batches.results('msgbatch_1')) results.push(result);
    expect(results).toMatchObject([{ custom_id: 'a', result: { message: { content: [{ type: 'text' }] } } }]);
    expect(asked.map((one) => one.url)).toEqual(['/base/v1/messages/batches/msgbatch_1', `/base${RESULTS}`]);
  });

  it.each([
    ['GET', '?limit=2', 200],
    ['POST', '', 200],
    ['POST', '/msgbatch_1/cancel', 200],
    ['GET', '/msgbatch_1', 404],
  ])('passes otherwise: %s %s %i', async (method, rest, status) => {
    const { url, asked } = await run({
      answer: (_asked, response) => answerJson(response, { data: [batch], error: null }, status),
    });
    const posting = method === 'POST' ? { body: JSON.stringify({ requests: [] }) } : {};
    const answer = await fetch(`${url}/v1/messages/batches${rest}`, { method, ...posting });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ data: [{ ...batch, results_url: url + RESULTS }], error: null });
    expect(asked).toMatchObject([{ method, url: `/v1/messages/batches${rest}` }]);
  });
});
