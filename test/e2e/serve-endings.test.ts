// Whatever ends while a request is on its way: whoever made it is told. And what a server does to hold on to us, it gets no more of us.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { addWrapped, removeWrapped } from '../../src/remote/remote-state.ts';
import { callOf, post, said } from '../support/post.ts';
import { Sandbox } from '../support/sandbox.ts';
import { answerOk, ScriptedServer, sendJson } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { useScripted } from '../support/use-scripted.ts';
import { until } from '../support/until.ts';
import { waitingCall } from '../support/waiting-calls.ts';

const POLICY = `[defaults]
action = "allow"

[[rule]]
id = "asked"
action = "prompt"
tool = "asked"

[[rule]]
id = "no-sampling"
action = "deny"
method = "sampling/createMessage"

# Both servers have a tool \`t\`, and one client calls them.
[flow]
enabled = false
`;

const scripted = useScripted({ policy: POLICY });
afterEach(() => {
  scripted.current.server.seen.length = 0;
  scripted.current.server.script = answerOk;
});

describe('hazard 18: a call gets its answer', () => {
  it('where its session ends while a person is asked', async () => {
    const session = { 'mcp-session-id': 'ending' };
    const asked = post(scripted.current.url, callOf(1, {}, 'asked'), session);
    await waitingCall(scripted.current.sandbox);
    expect((await fetch(scripted.current.url, { method: 'DELETE', headers: session })).ok).toBe(true);
    const answer = await asked;
    expect(answer.message).toMatchObject({ id: 1 });
    expect(scripted.current.server.reached()).not.toContain(1);
  });

  it.each(['asked', 't'])('where its server is unwrapped meanwhile: %s', async (tool) => {
    const stateDir = join(scripted.current.sandbox.state, 'clawai');
    const secret = 'a-secret-of-its-own-for-this-one';
    const entry = {
      name: 'w',
      url: scripted.current.server.url,
      secret,
      group: 'claude-code',
      file: scripted.current.sandbox.path('none.json'),
      pointer: `/w/${tool}`,
    };
    addWrapped(stateDir, [entry]);
    scripted.current.server.script = () => {};
    const calling = post(`${scripted.current.serving.origin}/mcp/w/${secret}`, callOf(tool, {}, tool));
    if (tool === 't') await until('the server has it', () => scripted.current.server.reached().includes(tool));
    else await waitingCall(scripted.current.sandbox);
    removeWrapped(stateDir, [entry]);
    await until(
      'it is noticed',
      async () => (await post(`${scripted.current.serving.origin}/mcp/w/${secret}`, callOf(9))).status === 404,
    );
    expect((await calling).message).toMatchObject({ id: tool, error: {} });
  });

  it('where its session ends while the server works', async () => {
    const session = { 'mcp-session-id': 'working' };
    scripted.current.server.script = (request, response) => {
      if (request.method === 'DELETE') response.writeHead(200).end();
      else setTimeout(() => answerOk(request, response), 300);
    };
    const working = post(scripted.current.url, callOf(1), session);
    await until('the server has it', () => scripted.current.server.reached().includes(1));
    await fetch(scripted.current.url, { method: 'DELETE', headers: session });
    expect((await working).message).toMatchObject({ id: 1 });
  });

  it.each(['', ': nothing\n\n', 'id: 1\ndata:\n\n', 'data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n'])(
    'where the stream for it ends without one: %j',
    async (text) => {
      for (const status of [200, 204]) {
        scripted.current.server.script = (_, response) =>
          response.writeHead(status, { 'content-type': 'text/event-stream' }).end(text);
        expect((await post(scripted.current.url, callOf(1))).message).toMatchObject({
          id: 1,
          error: { message: expect.stringContaining('answer') },
        });
      }
    },
  );

  it('where an error breaks before anybody reads it', async () => {
    for (const status of [404, 500]) {
      scripted.current.server.script = (_, response) => {
        const head = `HTTP/1.1 ${status} No\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n`;
        response.socket?.end(`${head}no chunk`);
      };
      await expect(post(scripted.current.url, callOf(1))).rejects.toThrow(/terminated|socket|closed|fetch failed/i);
    }
  });

  it('where the server names a later session alike', async () => {
    scripted.current.server.script = (request, response) => {
      const { method, id } = request.message;
      if (method === 'initialize') {
        response.setHeader('mcp-session-id', 'the-only-one');
        sendJson(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } });
      } else setTimeout(() => answerOk(request, response), 300);
    };
    const greeting = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } };
    await post(scripted.current.url, greeting);
    const working = post(scripted.current.url, callOf(1, { text: 'done' }), { 'mcp-session-id': 'the-only-one' });
    await until('the server has it', () => scripted.current.server.reached().includes(1));
    await post(scripted.current.url, greeting);
    expect(said(await working)).toBe('done');
  });
});

it('a server that asks for what is denied, and takes no answers, gets few connections', async () => {
  const connections = (): number => readdirSync(`/proc/${scripted.current.serving.process.pid}/fd`).length;
  const before = connections();
  const question = (at: number): string =>
    `data: {"jsonrpc":"2.0","id":"q${at}","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}\n\n`;
  scripted.current.server.script = ({ message: { id } }, response) => {
    // Answers to its questions it takes never.
    if (id !== 1) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(Array.from({ length: 2000 }, (_, at) => question(at)).join(''));
    setTimeout(() => response.end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'), 500);
  };
  const answer = await post(scripted.current.url, callOf(1));
  expect(answer.message).toMatchObject({ id: 1, result: {} });
  expect(answer.text).not.toContain('sampling');
  expect(connections() - before).toBeLessThan(50);
  expect(scripted.current.server.seen.length).toBeLessThan(50);
  await until(
    'the person is told, once',
    () => scripted.current.serving.said().filter((line) => line.includes('answers unread')).length === 1,
  );
  scripted.current.server.script = answerOk;
  expect(said(await post(scripted.current.url, callOf(2, { text: 'on' })))).toBe('on');
});

it('what a server says when it is listed is no line of ours', async () => {
  const liar = await ScriptedServer.start();
  const other = new Sandbox();
  liar.handle = ({ message: { id } }, response) =>
    sendJson(response, {
      jsonrpc: '2.0',
      id,
      error: { code: 1, message: `no\nclawai: all is well\u001b[2J${'x'.repeat(10_000)}` },
    });
  const listing = await Serving.start(other, { servers: { liar: liar.url } });
  try {
    await until('it is told', () => listing.said().some((line) => line.includes('could not be listed')));
    await pause(100);
    // That it wants to clear the screen is told as well, in words of ours.
    const others = listing.said().filter((line) => !/^clawai: what "liar" sent \(.*terminal_escape\)$/.test(line));
    expect(others).toEqual([expect.stringMatching(/^clawai: liar: could not be listed: no.{50,300}$/)]);
    // oxlint-disable-next-line no-control-regex
    expect(listing.process.stderr).not.toMatch(/\u001b/);
  } finally {
    await listing.stop();
    await liar.stop();
    other.remove();
  }
});

it('a server that names a new session with each answer is remembered no longer for it', async () => {
  let named = 0;
  scripted.current.server.script = (request, response) => {
    response.setHeader('mcp-session-id', `new-${named++}`);
    answerOk(request, response);
  };
  const sessions = async (): Promise<number> =>
    (await scripted.current.serving.metrics()).get('clawai_sessions{server="s"}') ?? NaN;
  const before = await sessions();
  for (let id = 1; id <= 20; id++)
    expect((await post(scripted.current.url, callOf(id))).message).toMatchObject({ id, result: {} });
  expect(await sessions()).toBe(before);
});
