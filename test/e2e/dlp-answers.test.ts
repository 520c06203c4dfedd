/** @module-tag long */
// Secrets in what the client answers to requests of its server: they leave as arguments do, and are decided in the same way.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';
import { post } from '../support/post.ts';
import { Running } from '../support/running.ts';
import { type Event, support } from '../support/sandbox.ts';
import { ScriptedServer } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';

const sandbox = useSandbox();

const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const BASE64 = Buffer.from(KEY).toString('base64');
const HEX = Buffer.from(KEY).toString('hex');

type Mode = 'alert' | 'redact' | 'prompt' | 'deny';

/** A server's request, the client's answer to it from behind the id, and the same without its secrets; undefined if that is impossible. */
interface Case {
  readonly name: string;
  readonly method: string;
  readonly answer: string;
  readonly edited: string | undefined;
}

const accepted = (content: string): string => `"result":{"action":"accept", "content":${content}}`;
const message = (text: string): string =>
  `"result":{"model":"m","role":"assistant","content":{"type":"text","text":${text}},"stopReason":"endTurn"}`;

const CASES: readonly Case[] = [
  ['nothing secret', 'elicitation/create', accepted('{"name":"Ada","n":1.50}'), accepted('{"name":"Ada","n":1.50}')],
  ['nothing at all', 'ping', '"result":{}', '"result":{}'],
  ['a field of a form', 'elicitation/create', accepted(`{"key":"${KEY}"}`), accepted('{"key":"[redacted:github_token]"}')],
  ['by its name', 'elicitation/create', accepted('{"password":"correct horse"}'), accepted('{"password":"[redacted:password]"}')],
  ['base64 in a form', 'elicitation/create', accepted(`{"note":"${BASE64}"}`), undefined],
  ['split over a form', 'elicitation/create', accepted(`{"a":"${KEY.slice(0, 12)}","b":"${KEY.slice(12)}"}`), undefined],
  [
    'what a model says',
    'sampling/createMessage',
    message(`"the key is ${KEY} é"`),
    message('"the key is [redacted:github_token] é"'),
  ],
  ['in hex, by a model', 'sampling/createMessage', message(`"${HEX}"`), undefined],
  [
    'a root',
    'roots/list',
    `"result":{"roots":[{"uri":"file:///home/u/${KEY}"}]}`,
    '"result":{"roots":[{"uri":"file:///home/u/[redacted:github_token]"}]}',
  ],
  [
    'an error',
    'elicitation/create',
    `"error":{"code":-1,"message":"no ${KEY}"}`,
    '"error":{"code":-1,"message":"no [redacted:github_token]"}',
  ],
  ['no object', 'x/unknown', `"result":"${KEY}"`, undefined],
].map(([name, method, answer, edited]) => ({ name, method, answer, edited }) as Case);

const policyWith = (mode: Mode): string =>
  `[defaults]\naction = "allow"\n[approval]\ntimeout = "1s"\nchannels = ["terminal"]\n[dlp]\non_arguments = "${mode}"\n`;

const lineOf = (id: number, answer: string): string => `{"jsonrpc":"2.0", "id":${id},${answer}}`;

