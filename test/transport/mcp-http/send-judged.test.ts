import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { UpstreamResponse } from '../../../src/transport/http/upstream-response.ts';
import { isBodiless, judgedHead } from '../../../src/transport/mcp-http/send-judged.ts';
import { type RunningRoute, runRoute } from '../../support/remote-route.ts';

const control = { pause() {}, resume() {}, abort() {} };
const answer = (status: number, rawHeaders: readonly string[] = []): UpstreamResponse =>
  new UpstreamResponse(status, rawHeaders, control);

describe('judgedHead', () => {
  it.each([
    ['application/json; charset=utf-7', 'application/json'],
    ['text/html; charset=UTF-8', 'text/html; charset=UTF-8'],
    ['text/event-stream', 'text/event-stream'],
  ])('says of %j that it is %j', (type, judged) => {
    expect(judgedHead(answer(200, ['X-A', 'b', 'Content-Type', type]), false)).toEqual(['X-A', 'b', 'Content-Type', judged]);
  });

  it('says no length of what is another body', () => {
    const raw = ['content-length', '7', 'etag', '"a"'];
    expect(judgedHead(answer(200, raw), true)).toEqual([]);
    expect(judgedHead(answer(200, raw), false)).toEqual(raw);
  });
});

it.each([
  [200, false],
  [204, true],
  [304, true],
  [404, false],
])('isBodiless: %i %s', (status, expected) => {
  expect(isBodiless(answer(status))).toBe(expected);
});

it.each<[string, (response: ServerResponse) => void, string | null]>([
  ['with the length that it has', (response) => void response.writeHead(500, { 'content-length': 5 }).end('words'), '5'],
  [
    'with one where it came in chunks',
    (response) => void response.writeHead(500, { 'transfer-encoding': 'chunked' }).end('words'),
    '5',
  ],
  ['with none where there is no body', (response) => void response.writeHead(304).end(), null],
])('sendJudged sends a body %s', async (_name, respond, length) => {
  const route: RunningRoute = await runRoute({ answer: (_arrived, response) => respond(response) });
  try {
    const response = await fetch(route.url, { method: 'DELETE' });
    expect(response.headers.get('content-length')).toBe(length);
    expect(await response.text()).toBe(length === null ? '' : 'words');
  } finally {
    await route.close();
  }
});
