import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer } from '../../../src/gate/ports/approval-port.ts';
import { ALLOW, denyNative, type LlmOptions } from '../../support/llm-route.ts';
import { runSocket, type RunningSocket } from '../../support/llm-socket.ts';
import { call, type Item, message } from '../../support/response-events.ts';
import { ISSUED, SELF_SIGNED } from '../../support/tls-fixtures.ts';
import { until } from '../../support/until.ts';
import { answer, itemsIn, SocketClient, SocketModel } from '../../support/web-socket.ts';

const READ = call('read', '{"path":"/a"}');
const RM = call('shell', '{"command":"rm -r /"}');
const POLICY = ALLOW + denyNative('shell', 'args.command = "**rm**"');
const PROMPT = `${ALLOW}\n[[rule]]\naction = "prompt"\nserver = "native"\ntool = "read"\n`;
const NOTE = /^\[clawai blk_[\w-]{16}\] clawai denied the tool call "shell"/;
const noted = { type: 'message', content: [{ text: expect.stringMatching(NOTE) as string }] };

let model: SocketModel;
const running: RunningSocket[] = [];
beforeEach(async () => {
  model = await SocketModel.start();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
  await model.stop();
});

async function run(options: Parameters<typeof runSocket>[1] = {}): Promise<RunningSocket> {
  const one = await runSocket(model.origin, { policy: POLICY, ...options });
  running.push(one);
  return one;
}

/** A person who is asked, and answers when the test wants it. */
function asking(): {
  ports: NonNullable<LlmOptions['ports']>;
  isAsked: () => boolean;
  isWithdrawn: () => boolean;
  grant: () => void;
} {
  let settle: ((answer: Answer) => void) | undefined;
  let isWithdrawn = false;
  return {
    ports: {
      approver: {
        ask: (_call, _decision, withdrawn) => {
          withdrawn.addEventListener('abort', () => {
            isWithdrawn = true;
            settle?.({ approval: 'withdrawn' });
          });
          return new Promise((resolve) => (settle = resolve));
        },
      },
    },
    isAsked: () => settle !== undefined,
    isWithdrawn: () => isWithdrawn,
    grant: () => settle?.({ approval: 'granted' }),
  };
}

