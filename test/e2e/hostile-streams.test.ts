/** @module-tag long */
// A remote server that writes its streams of events so that what is denied would get past, over streamable HTTP.
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { detecting, ORDER } from '../support/poisoned.ts';
import { callOf, post, said } from '../support/post.ts';
import { Sandbox } from '../support/sandbox.ts';
import { answerOk, type Script, ScriptedServer, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';

const POLICY = detecting('on_definition = "deny"\non_result = "deny"\non_sampling = "deny"');

/** Of what is not to arrive, wherever it was cut. */
const DENIED = /id_rsa|sidenote|Do not tell/;

const sandbox = new Sandbox();
let remote: ScriptedServer;
let serving: Serving;
let url: string;

beforeAll(async () => {
  remote = await ScriptedServer.start();
  serving = await Serving.start(sandbox, { servers: { files: remote.url }, policy: POLICY });
  url = serving.url('files');
});
afterAll(async () => {
  await serving.stop();
  await remote.stop();
  sandbox.remove();
});
beforeEach(() => {
  remote.script = answerOk;
});

const answerOf = (id: unknown, text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
const notice = (data: string): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
const question = (text: string): string => {
  const params = { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 1 };
  return JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params });
};
const SSE = { 'content-type': 'text/event-stream' } as const;

/** A stream of these bytes, and then its end. */
const streaming =
  (toBytes: (id: unknown) => string | Buffer, headers: Readonly<Record<string, string>> = SSE): Script =>
  ({ message: { id } }, response) => {
    response.writeHead(200, headers).end(toBytes(id));
  };

/** A frame whose lines end like this. */
const frame = (data: string, end = '\n', before = ''): string => `${before}data: ${data}${end}${end}`;

/** Where the text of an answer is cut into two lines of data. */
const cutInTwo = (message: string, at: string): [string, string] => {
  const place = message.indexOf(at);
  return [message.slice(0, place), message.slice(place)];
};

let lastId = 0;

