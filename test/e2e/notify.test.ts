/** @module-tag long */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import type { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

const POLICY = `
[approval]
timeout = "2s"
channels = ["terminal"]
[[rule]]
id = "ask"
action = "prompt"
tool = "ask*"
[[rule]]
id = "no"
action = "deny"
tool = "no*"
[[rule]]
action = "allow"
tool = "**"
`;

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse, count: number) => void;

const taken: Answer = (response) => void response.writeHead(204).end();

/** A receiver of webhooks on this machine. */
class Receiver {
  readonly received: Received[] = [];
  inFlight = 0;
  most = 0;
  readonly #answer: Answer;
  readonly #server = createServer((request, response) => {
    this.most = Math.max(this.most, ++this.inFlight);
    response.on('close', () => this.inFlight--);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      this.received.push({ headers: request.headers, body });
      this.#answer(response, this.received.length);
    });
  });

  constructor(answer: Answer = taken) {
    this.#answer = answer;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async until(count: number): Promise<void> {
    while (this.received.length < count) await setTimeout(50);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const receivers: Receiver[] = [];
const proxies: Running[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
  // Sending ends by itself once the receiver is gone or has all; the folder must not go before.
  for (const receiver of receivers.splice(0)) receiver.close();
});

async function listen(answer?: Answer): Promise<{ readonly receiver: Receiver; readonly url: string }> {
  const receiver = new Receiver(answer);
  receivers.push(receiver);
  return { receiver, url: await receiver.listen() };
}

/** Starts a client with a server behind clawai, which has this config. */
function start(config: string): { readonly call: (id: number, tool: string, args?: object) => Promise<string> } {
  const { current } = sandbox;
  const files = ['--config', current.write('config.toml', config), '--policy', current.write('policy.toml', POLICY)];
  const server = [process.execPath, support('recording-server.mjs'), current.path('reached')];
  const proxy = current.clawai('proxy', '--server', 'files', ...files, '--', ...server);
  proxies.push(proxy);
  const answerOf = (id: number): string | undefined =>
    proxy.stdout
      .toString()
      .split('\n')
      .find((line) => line.includes(`"id":${id}`));
  return {
    call: async (id, name, args = {}) => {
      proxy.send(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`);
      await proxy.until(() => answerOf(id) !== undefined);
      return answerOf(id) ?? '';
    },
  };
}

const json = ({ body }: Received): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>;

describe('webhooks', () => {
  it('tell of denied calls and of questions, signed, one at a time, without arguments', async () => {
    const { receiver, url } = await listen();
    const secret = sandbox.current.write('secret', 'hunter2hunter2\n', 0o600);
    const { call } = start(`[webhook.w]\nurl = "${url}"\nsecret_file = "${secret}"`);
    expect(await call(1, 'no_way', { key: 'PRIVATE' })).toContain('isError');
    await receiver.until(1);
    const [first] = receiver.received;
    const { headers, body } = first ?? { headers: {}, body: '' };
    expect(JSON.parse(body)).toMatchObject({
      event: 'denials',
      server_id: 'files',
      subject: 'no_way',
      rule: 'no',
      times: 1,
      dropped: 0,
    });
    const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', 'hunter2hunter2').update(text).digest('base64')}`);
    expect(await call(2, 'ask_me', { key: 'PRIVATE' })).toContain('isError');
    await receiver.until(3);
    const [, asked, expired] = receiver.received.map(json);
    expect(asked).toMatchObject({ event: 'questions', question: { id: expect.stringMatching(/^[0-9A-Z]{6}$/) } });
    expect(expired).toMatchObject({ event: 'denials', subject: 'ask_me', reason: expect.stringContaining('approval') });
    expect(receiver.received.map((each) => each.body).join('')).not.toMatch(/PRIVATE|hunter2/);
    expect(receiver.most).toBe(1);
  });

  it('are told again after a fault, with the same id, and keep what they have to each other', async () => {
    const { receiver, url } = await listen(
      (response, count) => void response.writeHead(count === 1 ? 503 : 200).end('x'.repeat(10)),
    );
    const other = await listen();
    const { call } = start(
      `[webhook.a]\nurl = "${url}"\nevents = ["denials"]\n[webhook.b]\nurl = "${other.url}"\nevents = ["questions"]`,
    );
    await call(1, 'no_way');
    await receiver.until(2);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(other.receiver.received).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['does not answer', () => {}],
    ['answers what is no HTTP', (response) => void response.socket?.end('garbage\r\n\r\n')],
    ['answers without end', (response) => void response.writeHead(200).write('x'.repeat(1000))],
    ['sends to another address', (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['takes nothing', (response) => void response.writeHead(404).end()],
    ['hangs up', (response) => void response.socket?.destroy()],
  ])('cost a call nothing if the receiver %s', async (_name, answer) => {
    const { receiver, url } = await listen(answer);
    const { call } = start(`[webhook.w]\nurl = "${url}"`);
    await call(1, 'no_way');
    await receiver.until(1);
    // All of these are answered while the receiver still has the first request, or never will be.
    for (let id = 2; id < 30; id += 1) expect(await call(id, id % 2 === 0 ? 'no_way' : 'read')).toContain(`"id":${id}`);
    expect(receiver.most).toBe(1);
  });

  it('are tried by a command, which says what came of it and repeats no URL', async () => {
    const good = await listen();
    const bad = await listen((response) => void response.writeHead(302, { location: good.url }).end());
    const config = sandbox.current.write(
      'config.toml',
      `[webhook.good]\nurl = "${good.url}"\nform = "slack"\n[webhook.bad]\nurl_env = "HOOK"\n[webhook.none]\nurl_file = "/nowhere/x"\n`,
    );
    const run = (...words: readonly string[]) =>
      sandbox.current.start(['service', 'notify', '--config', config, ...words], { ...sandbox.current.env, HOOK: bad.url }).ended;
    const { code, stdout } = await run('--test');
    expect([code, stdout.toString().split('\n')]).toEqual([
      1,
      ['good: sent', 'bad: not sent: it answered with status 302', 'none: not sent: /nowhere/x could not be read (ENOENT)', ''],
    ]);
    expect(good.receiver.received).toHaveLength(1);
    expect((await run('--test', 'good')).code).toBe(0);
    expect((await run('--test', 'nobody')).code).toBe(2);
  });

  it('are told once, although many processes have news, and what was told is kept', async () => {
    const { receiver, url } = await listen();
    const clients = Array.from({ length: 3 }, () => start(`[webhook.w]\nurl = "${url}"`));
    await Promise.all(clients.map(({ call }, at) => call(1, `no_${at}`)));
    await receiver.until(3);
    await setTimeout(3000);
    expect(receiver.received.map((each) => json(each)['subject']).toSorted()).toEqual(['no_0', 'no_1', 'no_2']);
    expect(receiver.most).toBe(1);
    const state = JSON.parse(readFileSync(sandbox.current.path('state/clawai/notify.json'), 'utf8')) as { channels: object };
    expect(state.channels).toEqual({ w: { sent: 3, dropped: 0, fault: '' } });
  });
});