describe('hazard 1: an answer in frames', () => {
  it('passes as it came without a denied call, with the headers of the handshake both ways', async () => {
    model.headers = ['x-codex-turn-state: s1', 'alt-svc: h3=":443"'];
    const sent = answer([message('So.'), READ]).map((event) => ` ${JSON.stringify(event)}`);
    model.onFrame = (_frame, socket) => sent.forEach((text) => socket.send(text));
    const { open, records, requests, counters } = await run();
    const client = await open({ authorization: 'Bearer sk', 'user-agent': 'codex_exec/1', 'proxy-authorization': 'x' });
    const texts: string[] = [];
    client.socket.on('message', (data) => texts.push(data.toString()));
    const frames = await client.ask({ input: [] });
    // Pieces of a held call pass as one.
    const isWhole = (text: string): boolean => !text.includes('function_call_arguments.delta');
    expect(texts.filter(isWhole)).toEqual(sent.filter(isWhole));
    expect(itemsIn(frames).whole).toEqual([message('So.'), READ]);
    expect(client.headers).toMatchObject({ 'x-codex-turn-state': 's1' });
    expect(client.headers['alt-svc']).toBeUndefined();
    const [{ url = '', headers = {} } = {}] = model.opened;
    expect(url).toBe('/v1/responses');
    expect(headers).toMatchObject({
      authorization: 'Bearer sk',
      'openai-beta': 'responses_websockets=2026-02-06',
      'user-agent': 'codex_exec/1',
      host: new URL(model.origin).host,
    });
    expect([headers['proxy-authorization'], headers['sec-websocket-extensions']]).toEqual([undefined, undefined]);
    expect(model.frames).toEqual([{ type: 'response.create', model: 'm', input: [] }]);
    expect(records).toMatchObject([{ decision: { action: 'allow' } }]);
    expect(requests()).toEqual({ checked: 1, refused: 0, unchecked: 0 });
    expect(counters).toMatchObject({ streams: 0 });
  });

  it('shows a message in place of a denied call everywhere, and the provider is told in the next request', async () => {
    model.say([READ, RM], [message('Done.')]);
    const { open, records } = await run();
    const client = await open();
    const { begun, done, whole } = itemsIn(await client.ask());
    expect(done).toMatchObject([READ, noted]);
    expect(begun.map(({ type }) => type)).toEqual(['function_call', 'message']);
    expect(whole).toMatchObject([READ, noted]);
    expect(JSON.stringify([begun, done, whole])).not.toContain('rm -r');
    const result = { type: 'function_call_output', call_id: READ['call_id'], output: 'x' };
    await client.ask({ previous_response_id: 'resp_1', input: [result] });
    expect(model.frames[1]?.['input']).toEqual([
      { type: 'function_call_output', call_id: RM['call_id'], output: expect.stringContaining('clawai denied') as string },
      result,
    ]);
    expect(records.map(({ decision }) => decision.action)).toEqual(['allow', 'deny']);
  });

  it('shows no call in its first state that is not decided, and none that only its end has', async () => {
    const [created, ...others] = answer([RM]);
    const early = { ...created, response: { ...(created?.['response'] as object), output: [RM] } };
    model.onFrame = (_frame, socket) => {
      for (const event of [early, others.at(-1)]) socket.send(JSON.stringify(event));
    };
    const client = await (await run()).open();
    const frames = await client.ask();
    expect(JSON.stringify(frames)).not.toContain('rm -r');
    expect(frames[0]).toMatchObject({ type: 'response.created', response: { output: [] } });
    expect(itemsIn(frames).whole).toMatchObject([noted]);
  });

  it('is judged by the tools of the requests that it continues', async () => {
    const grouped = call('send', '{"to":"a"}', { namespace: 'mcp__mail' });
    model.say([], [grouped]);
    const { open, records } = await run();
    const client = await open();
    await client.ask({
      generate: false,
      tools: [{ type: 'namespace', name: 'mcp__mail', tools: [{ type: 'function', name: 'send' }] }],
    });
    await client.ask({ previous_response_id: 'resp_1' });
    expect(records).toMatchObject([{ call: { server: 'mail', tool: 'send' } }]);
  });

  it('has a hundred calls, each decided', async () => {
    const calls = Array.from({ length: 100 }, (_, at) =>
      call(at % 2 === 0 ? 'read' : 'shell', `{"command":"${at % 2 === 0 ? 'ls' : 'rm'} ${at}"}`, { call_id: `call_${at}` }),
    );
    model.say(calls);
    const { open, records } = await run();
    const { whole } = itemsIn(await (await open()).ask());
    expect(whole.map(({ type }) => type)).toEqual(calls.map((_, at) => (at % 2 === 0 ? 'function_call' : 'message')));
    expect(records).toHaveLength(100);
  });

  it('may have a call of 10 MiB, held or not', async () => {
    const big = call('shell', JSON.stringify({ command: 'ls', text: 'é'.repeat(5 << 20) }));
    const events = answer([big], {}, 'resp_1', 1 << 16);
    model.onFrame = (_frame, socket) => events.forEach((event) => socket.send(JSON.stringify(event)));
    const { open } = await run({ limits: { message: 1 << 24, frame: 1 << 26 } });
    expect(itemsIn(await (await open()).ask()).whole).toEqual([big]);
  });

  it('ends the connection where an event is too long, and says why', async () => {
    const events = answer([call('shell', JSON.stringify({ command: 'x'.repeat(200_000) }))], {}, 'resp_1', 1 << 15);
    model.onFrame = (_frame, socket) => events.forEach((event) => socket.send(JSON.stringify(event)));
    const client = await (await run({ limits: { message: 1 << 16, frame: 1 << 16 } })).open();
    client.create();
    const frames = await client.until('error');
    expect(frames.at(-1)).toMatchObject({ error: { message: expect.stringContaining('limits.frame') as string } });
    expect(await client.closed).toMatchObject({ code: 1011 });
  });

  it('is put together of fragments', async () => {
    const [first = '', ...others] = answer([RM]).map((event) => JSON.stringify(event));
    model.onFrame = (_frame, socket) => {
      for (const text of [first, ...others]) {
        for (let at = 0; at < text.length; at += 40)
          socket.send(text.slice(at, at + 40), { binary: false, fin: at + 40 >= text.length });
      }
    };
    const client = await (await run()).open();
    expect(itemsIn(await client.ask()).whole).toMatchObject([noted]);
  });

  it.each([
    ['no JSON', '{"type":'],
    ['no object', '[1]'],
    ['no type', '{"item":{}}'],
    ['a call where none is expected', JSON.stringify({ type: 'response.hint', item: RM })],
    ['a stream that nobody asked for', JSON.stringify({ type: 'response.created', response: {}, stream_id: 'x' })],
    ['a receipt with a call', JSON.stringify({ type: 'response.steer.failed', steer: { input: [RM] } })],
    ['bytes', Buffer.from('{}')],
  ])('ends with the connection where it has %s', async (_what, event) => {
    model.onFrame = (_frame, socket) => {
      socket.send(event, { binary: typeof event !== 'string' });
      for (const more of answer([RM])) socket.send(JSON.stringify(more));
    };
    const { open, warnings } = await run();
    const client = await open();
    client.create();
    const frames = await client.until('error');
    expect(frames.at(-1)).toMatchObject({ error: { message: expect.stringContaining('clawai ended this answer') as string } });
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(client.frames).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('ended an answer of the model')]);
    await until('the provider is told', () => model.closed.length === 1);
  });

  it('passes receipts for what the user added, and what comes between answers', async () => {
    const due = { type: 'function_call_output', call_id: 'call_1', name: 'read' };
    const receipts = [
      { type: 'codex.rate_limits', rate_limits: { primary: null } },
      { type: 'response.steer.accepted', sequence_number: 1, steer: { id: 's' } },
      { type: 'response.steer.pending', reason: 'waiting_for_required_input', required_input: [due], steer: {} },
    ];
    model.onFrame = (_frame, socket) => receipts.forEach((receipt) => socket.send(JSON.stringify(receipt)));
    const { open, counters } = await run();
    const client = await open();
    const steer = { type: 'response.steer', previous_response_id: 'resp_1', input: 'Faster.' };
    client.send(steer);
    expect(await client.until('response.steer.pending')).toEqual(receipts);
    expect(model.frames).toEqual([steer]);
    expect(counters.streams).toBe(0);
  });

  it('is over at its end, whatever comes between it and the next', async () => {
    model.say([READ], [READ]);
    const { onFrame } = model;
    model.onFrame = (frame, socket) => {
      onFrame(frame, socket);
      for (const type of ['response.metadata', 'codex.rate_limits', 'keepalive']) socket.send(JSON.stringify({ type }));
    };
    const client = await (await run()).open();
    await client.ask();
    await client.until('keepalive');
    expect(itemsIn(await client.ask()).whole).toEqual([READ]);
  });

  it('is judged even where it has no beginning, and nobody asked', async () => {
    model.onFrame = (_frame, socket) => {
      for (const event of [...answer([]), ...answer([READ, RM]).slice(2)]) socket.send(JSON.stringify(event));
    };
    const client = await (await run()).open();
    await client.ask();
    const frames = await client.until('response.completed');
    expect(JSON.stringify(frames)).not.toContain('rm -r');
    expect(itemsIn(frames).whole).toMatchObject([READ, noted]);
  });

  it('goes on by itself after what the user added, and is judged again', async () => {
    model.onFrame = (_frame, socket) => {
      for (const event of [...answer([]), ...answer([RM], {}, 'resp_2')]) socket.send(JSON.stringify(event));
    };
    const client = await (await run()).open();
    await client.ask();
    const { whole } = itemsIn(await client.until('response.completed'));
    expect(whole).toMatchObject([noted]);
  });
});