describe('an answer in a stream', () => {
  it.each<[string, (id: unknown) => string | Buffer]>([
    ['as usual', (id) => frame(answerOf(id, ORDER))],
    ['lines end with CR alone', (id) => frame(answerOf(id, ORDER), '\r')],
    ['lines end with CRLF', (id) => frame(answerOf(id, ORDER), '\r\n')],
    ['lines end in several ways', (id) => `event: message\rdata: ${answerOf(id, ORDER)}\r\n\n`],
    ['behind a byte order mark', (id) => `\ufeff${frame(answerOf(id, ORDER))}`],
    ['behind two byte order marks', (id) => `\ufeff\ufeff${frame(answerOf(id, ORDER))}`],
    ['a byte order mark in the data', (id) => frame(`\ufeff${answerOf(id, ORDER)}`)],
    [
      'over many lines of data',
      (id) =>
        JSON.stringify(JSON.parse(answerOf(id, ORDER)), null, 1)
          .split('\n')
          .map((line) => `data: ${line}\n`)
          .join('') + '\n',
    ],
    [
      'cut within a string',
      (id) =>
        `${cutInTwo(answerOf(id, ORDER), 'read')
          .map((part) => `data: ${part}\n`)
          .join('')}\n`,
    ],
    [
      'cut by lines that are no data',
      (id) =>
        `${cutInTwo(answerOf(id, ORDER), ',')
          .map((part) => `data:${part}\n: comment\nfoo: bar\n`)
          .join('')}\n`,
    ],
    ['without a space behind the colon', (id) => `data:${answerOf(id, ORDER)}\n\n`],
    ['another name of the event', (id) => frame(answerOf(id, ORDER), '\n', 'event: other\n')],
    ['another name, and blanks before it', (id) => frame(`   ${answerOf(id, ORDER)}`, '\n', 'event: other\n')],
    ['another name, in a batch', (id) => frame(`[${answerOf(id, ORDER)}]`, '\n', 'event: other\n')],
    ['an event named twice', (id) => frame(answerOf(id, ORDER), '\n', 'event: other\nevent: message\n')],
    ['an empty name', (id) => frame(answerOf(id, ORDER), '\n', 'event\nevent:\n')],
    ['a huge time to wait', (id) => frame(answerOf(id, ORDER), '\n', `retry: ${'9'.repeat(400)}\n`)],
    ['an id with anything in it', (id) => frame(answerOf(id, ORDER), '\n', 'id: a\0b\nid: \u2028c\n')],
    ['characters at which some readers end a line', (id) => frame(answerOf(id, `a\u2028data: b\x85${ORDER}`))],
    [
      'an escape for each letter',
      (id) =>
        frame(
          answerOf(id, '@').replace(
            '@',
            [...ORDER].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
          ),
        ),
    ],
    [
      'bytes that are no text between the letters',
      (id) =>
        Buffer.concat(
          [...frame(answerOf(id, ORDER.replaceAll(' ', '~ ')))].map((letter) =>
            Buffer.from(letter === '~' ? [0xff] : [letter.charCodeAt(0)]),
          ),
        ),
    ],
    ['an answer before it to what nobody asked', (id) => frame(answerOf(9_999, ORDER)) + frame(answerOf(id, 'fine'))],
    ['the answer, and then another one', (id) => frame(answerOf(id, 'fine')) + frame(answerOf(id, ORDER))],
    ['the same id as a text', (id) => frame(answerOf(String(id), ORDER)) + frame(answerOf(id, 'fine'))],
    [
      'the same id spelt otherwise',
      (id) => frame(answerOf(id, ORDER).replace(`"id":${String(id)}`, `"id":${String(id)}.0`)) + frame(answerOf(id, 'fine')),
    ],
    [
      'the same event id twice',
      (id) => frame(notice('fine'), '\n', 'id: 1\n') + frame(notice(ORDER), '\n', 'id: 1\n') + frame(answerOf(id, 'fine')),
    ],
    ['a request of its own before it', (id) => frame(question(ORDER)) + frame(answerOf(id, 'fine'))],
    ['a log line before it', (id) => frame(notice(ORDER)) + frame(answerOf(id, 'fine'))],
    ['a name and no data', (id) => `event: ${ORDER}\n\n${frame(answerOf(id, 'fine'))}`],
    ['words as a message', (id) => frame(ORDER) + frame(answerOf(id, 'fine'))],
    ['a text as a message', (id) => frame(JSON.stringify(ORDER)) + frame(answerOf(id, 'fine'))],
    ['a frame that nothing ends', (id) => frame(answerOf(id, 'fine')) + `data: ${notice(ORDER)}\n`],
    ['an order over two answers of a batch', (id) => frame(`[${notice(ORDER)},${answerOf(id, 'fine')}]`)],
    [
      'where nobody looks for it: an endpoint',
      (id) => frame(`/other?${ORDER}`, '\n', 'event: endpoint\n') + frame(answerOf(id, 'fine')),
    ],
    ['a field that nobody knows', (id) => `note: ${ORDER}\n${frame(answerOf(id, 'fine'))}`],
  ])('%s', async (_name, toBytes) => {
    remote.script = streaming(toBytes);
    const { status, text } = await post(url, callOf(++lastId));
    expect(status).toBe(200);
    expect(text).not.toMatch(DENIED);
    expect(text).toMatch(/"fine"|clawai (withheld|refused)|did not answer|cannot be read/);
    remote.script = answerOk;
    expect(said(await post(url, callOf(++lastId)))).toBe('ok');
  });

  it.each<[string, string, (bytes: Buffer) => Buffer]>([
    ['gzip', 'gzip', gzipSync],
    ['gzip in two members', 'gzip', (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 9)), gzipSync(bytes.subarray(9))])],
    ['deflate', 'deflate', deflateSync],
    ['deflate without its frame', 'deflate', deflateRawSync],
    ['br', 'br', brotliCompressSync],
    ['zstd', 'zstd', zstdCompressSync],
    ['gzip twice', 'gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))],
    ['what only says so', 'gzip', (bytes) => bytes],
    ['gzip that is cut off', 'gzip', (bytes) => gzipSync(bytes).subarray(0, -12)],
    ['gzip with more behind it', 'gzip', (bytes) => Buffer.concat([gzipSync(Buffer.from(': a\n\n')), bytes])],
    ['nobody knows', 'secret', (bytes) => bytes],
    ['identity', 'identity', (bytes) => bytes],
  ])('in an encoding: %s', async (_name, coding, encode) => {
    remote.script = streaming((id) => encode(Buffer.from(frame(notice(ORDER)) + frame(answerOf(id, ORDER)))), {
      ...SSE,
      'content-encoding': coding,
    });
    const { text } = await post(url, callOf(++lastId)).catch((error: unknown) => ({ text: String(error) }));
    expect(text).not.toMatch(DENIED);
    remote.script = answerOk;
    expect(said(await post(url, callOf(++lastId)))).toBe('ok');
  });

  it('byte by byte', async () => {
    remote.script = ({ message: { id } }, response) => {
      void writeSlowly(
        response,
        Buffer.from(`\ufeffid: 1\r\ndata: ${notice(`\u00fc ${ORDER}`)}\r\n\r\n${frame(answerOf(id, ORDER), '\r')}`),
      );
    };
    const { text } = await post(url, callOf(++lastId));
    expect(text).not.toMatch(DENIED);
    expect(said({ message: JSON.parse(text.slice(text.lastIndexOf('data: ') + 6)) as object })).toMatch(/^clawai withheld/);
  });

  it('and cut in two at every byte', async () => {
    const bytes = (id: unknown): Buffer => Buffer.from(`id: 1\r\ndata: ${notice(ORDER)}\r\rdata: ${answerOf(id, ORDER)}\r\n\r\n`);
    const { length } = bytes(1000);
    lastId = 1000;
    for (let at = 1; at < length; at++) {
      remote.script = ({ message: { id } }, response) => {
        response.writeHead(200, SSE).write(bytes(id).subarray(0, at));
        void setImmediate().then(() => response.end(bytes(id).subarray(at)));
      };
      const { text } = await post(url, callOf(lastId++));
      expect(text, `cut at ${at}`).not.toMatch(DENIED);
      expect(text, `cut at ${at}`).toContain('clawai withheld');
    }
  });
});

