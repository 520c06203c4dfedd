import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Rounds } from '../../../src/gate/rounds.ts';
import { anthropicApi } from '../../../src/protocol/llm/anthropic/api.ts';
import type { ModelApi } from '../../../src/protocol/llm/model-api.ts';
import { UpstreamResponse } from '../../../src/transport/http/upstream-response.ts';
import { type ModelStreamEnd, relayModel } from '../../../src/transport/llm/model-relay.ts';
import type { BigCallHeap } from '../../../src/transport/llm/llm-guard.ts';
import { callBlock, stream, textBlock } from '../../support/anthropic-events.ts';
import { ALLOW, createModelGate, readUntilCut } from '../../support/llm-route.ts';

interface Relayed {
  /** What the provider sends, a chunk at a time. */
  readonly source: UpstreamResponse;
  readonly response: ServerResponse;
  readonly answer: Promise<{ text: string; isWhole: boolean }>;
  readonly end: Promise<ModelStreamEnd>;
  readonly log: string[];
}

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A relay between a provider that the test plays and a client on a real connection. */
async function relay(policy = ALLOW, api: ModelApi = anthropicApi, heap?: BigCallHeap): Promise<Relayed> {
  const log: string[] = [];
  const control = {
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
    abort: () => log.push('abort'),
  };
  const source = new UpstreamResponse(200, [], control);
  const { gate } = createModelGate(policy);
  const { promise, resolve } = Promise.withResolvers<Pick<Relayed, 'response' | 'end'>>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const request = { dialect: 'anthropic', id: 'r.1', client: undefined, tools: new Map() };
    const parts = { api, gate, rounds: new Rounds(), request, source, response };
    const end = relayModel({ ...parts, maxFrame: 1 << 20, warn: (line) => log.push(line), ...(heap && { heap }) });
    response.flushHeaders();
    resolve({ response, end });
  });
  servers.push(server);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then(readUntilCut);
  return { source, answer, log, ...(await promise) };
}

it('keeps what lies in memory that is used again, however many chunks one turn brings', async () => {
  const source = stream([textBlock('first text'), textBlock('other text'), textBlock('third text')]);
  const relayed = await relay();
  // Each event is put together from pieces, all within one turn.
  for (let at = 0; at < source.length; at += 11) relayed.source.deliver(Buffer.from(source.slice(at, at + 11)));
  relayed.source.finish();
  expect(await relayed.answer).toEqual({ text: source, isWhole: true });
  expect(await relayed.end).toBe('ended');
});

it('tells of big events, whose values are garbage after them', async () => {
  const chunks: number[] = [];
  const copied: number[] = [];
  const heap = {
    beforeBig() {},
    copied: (bytes: number) => copied.push(bytes),
    afterChunk: (bytes: number) => chunks.push(bytes),
  };
  const relayed = await relay(ALLOW, anthropicApi, heap);
  const source = stream([textBlock('a'), textBlock('x'.repeat(600_000))]);
  relayed.source.deliver(Buffer.from(source.slice(0, 300)));
  relayed.source.deliver(Buffer.from(source.slice(300, 560_000)));
  relayed.source.deliver(Buffer.from(source.slice(560_000)));
  relayed.source.finish();
  expect((await relayed.answer).text).toBe(source);
  expect(chunks).toEqual([expect.toSatisfy((bytes: number) => bytes > 600_000 && bytes < 601_000)]);
  // V8 does not see how long the chunks of an unfinished event were.
  expect(copied).toEqual([560_000 - 300]);
});

it('is over where the client leaves, and gives the provider up', async () => {
  const relayed = await relay();
  relayed.source.deliver(Buffer.from(stream([textBlock('a')]).slice(0, 300)));
  relayed.response.destroy();
  expect(await relayed.end).toBe('client_gone');
  expect(relayed.log).toContain('abort');
});

it('has no end of its own where the provider breaks off', async () => {
  const relayed = await relay();
  relayed.source.deliver(Buffer.from(stream([textBlock('a')]).slice(0, 300)));
  await setImmediate();
  relayed.source.break(new Error('reset'));
  expect(await relayed.end).toBe('broken');
  expect((await relayed.answer).isWhole).toBe(false);
});

it.each(['push', 'end'] as const)('breaks off where %s fails, whoever is to blame', async (step) => {
  const fail = (): never => {
    throw new RangeError('too much');
  };
  const api: ModelApi = {
    ...anthropicApi,
    createStream: (options) => Object.assign(anthropicApi.createStream(options), { [step]: fail }),
  };
  const relayed = await relay(ALLOW, api);
  relayed.source.deliver(Buffer.from(stream([textBlock('a')])));
  relayed.source.finish();
  expect(await relayed.end).toBe('broken');
  expect(await relayed.answer).toMatchObject({ isWhole: false });
  expect(relayed.log).toContain('could not follow an answer of the model: RangeError: too much');
});

it('tells the client where it can not be followed, and gives the provider up', async () => {
  const relayed = await relay();
  relayed.source.deliver(Buffer.from('data: {\n\n'));
  expect(await relayed.end).toBe('fault');
  expect((await relayed.answer).text).toMatch(/^event: error\n/);
  expect(relayed.log).toContain('abort');
});

it('takes nothing more while a call is decided, and goes on after that', async () => {
  const source = stream([callBlock('toolu_A', 'Bash', '{"command":"ls"}'), textBlock('so')], 'end_turn');
  const at = source.indexOf('"index":1');
  const relayed = await relay();
  relayed.source.deliver(Buffer.from(source.slice(0, at)));
  expect(relayed.log).toEqual(['pause']);
  await setImmediate();
  await setImmediate();
  expect(relayed.log).toEqual(['pause', 'resume']);
  relayed.source.deliver(Buffer.from(source.slice(at)));
  relayed.source.finish();
  const { text } = await relayed.answer;
  expect(text).toContain('toolu_A');
  expect(text).toContain('message_stop');
});
