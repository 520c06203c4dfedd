import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { detecting, ORDER } from '../../support/poisoned.ts';
import { type RouteOptions, runRoute, type RunningRoute } from '../../support/remote-route.ts';

const running: RunningRoute[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((route) => route.close()));
});

/** What a client gets where the server answers with an error. */
async function shown(
  body: string | Buffer,
  {
    policy = '',
    headers = {},
    ...more
  }: { policy?: string; headers?: Readonly<Record<string, string>> } & Partial<RouteOptions> = {},
) {
  const route = await runRoute({
    policy: detecting(policy),
    answer: (_arrived, response) => void response.writeHead(500, { 'content-type': 'text/plain', ...headers }).end(body),
    ...more,
  });
  running.push(route);
  const answer = await route.post({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

describe('an error in words', () => {
  it.each([
    ['', `No. ${ORDER}`],
    ['on_result = "deny"\nenabled = false', `No. ${ORDER}`],
    ['on_definition = "deny"\non_sampling = "deny"', `No. ${ORDER}`],
  ])('passes where the policy does nothing about it: %j', async (policy, expected) => {
    expect(await shown(`No. ${ORDER}`, { policy })).toEqual({ status: 500, type: 'text/plain', text: expected });
  });

  it('is redacted, as words or as JSON', async () => {
    const policy = 'on_result = "redact"';
    const words = await shown(`It is broken. ${ORDER}`, { policy });
    expect(words.text).toMatch(/^It is broken\.\s?\[clawai removed: [a-z_.]+\]/);
    const headers = { 'content-type': 'application/problem+json' };
    const json = await shown(JSON.stringify({ status: 500, detail: ORDER }), { policy, headers });
    expect(json.type).toBe('application/problem+json');
    expect(JSON.parse(json.text)).toEqual({ status: 500, detail: expect.stringContaining('[clawai removed') as string });
  });

  it.each([
    ['text/plain', /^clawai withheld what files sent/],
    ['application/problem+json', /^\{"error":"clawai withheld what files sent/],
  ])('is kept back, and its type says what is there instead: %s', async (type, expected) => {
    const body = type === 'text/plain' ? ORDER : JSON.stringify({ detail: ORDER });
    const answer = await shown(body, { policy: 'on_result = "deny"', headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status: 500, type, text: expect.stringMatching(expected) as string });
  });

  it.each<[string, string | Buffer, Readonly<Record<string, string>>]>([
    ['that is longer than a message may be', 'x'.repeat(5000), {}],
    ['in an unknown encoding', 'words', { 'content-encoding': 'rot13' }],
    ['that is not in its encoding', 'words', { 'content-encoding': 'gzip' }],
    ['that is longer once its encoding is undone', gzipSync('x'.repeat(5000)), { 'content-encoding': 'gzip' }],
  ])('%s is left out', async (_name, body, headers) => {
    const { status, text } = await shown(body, { headers, limits: { message: 4096, frame: 4096 } });
    expect([status, text]).toEqual([500, 'files sent more than clawai accepts, or in an unknown encoding']);
  });

  it('comes out of its encoding, and in the one charset in which it was judged', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain; charset=utf-7' };
    expect(await shown(gzipSync('words'), { headers })).toEqual({ status: 500, type: 'text/plain', text: 'words' });
  });
});