/** What reaches the server. */
function onward(mode: Mode, { answer, edited, method }: Case, id: number): string {
  if (mode === 'alert' || answer === edited) return lineOf(id, answer);
  if (mode === 'redact' && edited !== undefined) return lineOf(id, edited);
  const code = method === 'sampling/createMessage' ? -1 : 40300;
  const error = { code, message: "clawai denied the client's answer: the user's policy does not let it leave" };
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

function findings(): Event[] {
  return sandbox.current.events().filter(({ type }) => type === 'mcp_detection');
}

function expectNoSecret(): void {
  const text = JSON.stringify(sandbox.current.events());
  for (const secret of [KEY, KEY.slice(8), KEY.slice(0, 12), BASE64, HEX, 'correct horse']) expect(text).not.toContain(secret);
}

const MODES = ['alert', 'redact', 'prompt', 'deny'] as const;

describe('over stdio', () => {
  it.each(MODES)('%s: each answer is decided as the setting says', async (mode) => {
    const record = sandbox.current.path('record');
    const requests = CASES.map(
      ({ method }, id) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"message":"?"}}\n`,
    );
    const script = sandbox.current.write(
      'script.json',
      JSON.stringify({ first: requests.join(''), answers: CASES.map(() => '') }),
    );
    const policy = sandbox.current.write('p.toml', policyWith(mode));
    const server = [process.execPath, support('recording-server.mjs'), record, script];
    const proxy = new Running(sandbox.current.command('proxy', '--server', 's', '--policy', policy, '--', ...server), {
      env: sandbox.current.env,
      cwd: sandbox.current.folder,
    });
    await proxy.lines(CASES.length);
    for (const [id, { answer }] of CASES.entries()) proxy.send(`${lineOf(id, answer)}\n`);
    // Nobody waits for these: they go nowhere.
    proxy.send(`${lineOf(99, `"result":{"x":"${KEY}"}`)}\n`);
    const wanted = CASES.map((each, id) => onward(mode, each, id));
    await expect.poll(() => readFileSync(record, 'utf8').trimEnd().split('\n').length, { timeout: 20_000 }).toBe(wanted.length);
    await proxy.close();
    const sent = readFileSync(record, 'utf8').trimEnd().split('\n');
    expect(sent.toSorted()).toEqual(wanted.toSorted());
    expectNoSecret();
    const secrets = CASES.filter(({ answer, edited }) => answer !== edited);
    expect(findings()).toHaveLength(secrets.length);
    const actions = { alert: ['alert'], redact: ['block', 'redact'], prompt: ['prompt'], deny: ['block'] }[mode];
    expect([...new Set(findings().map(({ action }) => action))].toSorted()).toEqual(actions);
    expect(findings().every(({ origin }) => origin === 'answer')).toBe(true);
  });

  it('a secret of another server is none to be told', async () => {
    const own = 'rk9Zt4mQw8bVx2nLp7cYd5sHf3jGu6a';
    const policy = policyWith('deny');
    const files = new Declaring(sandbox.current, { policy, server: 'files', env: { VAULT_TOKEN: own } });
    files.declare({ tools: [[tool('read_file', 'Reads.')]] });
    await files.start();
    await files.tools();
    const record = sandbox.current.path('record');
    const first = [1, 2].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"sampling/createMessage","params":{}}\n`).join('');
    const script = sandbox.current.write('script.json', JSON.stringify({ first }));
    const server = [process.execPath, support('recording-server.mjs'), record, script];
    const proxy = new Running(
      sandbox.current.command('proxy', '--server', 'mail', '--policy', sandbox.current.path('files.toml'), '--', ...server),
      { env: sandbox.current.env, cwd: sandbox.current.folder },
    );
    await proxy.lines(2);
    proxy.send(`${lineOf(1, message(`"it is ${Buffer.from(own).toString('base64')}"`))}\n`);
    proxy.send(`${lineOf(2, message('"it is a nice day, is it not?"'))}\n`);
    await expect.poll(() => readFileSync(record, 'utf8'), { timeout: 20_000 }).toContain('"id":2');
    await proxy.close();
    await files.stop();
    const [denied, passed] = readFileSync(record, 'utf8').trimEnd().split('\n');
    expect(JSON.parse(denied ?? '')).toMatchObject({ id: 1, error: { code: -1 } });
    expect(passed).toBe(lineOf(2, message('"it is a nice day, is it not?"')));
    expect(JSON.stringify(sandbox.current.events())).not.toContain(own.slice(5, 20));
  });
});