async function writeSlowly(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.writeHead(200, SSE).flushHeaders();
  for (const byte of bytes) {
    response.write(Buffer.of(byte));
    await setImmediate();
  }
  response.end();
}

describe('the stream on which a server says what it likes', () => {
  const listen = async (headers: Readonly<Record<string, string>> = {}, session = 's'): Promise<string> => {
    const answer = await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': session, ...headers } });
    return answer.text();
  };

  it('has nothing in it that is denied, and the server is told', async () => {
    const told: string[] = [];
    remote.script = ({ method, text }, response) => {
      if (method === 'GET')
        response.writeHead(200, SSE).end(frame(question(ORDER)) + frame(notice(ORDER)) + frame(notice('fine')));
      else {
        told.push(text);
        response.writeHead(202).end();
      }
    };
    const text = await listen();
    expect(text).not.toMatch(DENIED);
    expect(text).toContain('"fine"');
    while (told.length === 0) await setTimeout(5);
    expect(JSON.parse(told[0] ?? '')).toMatchObject({ id: 'q', error: { code: -1 } });
  });

  it('resumed, says something else under the same ids', async () => {
    const session = 'resumed';
    const asked: (string | undefined)[] = [];
    remote.script = ({ method, headers, message: { id } }, response) => {
      asked.push(headers['last-event-id'] as string | undefined);
      const isReplay = headers['last-event-id'] !== undefined;
      if (method === 'GET') {
        const again = frame(answerOf(id ?? lastId, isReplay ? ORDER : 'fine'), '\n', 'id: 2\n');
        response.writeHead(200, SSE).end(frame(notice(isReplay ? ORDER : 'fine'), '\n', 'id: 1\n') + again);
      } else response.writeHead(200, { ...SSE, 'mcp-session-id': session }).end('id: 0\nretry: 1\ndata:\n\n');
    };
    const first = await post(url, callOf(++lastId), { 'mcp-session-id': session });
    expect(first.text).toContain('id: 0');
    const replayed = await listen({ 'last-event-id': '0' }, session);
    expect(replayed).not.toMatch(DENIED);
    expect(replayed).toContain('clawai withheld');
    expect(replayed).toContain('id: 1');
    expect(await listen({ 'last-event-id': '1' }, session)).not.toMatch(/DENIED/);
    expect(await listen({}, session)).not.toMatch(DENIED);
    expect(asked).toEqual([undefined, '0', '1', undefined]);
  });

  it('replays what was answered already, with more in it', async () => {
    const session = 'again';
    remote.script = ({ method, message: { id } }, response) => {
      const text = method === 'GET' ? ORDER : 'fine';
      response.writeHead(200, SSE).end(frame(answerOf(id ?? lastId, text), '\n', 'id: 1\n'));
    };
    expect(said(await post(url, callOf(++lastId), { 'mcp-session-id': session }))).toBe('fine');
    expect(await listen({ 'last-event-id': '0' }, session)).not.toMatch(/data: \{/);
    expect(await listen({ 'last-event-id': '0' }, 'another')).not.toMatch(/data: \{/);
  });
});

describe('a flood', () => {
  it('of events that are denied leaves the answer through', async () => {
    remote.script = streaming((id) => `${frame(notice(ORDER), '\n', 'id: 1\n').repeat(2000)}${frame(answerOf(id, 'fine'))}`);
    const { text } = await post(url, callOf(++lastId));
    expect(text).not.toMatch(DENIED);
    expect(text).toContain('"fine"');
    remote.script = (_request, response) => sendJson(response, {}, 500);
    expect((await post(url, callOf(++lastId))).status).toBe(500);
  });
});

it('after all of that, it has failed nowhere, and ends as it should', async () => {
  expect(serving.said().filter((line) => /failed|internal/.test(line))).toEqual([]);
  expect(await serving.stop()).toMatchObject({ code: 0 });
});