describe('answers in streams of their own', () => {
  it('are judged apart where their events interleave', async () => {
    const asked: string[] = [];
    model.onFrame = ({ stream_id: lane }, socket) => {
      if (asked.push(String(lane)) < 2) return;
      const [a, b] = asked.map((stream_id, at) => answer([at === 0 ? RM : READ], { stream_id }, `resp_${stream_id}`));
      for (let at = 0; at < Math.max(a?.length ?? 0, b?.length ?? 0); at++)
        for (const event of [a?.[at], b?.[at]]) if (event !== undefined) socket.send(JSON.stringify(event));
    };
    const client = await (await run()).open();
    client.create({ stream_id: 'a' });
    client.create({ stream_id: 'b' });
    const frames = [...(await client.until('response.completed')), ...(await client.until('response.completed'))];
    expect(frames.every((frame) => ['a', 'b'].includes(String(frame['stream_id'])))).toBe(true);
    expect(itemsIn(frames.filter((frame) => frame['stream_id'] === 'a')).whole).toMatchObject([noted]);
    expect(itemsIn(frames.filter((frame) => frame['stream_id'] === 'b')).whole).toEqual([READ]);
  });

  it('do not wait for a person who is asked about a call in another one', async () => {
    const person = asking();
    model.onFrame = ({ stream_id: lane }, socket) => {
      const item = lane === 'a' ? READ : RM;
      for (const event of answer([item], { stream_id: lane }, `resp_${String(lane)}`)) socket.send(JSON.stringify(event));
    };
    const policy = `${PROMPT}[[rule]]\naction = "deny"\nserver = "native"\ntool = "shell"\n`;
    const client = await (await run({ policy, ports: person.ports })).open();
    client.create({ stream_id: 'a' });
    await until('a person is asked', person.isAsked);
    for (let turn = 0; turn < 3; turn++) {
      client.create({ stream_id: 'b' });
      const frames = await client.until('response.completed');
      expect(itemsIn(frames.filter((frame) => frame['stream_id'] === 'b')).whole).toMatchObject([noted]);
      expect(frames.filter((frame) => frame['stream_id'] === 'a' && 'item' in frame)).toEqual([]);
    }
    person.grant();
    const rest = await client.until('response.completed');
    expect(itemsIn(rest.filter((frame) => frame['stream_id'] === 'a')).whole).toEqual([READ]);
  });

  it('are no more than fit, and the rest is refused', async () => {
    const client = await (await run()).open();
    for (let at = 0; at < 65; at++) client.create({ stream_id: `s${at}` });
    const frames = await client.until('error');
    expect(frames.at(-1)).toMatchObject({ status: 400, stream_id: 's64', error: { message: /more than 64/ } });
  });
});

