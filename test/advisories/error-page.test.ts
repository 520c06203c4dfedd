import { describe, expect, it } from 'vitest';
import { detecting, found, ORDER } from '../support/poisoned.ts';
import { callOf, post } from '../support/post.ts';
import { answerOk } from '../support/scripted-server.ts';
import { useScripted } from '../support/use-scripted.ts';
import { until } from '../support/until.ts';

/**
 * What a remote server says with HTTP 400 or 500 is no message, and clients put it into what they tell the model all the same: MCP's own SDK throws it
 * as the text of an error. Nobody had looked at it.
 */
const scripted = useScripted({ policy: detecting('on_result = "deny"') });

const DENIED = /id_rsa|sidenote|Do not tell/;
const escaped = [...ORDER].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** What a client gets for each kind of request that there is. */
async function answers(): Promise<readonly { readonly status: number; readonly text: string }[]> {
  const plain = async (init: RequestInit): Promise<{ status: number; text: string }> => {
    const answer = await fetch(scripted.current.url, init);
    return { status: answer.status, text: (await answer.text()) + answer.statusText };
  };
  return [
    await post(scripted.current.url, callOf(1)),
    await post(scripted.current.url, { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }),
    await post(scripted.current.url, callOf(2), { 'mcp-session-id': 'x' }),
    await plain({ headers: { accept: 'text/event-stream' } }),
    await plain({ method: 'DELETE', headers: { 'mcp-session-id': 'x' } }),
  ];
}

describe('an order in the body of an error does not reach the client', () => {
  it.each<[string, number, string, string | Buffer]>([
    ['words', 400, 'text/plain', ORDER],
    ['a page', 500, 'text/html; charset=iso-8859-1', `<html><body>${ORDER}</body></html>`],
    ['no type', 503, '', ORDER],
    ['a type that is none', 500, 'a b', ORDER],
    ['JSON', 400, 'application/json', JSON.stringify({ error: ORDER })],
    ['JSON that is a text', 400, 'application/json', JSON.stringify(ORDER)],
    ['JSON in escapes, said to be words', 400, 'text/plain', `{"error":"${escaped}"}`],
    ['what an OAuth server says', 401, 'application/json', JSON.stringify({ error: 'invalid_token', error_description: ORDER })],
    ['another kind of JSON', 403, 'application/problem+json', JSON.stringify({ title: 'no', detail: ORDER })],
    ['bytes', 500, 'application/octet-stream', Buffer.concat([Buffer.of(0, 0xff), Buffer.from(ORDER)])],
    ['in another charset', 500, 'text/plain; charset=utf-7', ORDER],
    ['a stream', 500, 'text/event-stream', `data: ${ORDER}\n\n`],
    ['an unknown encoding', 500, 'text/plain', ORDER],
    ['what is not in its encoding', 500, 'text/plain', ORDER],
    ['a session that is over', 404, 'text/plain', ORDER],
  ])('%s', async (name, status, type, body) => {
    const coding = name.includes('encoding') ? { 'content-encoding': name.includes('unknown') ? 'rot13' : 'gzip' } : {};
    scripted.current.server.script = (_request, response) => {
      response.writeHead(status, { ...coding, ...(type !== '' && { 'content-type': type }), 'x-kept': 'yes' }).end(body);
    };
    for (const answer of await answers()) {
      expect(answer.text).not.toMatch(DENIED);
      expect([status, 502]).toContain(answer.status);
    }
  });

  it('nor in the line of its status', async () => {
    scripted.current.server.script = (_request, response) => {
      response.socket?.end(`HTTP/1.1 500 ${ORDER}\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nno`);
    };
    for (const answer of await answers()) expect(answer.text).not.toMatch(DENIED);
  });

  it('and is told', async () => {
    scripted.current.server.script = (_request, response) =>
      void response.writeHead(400, { 'content-type': 'text/plain' }).end(ORDER);
    const { status, text } = await post(scripted.current.url, callOf(1));
    expect([status, text]).toEqual([
      400,
      'clawai withheld what s sent: it contains text that must not reach a model, or cannot be scanned',
    ]);
    await until('it is told', () => found(scripted.current.sandbox).length > 0);
    expect(found(scripted.current.sandbox)[0]).toMatchObject({ origin: 'error', action: 'block' });
  });
});

it.each([
  ['text/plain', 'Too many requests\r\n\u00fc'],
  ['application/json', '{"error": "invalid_token"}'],
  ['text/html', '<h1>Log in</h1>'],
])('an honest error of type %s goes on as it came', async (type, body) => {
  scripted.current.server.script = (_request, response) => {
    response.writeHead(429, { 'content-type': type, 'retry-after': '7' }).end(body);
  };
  for (const { status, text } of await answers()) expect([status, text.replace('Too Many Requests', '')]).toEqual([429, body]);
  expect((await post(scripted.current.url, callOf(1))).headers.get('retry-after')).toBe('7');
  scripted.current.server.script = answerOk;
});