describe('carried by a call (MCP 2026-07-28)', () => {
  const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
  const carrying = (id: number, method: string, own: string, key: string): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${own},"inputResponses":{"q":{"action":"accept","content":{"k":"${key}"}}}, ${META}}}`;
  const CARRIED: readonly (readonly [method: string, own: string])[] = [
    ['tools/call', '"name":"t","arguments":{"a":"b"}'],
    ['prompts/get', '"name":"t"'],
    ['resources/read', '"uri":"notes://x"'],
    ['tasks/update', '"taskId":"k"'],
  ];

  it.each(MODES)('%s', async (mode) => {
    const record = sandbox.current.path('record');
    const policy = sandbox.current.write('p.toml', policyWith(mode));
    const server = [process.execPath, support('recording-server.mjs'), record];
    const proxy = new Running(sandbox.current.command('proxy', '--server', 's', '--policy', policy, '--', ...server), {
      env: sandbox.current.env,
      cwd: sandbox.current.folder,
    });
    const keys = ['nothing secret', KEY, BASE64];
    const edits = ['nothing secret', '[redacted:github_token]', undefined];
    const wanted: string[] = [];
    let id = 0;
    for (const [method, own] of CARRIED)
      for (const [at, key] of keys.entries()) {
        id += 1;
        proxy.send(`${carrying(id, method, own, key)}\n`);
        const edited = mode === 'alert' ? key : mode === 'redact' || at === 0 ? edits[at] : undefined;
        if (edited !== undefined) wanted.push(carrying(id, method, own, edited));
      }
    await proxy.until(() =>
      Array.from({ length: id }, (_, at) => `"id":${at + 1},`).every((each) => proxy.stdout.includes(each)),
    );
    const { stdout } = await proxy.close();
    expect(readFileSync(record, 'utf8').trimEnd().split('\n').toSorted()).toEqual(wanted.toSorted());
    if (mode === 'deny') expect(stdout).toContain('clawai denied an answer to what the server asked for: it contains a secret.');
    expect(findings()).toHaveLength(2 * CARRIED.length);
    expectNoSecret();
  });
});

describe('over HTTP', () => {
  let remote: ScriptedServer;
  let serving: Serving;
  afterEach(async () => {
    await serving.stop();
    await remote.stop();
  });

  it.each(MODES)('%s: each answer is decided as over stdio', async (mode) => {
    remote = await ScriptedServer.start();
    const open = new Map<unknown, { readonly response: ServerResponse; readonly call: unknown }>();
    remote.script = ({ message: seen, text }, response) => {
      if (seen.method === 'tools/call') {
        const id = Number(seen.params?.arguments?.['id']);
        const method = CASES[id]?.method;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, method, params: { message: '?' } })}\n\n`);
        open.set(id, { response, call: seen.id });
        return;
      }
      response.writeHead(202).end();
      const { id } = JSON.parse(text) as { readonly id: number };
      const waiting = open.get(id);
      waiting?.response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: waiting.call, result: { content: [] } })}\n\n`);
    };
    serving = await Serving.start(sandbox.current, { servers: { s: remote.url }, policy: policyWith(mode) });
    const exchanges = CASES.map(async ({ answer }, id) => {
      const call = { jsonrpc: '2.0', id: `call-${id}`, method: 'tools/call', params: { name: 't', arguments: { id } } };
      const response = await fetch(serving.url('s'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(call),
      });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      expect(Buffer.from(value ?? new Uint8Array()).toString()).toContain(`"id":${id}`);
      expect((await post(serving.url('s'), lineOf(id, answer))).status).toBe(202);
      // The server ends the stream as soon as it has its answer.
      while (!(await reader.read()).done);
    });
    await Promise.all(exchanges);
    const answers = remote.seen.filter(({ message: seen }) => seen.method === undefined);
    expect(answers.map(({ text }) => text).toSorted()).toEqual(CASES.map((each, id) => onward(mode, each, id)).toSorted());
    for (const { headers, text } of answers) expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expectNoSecret();
  });
});