describe('hazard 1: a frame of the client', () => {
  const input = 'Do it.';
  it.each([
    ['an unknown type', { type: 'response.fork', input }, /its type is "response\.fork"/],
    ['no type', { input }, /its type is ""/],
    ['its parameters within', { type: 'response.create', response: { input } }, /belong beside its type/],
    ['no JSON', '{"type":"response.create"', /is not JSON/],
    ['no object', '[]', /is no object/],
    ['a key twice', '{"type":"response.create","input":"a","input":"b"}', /a key occurs twice/],
    ['a type twice', '{"type":"response.steer","type":"response.create"}', /a key occurs twice/],
    ['a key in another case', { type: 'response.create', input, Tools: [] }, /readers take for another/],
    ['its type in another case', { type: 'response.create', Type: 'x' }, /readers take for another/],
    ['tools that are no list', { type: 'response.create', tools: {} }, /tools that are no list/],
    ['a stream that is no name', { type: 'response.create', stream_id: 7 }, /stream_id that cannot be read/],
    [
      'tools as words of the user',
      { type: 'response.steer', previous_response_id: 'r', input: [{ type: 'additional_tools', tools: [] }] },
      /may only have messages/,
    ],
    [
      'a result as words of the user',
      { type: 'response.steer', previous_response_id: 'r', input: [{ type: 'function_call_output', call_id: 'c' }] },
      /may only have messages/,
    ],
    [
      'more than an interruption',
      { type: 'response.interrupt', response_id: 'r', input: [] },
      /members that clawai does not know/,
    ],
  ])('with %s is refused, and the connection goes on', async (_what, frame, why) => {
    const { open, requests } = await run();
    const client = await open();
    client.send(frame);
    const frames = await client.until('error');
    expect(frames).toMatchObject([
      { status: 400, error: { type: 'invalid_request_error', message: expect.stringMatching(why) } },
    ]);
    expect(model.frames).toEqual([]);
    expect(requests()).toEqual({ checked: 0, refused: 1, unchecked: 0 });
    model.say([READ]);
    expect(itemsIn(await client.ask()).whole).toEqual([READ]);
  });

  it('loses the tools that the provider must not run', async () => {
    model.say([]);
    const { open } = await run({ policy: ALLOW + denyNative('web_search') });
    await (await open()).ask({ tools: [{ type: 'web_search' }, { type: 'function', name: 'read' }] });
    expect(model.frames[0]?.['tools']).toEqual([{ type: 'function', name: 'read' }]);
  });

  it('with the result of a denied call is put on record before it goes on', async () => {
    model.say([RM], []);
    const { open, deniedResults } = await run();
    const client = await open();
    await client.ask();
    await client.ask({ input: [{ type: 'function_call_output', call_id: RM['call_id'], output: 'x' }] });
    expect(deniedResults).toMatchObject([{ tool: 'shell', request: 'r.2' }]);
  });

  it('asks for nothing more before the last answer is complete', async () => {
    model.onFrame = (_frame, socket) => {
      const [created] = answer([]);
      socket.send(JSON.stringify(created));
    };
    const client = await (await run()).open();
    client.create();
    client.create();
    expect((await client.until('error')).at(-1)).toMatchObject({ error: { message: /the last response is not complete yet/ } });
    expect(model.frames).toHaveLength(1);
  });

  it('starts over where the provider does not know a denied call any more', async () => {
    const refused = { type: 'invalid_request_error', message: 'No tool output found for function call call_1.', code: null };
    model.onFrame = (_frame, socket) => socket.send(JSON.stringify({ type: 'error', status: 400, error: refused }));
    const client = await (await run()).open();
    client.create({ previous_response_id: 'resp_0' });
    expect(await client.until('error')).toMatchObject([{ status: 400, error: { code: 'previous_response_not_found' } }]);
    client.create();
    expect(await client.until('error')).toMatchObject([{ status: 400, error: refused }]);
  });

  it.each([
    ['bytes', (client: SocketClient) => client.socket.send(Buffer.from('{}'), { binary: true }), 1003],
    ['wrong UTF-8', (client: SocketClient) => client.socket.send(Buffer.of(0xff), { binary: false }), 1007],
    ['too many bytes', (client: SocketClient) => client.create({ input: 'x'.repeat(1 << 17) }), 1009],
  ])('with %s ends the connection', async (_what, send, code) => {
    const client = await (await run({ limits: { message: 1 << 16, frame: 1 << 16 } })).open();
    send(client);
    expect(await client.closed).toMatchObject({ code });
    await until('the provider is told', () => model.closed.length === 1);
    expect(model.frames).toEqual([]);
  });
});

