import type { ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { setTimeout } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { Rounds } from '../../../src/gate/rounds.ts';
import { anthropicApi } from '../../../src/protocol/llm/anthropic/api.ts';
import { openaiApi } from '../../../src/protocol/llm/openai/api.ts';
import { passLines } from '../../../src/transport/llm/pass-lines.ts';
import { afterEach, expect, it } from 'vitest';
import {
  ALLOW,
  createModelGate,
  denyNative,
  type LlmOptions,
  readUntilCut,
  runLlm,
  type RunningLlm,
} from '../../support/llm-route.ts';
import { until } from '../../support/until.ts';

const RESULTS = '/v1/messages/batches/msgbatch_1/results';
const POLICY = ALLOW + denyNative('Bash', 'args.command = "**shadow**"');

let running: RunningLlm | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function run(answer: LlmOptions['answer'], more: Partial<LlmOptions> = {}): Promise<RunningLlm> {
  running = await runLlm({ policy: POLICY, answer, ...more });
  return running;
}

function line(id: string, command: string): string {
  const content = [{ type: 'tool_use', id: `toolu_${id}`, name: 'Bash', input: { command } }];
  return JSON.stringify({ custom_id: id, result: { type: 'succeeded', message: { content, stop_reason: 'tool_use' } } });
}

const sending =
  (body: string | Buffer, headers = {}) =>
  (_asked: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/x-jsonl', ...headers }).end(body);
const FAILED = '{"custom_id":"c","result":{"type":"errored", "error":{"n":1.0}}}';

it('carries results on, each by itself', async () => {
  const { url, records, transactions } = await run(sending(`${line('a', 'ls')}\n${line('b', 'cat /etc/shadow')}\n${FAILED}\n\n`));
  const answer = await fetch(url + RESULTS);
  expect(answer.headers.get('content-type')).toBe('application/x-jsonl');
  const lines = (await answer.text()).split('\n');
  expect(lines).toHaveLength(5);
  expect([lines[0], lines[2]]).toEqual([line('a', 'ls'), FAILED]);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({
    custom_id: 'b',
    result: { message: { content: [{ type: 'text', text: expect.stringMatching(/^\[clawai blk_/) }], stop_reason: 'end_turn' } },
  });
  expect(records.map(({ decision }) => decision.action)).toEqual(['allow', 'deny']);
  expect(transactions.ended).toBe(transactions.begun);
});

it('reads them where they are encoded, and where chunks end anywhere', async () => {
  const body = gzipSync(`${line('a', 'ls')}\n${line('b', 'cat /etc/shadow')}`);
  const { url } = await run((_asked, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    for (const byte of body) response.write(Buffer.of(byte));
    response.end();
  });
  const answer = await fetch(url + RESULTS);
  const text = await answer.text();
  expect(text).toContain(line('a', 'ls'));
  expect(text).not.toContain('toolu_b');
});

it.each([
  ['no JSON', '{'],
  ['a key twice', '{"result":{},"result":{}}'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a line that is too long', JSON.stringify({ a: 'x'.repeat(1 << 15) })],
])('ends at what can not be relied on: %s', async (_what, bad) => {
  const body = Buffer.concat([Buffer.from(`${line('a', 'ls')}\n`), Buffer.from(bad), Buffer.from(`\n${line('z', 'ls')}\n`)]);
  const { url } = await run(sending(body), { limits: { message: 1 << 14, frame: 1 << 14 } });
  const read = await fetch(url + RESULTS).then(readUntilCut, () => ({ text: '', isWhole: false }));
  expect(read.isWhole).toBe(false);
  expect(read.text).not.toContain('toolu_z');
});

it.each([
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0xfe, 0x0a, 0xd8])],
  ['a text without a line feed at its end', Buffer.from('a\r\n\n\nb')],
  ['nothing', Buffer.alloc(0)],
])('leaves every byte of a file as it is that has no answers: %s', async (_what, body) => {
  const { url } = await run(sending(body), { api: openaiApi });
  const answer = await fetch(`${url}/v1/files/file-1/content`);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(body);
});

it.each([
  ['no UTF-8', '"custom_id":"\xff"'],
  ['no JSON to all readers', '"logprobs":-Infinity'],
])('gives no call of a line that is %s, unless it only observes', async (_what, member) => {
  const call = { id: 'c', type: 'function', function: { name: 'Bash', arguments: '{}' } };
  const response = JSON.stringify({ body: { choices: [{ message: { tool_calls: [call] } }] } });
  const body = Buffer.from(`{${member},"response":${response}}\n`, 'latin1');
  const path = '/v1/files/file-1/content';
  const guarded = await run(sending(body), { api: openaiApi });
  const read = await fetch(guarded.url + path).then(readUntilCut, () => ({ text: '', isWhole: false }));
  expect(read).toEqual({ text: '', isWhole: false });
  await guarded.close();
  const observed = await run(sending(body), { api: openaiApi, setup: { isObserving: true } });
  expect(Buffer.from(await (await fetch(observed.url + path)).arrayBuffer())).toEqual(body);
});

it('breaks off where the provider does, without half a line', async () => {
  const { url } = await run((_asked, response) => {
    response.writeHead(200).write(`${line('a', 'ls')}\n${line('b', 'ls').slice(0, 90)}`, () => response.destroy());
  });
  const { text, isWhole } = await readUntilCut(await fetch(url + RESULTS));
  expect(isWhole).toBe(false);
  expect([`${line('a', 'ls')}\n`, '']).toContain(text);
});

it('passes what is no result, and refuses an encoding that is not known', async () => {
  let headers: Record<string, string> = {};
  let status = 404;
  const { url } = await run((_asked, response) => void response.writeHead(status, headers).end('{"error":1.0}'));
  expect(await (await fetch(url + RESULTS)).text()).toBe('{"error":1.0}');
  [status, headers] = [200, { 'content-encoding': 'lzma' }];
  expect((await fetch(url + RESULTS)).status).toBe(502);
});

it('holds the provider back for a slow client', { tags: 'long' }, async () => {
  const count = 6000;
  // Long by its id, since a long command takes long to decide.
  const one = line('a'.repeat(2000), 'ls');
  let written = 0;
  const { url } = await run((_asked, response) => {
    const more = (): void => {
      while (written < count) {
        written++;
        if (!response.write(`${one}\n`)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  const call = httpRequest(url + RESULTS).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.pause();
  let before = -1;
  let still = 0;
  // Many looks in a row, since a provider that nobody holds back has pauses too.
  await until('nothing more is taken', async () => {
    still = before === written && written > 0 ? still + 1 : 0;
    before = written;
    await setTimeout(100);
    return still === 10;
  });
  expect(written).toBeLessThan(count);
  let length = 0;
  for await (const chunk of answer) length += (chunk as Buffer).length;
  expect(length).toBe(count * (one.length + 1));
});

it('leaves nothing behind at a response that is full again and again', async () => {
  const response = new PassThrough({ highWaterMark: 1 });
  const { gate } = createModelGate(POLICY);
  const lines = Array.from({ length: 50 }, (_value, index) => line(String(index), 'ls'));
  const passed = passLines({
    api: anthropicApi,
    gate,
    rounds: new Rounds(),
    request: { dialect: 'anthropic', id: 'r.1', client: undefined, tools: new Map() },
    withdrawn: new AbortController().signal,
    source: Readable.from([Buffer.from(`${lines.join('\n')}\n`)]),
    response: response as unknown as ServerResponse,
    maxLine: 1 << 16,
  });
  let text = '';
  const listeners: number[] = [];
  for await (const chunk of response) {
    text += String(chunk);
    listeners.push(response.listenerCount('close') + response.listenerCount('drain'));
  }
  await passed;
  expect(text).toBe(`${lines.join('\n')}\n`);
  expect(Math.max(...listeners)).toBeLessThan(8);
});

it('stops when the client leaves', async () => {
  let isCut = false;
  const { url } = await run((_asked, response) => {
    response.once('close', () => (isCut = true));
    response.writeHead(200).write(`${line('a', 'ls')}\n`);
  });
  const leaving = new AbortController();
  const answer = await fetch(url + RESULTS, { signal: leaving.signal });
  expect(answer.status).toBe(200);
  leaving.abort();
  await until('the provider is told', () => isCut);
});
