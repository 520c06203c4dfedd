// What remote servers may do to clawai serve, and what of it reaches the client: exactly one answer per request, whatever happens.
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOf, post, said } from '../support/post.ts';
import { Sandbox } from '../support/sandbox.ts';
import { answerOk, type Script, ScriptedServer, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let server: ScriptedServer;
let elsewhere: ScriptedServer;
let serving: Serving;
let url: string;
beforeAll(async () => {
  sandbox = new Sandbox();
  [server, elsewhere] = await Promise.all([ScriptedServer.start(), ScriptedServer.start()]);
  const config = '[limits]\nframe = "64 KiB"\nmessage = "1 MiB"\n';
  serving = await Serving.start(sandbox, { servers: { s: server.url }, config });
  url = serving.url('s');
});
afterAll(async () => {
  await serving.stop();
  await Promise.all([server.stop(), elsewhere.stop()]);
  sandbox.remove();
});
beforeEach(() => {
  server.seen.length = 0;
  server.script = answerOk;
});

function resultOf(id: unknown, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
}

const event = (data: string): string => `data: ${data}\n\n`;
const EVENTS = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** What a server does wrong, and what the client reads of it. */
const FAULTS: readonly { readonly what: string; readonly script: Script; readonly says: RegExp }[] = [
  {
    what: 'a server that resets the connection',
    script: (_, response) => response.socket?.resetAndDestroy(),
    says: /127\.0\.0\.1/,
  },
  { what: 'a server that closes the connection', script: (_, response) => response.socket?.end(), says: /127\.0\.0\.1/ },
  {
    what: 'a server that ends before what it announced',
    script: ({ message }, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
      response.write(resultOf(message.id, 'short'), () => response.socket?.end());
    },
    says: /could not be read/,
  },
  {
    what: 'a server that says that it is shorter than it is',
    script: ({ message }, response) => {
      const text = resultOf(message.id, 'more than that');
      response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n${text}`);
    },
    says: /./,
  },
  {
    what: 'a server that speaks no HTTP',
    script: (_, response) => response.socket?.end('220 ready for mail\r\n'),
    says: /127\.0\.0\.1/,
  },
  {
    what: 'a server that answers in HTML',
    script: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    says: /text\/html/,
  },
  {
    what: 'a server that answers a request with 202',
    script: (_, response) => response.writeHead(202).end(),
    says: /did not answer/,
  },
  {
    what: 'a server that answers with nothing',
    script: (_, response) => response.writeHead(200, JSON_TYPE).end(),
    says: /did not answer/,
  },
  {
    what: 'a server that answers with what is no JSON',
    script: (_, response) => response.writeHead(200, JSON_TYPE).end('{"jsonrpc":'),
    says: /./,
  },
  {
    what: "hazard 13: a server that answers somebody else's request",
    script: (_, response) => response.writeHead(200, JSON_TYPE).end(resultOf('other', 'not yours')),
    says: /answered something else/,
  },
  {
    what: 'hazard 18: a server that answers with more than is taken',
    script: ({ message }, response) => response.writeHead(200, JSON_TYPE).end(resultOf(message.id, 'x'.repeat(2_000_000))),
    says: /longer than clawai accepts/,
  },
  {
    what: 'a server that answers in an encoding that nobody knows',
    script: (_, response) => response.writeHead(200, { ...EVENTS, 'content-encoding': 'rot13' }).end('qngn: {}\n\n'),
    says: /encoding/,
  },
];

it.each(FAULTS)('$what: one answer that says so', async ({ script, says }) => {
  server.script = script;
  const answer = await post(url, callOf(7));
  expect(answer.status).toBe(502);
  expect(answer.message).toMatchObject({ id: 7 });
  expect(answer.message.result?.isError ?? answer.message.error).toBeTruthy();
  expect(said(answer)).toMatch(says);
  // Nothing of it is left for the next.
  server.script = answerOk;
  expect(said(await post(url, callOf(7, { text: 'again' })))).toBe('again');
});

describe('a status', () => {
  it('of 401 passes with what it says of the login', async () => {
    const challenge = 'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"';
    server.script = (_, response) => response.writeHead(401, { 'www-authenticate': challenge }).end();
    const answer = await post(url, callOf(1));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  });

  it('of 500 passes with the error in it', async () => {
    const error = { code: -32603, message: 'the database is down' };
    server.script = ({ message }, response) => sendJson(response, { jsonrpc: '2.0', id: message.id, error }, 500);
    const answer = await post(url, callOf(1));
    expect(answer.status).toBe(500);
    expect(answer.message).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  it('of 404 and 429 pass with their headers', async () => {
    server.script = (_, response) => response.writeHead(429, { 'retry-after': '7' }).end('slow down');
    const answer = await post(url, callOf(1));
    expect([answer.status, answer.headers.get('retry-after'), answer.text]).toEqual([429, '7', 'slow down']);
  });
});

describe('hazard 49: a redirect', () => {
  const to = (status: number, location: string): Script => {
    return (request, response) => {
      if (request.url === '/mcp') response.writeHead(status, { location }).end();
      else answerOk(request, response);
    };
  };

  it.each([307, 308])('of %d within the origin is followed with the same body', async (status) => {
    server.script = to(status, '/moved?x=1');
    expect(said(await post(url, callOf(1, { text: 'found' })))).toBe('found');
    expect(server.seen.map((request) => request.url)).toEqual(['/mcp', '/moved?x=1']);
    expect(server.seen[1]?.text).toBe(server.seen[0]?.text);
  });

  it.each([
    [301, '/moved'],
    [302, '/moved'],
    [303, '/moved'],
    [307, 'ELSEWHERE'],
    [308, 'ELSEWHERE'],
    [307, '//evil.example/mcp'],
    [307, 'file:///etc/passwd'],
    [307, '/mcp'],
  ])('of %d to %s is not followed, and the client does not hear where to', async (status, location) => {
    server.script = to(status, location.replace('ELSEWHERE', elsewhere.url));
    const answer = await post(url, callOf(1));
    expect(answer.status).toBe(502);
    expect(answer.headers.get('location')).toBeNull();
    expect(said(answer)).toContain('redirects');
    expect(elsewhere.seen).toEqual([]);
    expect(server.seen.every((request) => request.url === '/mcp')).toBe(true);
    expect(server.seen.length).toBeLessThanOrEqual(4);
  });
});

describe('a stream', () => {
  it('hazard 49: is not held back: events come as they are sent, with ids, retry times and comments', async () => {
    let finish = (): void => {};
    server.script = ({ message }, response) => {
      response.writeHead(200, EVENTS);
      response.write(': hello\n\nid: 1\nretry: 50\ndata: \n\n');
      finish = () => response.end(`event: message\nid: 2\ndata: ${resultOf(message.id, 'done')}\n\n`);
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(callOf(1)),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    expect(first?.value).toContain(': hello\n\n');
    finish();
    let text = first?.value ?? '';
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) text += part.value;
    expect(text).toBe(`: hello\n\nid: 1\nretry: 50\ndata: \n\nevent: message\nid: 2\ndata: ${resultOf(1, 'done')}\n\n`);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('in %s, and an answer in it, are read', async (encoding, compress) => {
    server.script = ({ message }, response) => {
      response.writeHead(200, { ...EVENTS, 'content-encoding': encoding });
      response.end(compress(event(resultOf(message.id, 'squeezed'))));
    };
    expect(said(await post(url, callOf(1)))).toBe('squeezed');
    server.script = ({ message }, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding });
      response.end(compress(resultOf(message.id, 'squeezed, too')));
    };
    const answer = await post(url, callOf(2));
    expect(said(answer)).toBe('squeezed, too');
    expect(answer.headers.get('content-encoding')).toBeNull();
  });

  it('hazard 18: with an event that is too long ends with an answer', async () => {
    server.script = ({ message }, response) => {
      response.writeHead(200, EVENTS);
      response.write(event(resultOf(message.id, 'x'.repeat(200_000))));
    };
    const answer = await post(url, callOf(1));
    expect(answer.message).toMatchObject({ id: 1, error: { message: expect.stringContaining('longer than clawai accepts') } });
    await until('the person is told', () => serving.said().some((line) => line.includes('limits.frame')));
  });

  it('that is cut is cut for the client, too: it can tell that there was more', async () => {
    server.script = (_, response) => {
      response.writeHead(200, EVENTS);
      response.write(event('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"so far"}}'));
      setTimeout(() => response.socket?.destroy(), 100);
    };
    await expect(post(url, callOf(1))).rejects.toThrow(/terminated|socket|closed/i);
    server.script = answerOk;
    expect(said(await post(url, callOf(1, { text: 'next' })))).toBe('next');
  });

  it('whose client leaves is let go', async () => {
    let isClosed = false;
    server.script = (_, response) => {
      response.writeHead(200, EVENTS).flushHeaders();
      response.once('close', () => (isClosed = true));
    };
    const leaving = new AbortController();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(callOf(1)),
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    leaving.abort();
    await until('the server is let go', () => isClosed);
    expect((await serving.metrics()).get('clawai_streams{server="s"}')).toBe(0);
  });
});

it('a server that says nothing for a while is waited for', async () => {
  server.script = (request, response) => void pause(3000).then(() => answerOk(request, response));
  expect(said(await post(url, callOf(1, { text: 'at last' })))).toBe('at last');
});

it('hazard 16: a sampling request that cannot be read is not forwarded, and the server is told', async () => {
  const asked = '{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","method":"ping","params":{"messages":[]}}';
  server.script = (request, response) => {
    const { message } = request;
    if (message.method !== 'tools/call') {
      response.writeHead(202).end();
      return;
    }
    response.writeHead(200, EVENTS);
    response.write(event(asked));
    setTimeout(() => response.end(event(resultOf(message.id, 'done'))), 200);
  };
  const answer = await post(url, callOf(1), { 'mcp-session-id': 'sampled' });
  expect(answer.text).not.toContain('sampling/createMessage');
  expect(said(answer)).toBe('done');
  await until('the server is told', () => server.seen.length === 2);
  expect(server.seen[1]?.message).toMatchObject({ id: 9, error: {} });
  // Hazard 14: in its own session.
  expect(server.seen[1]?.headers['mcp-session-id']).toBe('sampled');
});