describe('while a person is asked', () => {
  it('keeps the client waiting by events that count, and goes on with the answer', async () => {
    const person = asking();
    model.say([READ]);
    const client = await (await run({ policy: PROMPT, ports: person.ports, keepAlive: 10 })).open();
    client.create();
    await until('the client is kept waiting', () => client.frames.filter(({ type }) => type === 'keepalive').length > 2);
    expect(JSON.stringify(client.frames)).not.toContain(String(READ['call_id']));
    person.grant();
    expect(itemsIn(await client.until('response.completed')).whole).toEqual([READ]);
  });

  it.each(['client', 'provider'])('takes the question back when the %s has gone', async (side) => {
    const person = asking();
    model.say([READ]);
    const { open, records, isBusy } = await run({ policy: PROMPT, ports: person.ports });
    const client = await open();
    client.create();
    await until('a person is asked', person.isAsked);
    if (side === 'client') client.socket.terminate();
    else model.sockets[0]?.terminate();
    await until('the question is taken back', person.isWithdrawn);
    await until('that is on record', () => records.length === 1);
    expect(records).toMatchObject([{ asked: 'withdrawn' }]);
    expect((await client.closed).code).toBe(1006);
    await until('the provider is told', () => model.closed.length === 1);
    await until('nothing is left', () => !isBusy());
  });

  it('waits for the answer where the provider has closed after its last event', async () => {
    const person = asking();
    model.onFrame = (_frame, socket) => {
      for (const event of answer([READ])) socket.send(JSON.stringify(event));
      socket.close(1000, 'done');
    };
    const client = await (await run({ policy: PROMPT, ports: person.ports })).open();
    client.create();
    await until('a person is asked', person.isAsked);
    await sleep(50);
    person.grant();
    expect(itemsIn(await client.until('response.completed')).whole).toEqual([READ]);
    expect(await client.closed).toEqual({ code: 1000, reason: 'done' });
  });

  it('takes the question back when the client interrupts the answer', async () => {
    const person = asking();
    const [...events] = answer([READ]);
    const interrupt = { type: 'response.interrupt', response_id: 'resp_1', mode: 'discard_partial_items' };
    model.onFrame = (frame, socket) => {
      const isAsked = frame.type === 'response.create';
      const last = { ...events.at(-1), type: 'response.incomplete' };
      for (const event of isAsked ? events.slice(0, -1) : [last]) socket.send(JSON.stringify(event));
    };
    const client = await (await run({ policy: PROMPT, ports: person.ports })).open();
    client.create();
    await until('a person is asked', person.isAsked);
    client.send(interrupt);
    const frames = await client.until('response.incomplete');
    expect(frames.at(-1)).toMatchObject({ response: { output: [{ type: 'message' }] } });
    expect(model.frames.at(-1)).toEqual(interrupt);
  });
});

describe('the connection', () => {
  it.each([
    [4001, 'later'],
    [1000, ''],
  ])('closes on both sides alike: %i', async (code, reason) => {
    const { open, isBusy } = await run();
    const first = await open();
    first.socket.close(code, reason);
    await until('the provider is told', () => model.closed.length === 1);
    expect(model.closed).toEqual([{ code, reason }]);
    const second = await open();
    model.sockets[1]?.close(code, reason);
    expect(await second.closed).toEqual({ code, reason });
    await until('nothing is left', () => !isBusy());
  });

  it('passes pings and pongs on', async () => {
    const client = await (await run()).open();
    client.socket.ping(Buffer.from('up'));
    expect(String((await once(client.socket, 'pong'))[0])).toBe('up');
    const [upstream] = model.sockets;
    upstream?.ping(Buffer.from('down'));
    expect(String((await once(upstream!, 'pong'))[0])).toBe('down');
  });

  it('closes with the listener: at once without an open answer, else after it', async () => {
    const { open, close } = await run();
    const [idle, busy] = [await open(), await open()];
    busy.create();
    await until('it is asked', () => model.frames.length === 1);
    const closing = close(5000);
    expect(await idle.closed).toEqual({ code: 1001, reason: 'clawai is shutting down' });
    for (const event of answer([READ])) model.sockets[1]?.send(JSON.stringify(event));
    expect(itemsIn(await busy.until('response.completed')).whole).toEqual([READ]);
    expect(await busy.closed).toMatchObject({ code: 1001 });
    await closing;
    running.splice(0);
  });

  it('closes after ten minutes in which nothing was said, but not while an answer is open', async () => {
    let passed = 0;
    const { now } = performance;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed);
    const { open } = await run({ keepAlive: 20 });
    const [idle, busy] = [await open(), await open()];
    busy.create();
    await until('it is asked', () => model.frames.length === 1);
    passed = 9.9 * 60_000;
    await sleep(100);
    expect([idle.socket.readyState, busy.socket.readyState]).toEqual([1, 1]);
    passed = 10.1 * 60_000;
    expect(await idle.closed).toEqual({ code: 1001, reason: 'nothing was said for too long' });
    for (const event of answer([READ])) model.sockets[1]?.send(JSON.stringify(event));
    expect(itemsIn(await busy.until('response.completed')).whole).toEqual([READ]);
    expect(busy.socket.readyState).toBe(1);
    clock.mockRestore();
  });

  it('stops to read the provider while the client does not read, and loses nothing', async () => {
    const text = 'x'.repeat(100_000);
    const pieces = 400;
    let sent = 0;
    model.onFrame = (_frame, socket) => {
      const [created, added, begun, delta, ...others] = answer([message(text.slice(0, 7))]);
      for (const event of [created, added, begun]) socket.send(JSON.stringify(event));
      for (let at = 0; at < pieces; at++)
        socket.send(JSON.stringify({ ...delta, type: 'response.output_text.delta', delta: text }), {}, () => sent++);
      for (const event of others) socket.send(JSON.stringify(event));
    };
    const client = await (await run()).open();
    client.socket.pause();
    client.create();
    await sleep(500);
    const before = sent;
    expect(before).toBeLessThan(pieces * 0.8);
    client.socket.resume();
    const frames = await client.until('response.completed');
    expect(frames.filter(({ type }) => type === 'response.output_text.delta').length).toBeGreaterThanOrEqual(pieces);
  });

  it('reads no more of the client than the provider takes', async () => {
    const { open } = await run({ limits: { message: 1 << 24, frame: 1 << 24 } });
    const client = await open();
    model.sockets[0]?.pause();
    let sent = 0;
    for (let at = 0; at < 40; at++)
      client.socket.send(
        JSON.stringify({ type: 'response.steer', previous_response_id: 'r', input: 'x'.repeat(1 << 20) }),
        {},
        () => sent++,
      );
    await sleep(500);
    expect(sent).toBeLessThan(35);
    model.sockets[0]?.resume();
    await until('all has come', () => model.frames.length === 40);
  });
});

describe('a WebSocket that is not to be had', () => {
  it.each([
    [401, '{"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}}'],
    [403, '<html>no</html>'],
    [429, '{"error":{"message":"Slow down"}}'],
    [426, ''],
  ])('has the status, headers and body of the provider: %i', async (status, body) => {
    model.refusal = (socket) =>
      void socket.end(`HTTP/1.1 ${status} No\r\nx-why: so\r\nretry-after: 7\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const { url, requests } = await run();
    const refused = await SocketClient.refused(url);
    expect(refused).toMatchObject({ status, body, headers: { 'x-why': 'so', 'retry-after': '7' } });
    expect(requests()).toEqual({ checked: 0, refused: 0, unchecked: 0 });
  });

  it.each([
    ['302 Found\r\nlocation: https://evil.example/', /redirects \(302\)/],
    ['200 OK', /opens no WebSocket \(status 200\)/],
    [
      '101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: x',
      /Invalid Sec-WebSocket-Accept/,
    ],
  ])('is a failure where the provider answers %j', async (head, why) => {
    model.refusal = (socket) => void socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`);
    const { url } = await run();
    expect(await SocketClient.refused(url)).toMatchObject({ status: 502, body: expect.stringMatching(why) });
  });

  it('is a failure where the provider is not there', async () => {
    const gone = await SocketModel.start();
    const one = await runSocket(gone.origin);
    running.push(one);
    await gone.stop();
    expect(await SocketClient.refused(one.url)).toMatchObject({ status: 502, body: /the connection was refused/ });
  });

  it('is the client for whom nobody waits', async () => {
    let [isAsked, isLeft] = [false, false];
    model.refusal = (connection) => {
      isAsked = true;
      connection.resume().once('end', () => {
        isLeft = true;
        connection.destroy();
      });
    };
    const { url, close, isBusy } = await run();
    const { port, pathname } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
        'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await until('the provider is asked', () => isAsked);
    await close(0);
    running.splice(0);
    await until('the provider is left', () => isLeft);
    expect(isBusy()).toBe(false);
    socket.destroy();
  });

  it.each([
    ['/responses/compact', 426],
    ['/realtime', 426],
    ['/chat/completions', 426],
  ])('is refused at %s', async (path, status) => {
    const { url } = await run();
    expect(await SocketClient.refused(url.replace(/\/responses$/, path))).toMatchObject({ status });
    expect(model.opened).toEqual([]);
  });

  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ host: 'evil.example' }, 403],
    [{ 'x-http-method-override': 'POST' }, 426],
  ])('is refused with %j', async (headers, status) => {
    const { url } = await run();
    expect(await SocketClient.refused(url, headers)).toMatchObject({ status });
    expect(model.opened).toEqual([]);
  });
});

describe('a provider with TLS', () => {
  it('is asked by wss, if its key is the pinned one', async () => {
    const secure = await SocketModel.start(SELF_SIGNED);
    const [trusted, other] = await Promise.all(
      [SELF_SIGNED, ISSUED].map(({ fingerprint: tlsFingerprint }) =>
        runSocket(secure.origin, { policy: POLICY, tlsFingerprint }),
      ),
    );
    running.push(trusted!, other!);
    secure.say([READ, RM]);
    expect(itemsIn(await (await trusted!.open()).ask()).whole).toMatchObject([READ, noted]);
    expect(await SocketClient.refused(other!.url)).toMatchObject({ status: 502, body: /another key than the pinned one/ });
    expect(secure.opened).toHaveLength(1);
    await secure.stop();
  });
});

describe('where nothing is looked at', () => {
  it('is passed as an ordinary request', async () => {
    const { url } = await run({ isUnguarded: true });
    expect(await SocketClient.refused(url)).toMatchObject({ status: 404, body: '{}' });
    expect(model.opened).toEqual([]);
  });
});

describe('where nothing is denied', () => {
  it('passes what nobody understands, and records the calls', async () => {
    const items: readonly Item[] = [RM];
    model.say(items);
    const { open, records } = await run({ setup: { isObserving: true } });
    const client = await open();
    client.send({ type: 'response.fork' });
    expect(itemsIn(await client.ask()).whole).toEqual(items);
    expect(model.frames.map(({ type }) => type)).toEqual(['response.fork', 'response.create']);
    expect(records).toMatchObject([{ decision: { action: 'deny' } }]);
  });
});
