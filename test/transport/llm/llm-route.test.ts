import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/gate/ports/approval-port.ts';
import { accumulateMessage } from '../../support/anthropic-accumulator.ts';
import { callBlock, stream, textBlock } from '../../support/anthropic-events.ts';
import { ALLOW, answerJson, answerStream, denyNative, type LlmOptions, readUntilCut } from '../../support/llm-route.ts';
import { useLlm } from '../../support/use-llm.ts';
import { until } from '../../support/until.ts';

const llm = useLlm();
const { run } = llm;

const SECRET = '/etc/shadow';
const ASK = { model: 'm', stream: true, messages: [] };
const LS = callBlock('toolu_A', 'Bash', '{"command":"ls"}');
const CAT = callBlock('toolu_B', 'Bash', `{"command":"cat ${SECRET}"}`);
const TEXT = textBlock('so');
const NO_SHADOW = ALLOW + denyNative('Bash', 'args.command = "**shadow**"');
const PROMPT = `${ALLOW}\n[[rule]]\naction = "prompt"\nserver = "native"\ntool = "Bash"\n`;
const message = (content: unknown[], stop_reason = 'tool_use') => ({ id: 'msg_1', type: 'message', content, stop_reason });
const use = (id: string, command: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command } });
const streaming = (text: string) => (_asked: unknown, response: ServerResponse) => answerStream(response, text);

const ENCODE = {
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const;

describe('a whole answer', () => {
  it('without a call that is denied passes byte for byte', async () => {
    const body = `{ "content":[${JSON.stringify(use('toolu_A', 'ls'))}], "stop_reason": "tool_use","n":1.0}`;
    const { post } = await run({
      policy: NO_SHADOW,
      answer: (_asked, response) =>
        void response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'q' }).end(body),
    });
    const answer = await post(ASK);
    expect(await answer.text()).toBe(body);
    expect(answer.headers.get('request-id')).toBe('q');
    expect(answer.headers.get('content-length')).toBe(String(body.length));
  });

  it('has notes where calls were denied, whatever it stopped for', async () => {
    const { post } = await run({
      policy: NO_SHADOW,
      answer: (_asked, response) =>
        answerJson(response, message([use('toolu_A', 'ls'), use('toolu_B', `cat ${SECRET}`)], 'max_tokens')),
    });
    expect(await (await post(ASK)).json()).toMatchObject({
      content: [{ id: 'toolu_A' }, { type: 'text', text: expect.stringMatching(/^\[clawai blk_/) }],
      stop_reason: 'max_tokens',
    });
  });

  it.each(Object.keys(ENCODE) as (keyof typeof ENCODE)[])('in %s is read all the same', async (coding) => {
    const body = ENCODE[coding](JSON.stringify(message([use('toolu_B', `cat ${SECRET}`)])));
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const { post } = await run({
      policy: NO_SHADOW,
      answer: (_asked, response) => void response.writeHead(200, headers).end(body),
    });
    expect(await (await post(ASK)).json()).toMatchObject({ content: [{ type: 'text' }], stop_reason: 'end_turn' });
  });

  it.each([
    ['no JSON', '<html>'],
    ['a key twice', '{"content":[],"content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['too much', JSON.stringify({ content: 'x'.repeat(1 << 15) })],
  ])('that can not be relied on is refused: %s', async (_what, body) => {
    const { post } = await run({
      limits: { message: 1 << 14, frame: 1 << 14 },
      answer: (_asked, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    });
    const answer = await post(ASK);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('anthropic') } });
  });

  it.each([400, 429, 500, 529])('with the status %i passes as it is', async (status) => {
    const { post } = await run({
      answer: (_asked, response) =>
        void response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end('{"odd": 1.0}'),
    });
    const answer = await post(ASK);
    expect([answer.status, await answer.text(), answer.headers.get('retry-after')]).toEqual([status, '{"odd": 1.0}', '7']);
  });

  it.each([301, 302, 307, 308])('that leads past us is refused: %i', async (status) => {
    const { post, warnings } = await run({
      answer: (_asked, response) => void response.writeHead(status, { location: 'https://api.example.com/v1/messages' }).end(),
    });
    const answer = await post(ASK);
    expect(answer.status).toBe(502);
    expect(warnings).toMatchObject([expect.stringContaining('redirects')]);
  });
});

it('an answer in the words of another API is not asked for', async () => {
  const { post, asked } = await run({ policy: ALLOW, answer: (_asked, response) => answerJson(response, {}) });
  const refused = await post(ASK, {}, '/v1/chat/completions');
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  expect(asked).toEqual([]);
});

describe('where nothing is denied', () => {
  const watched = { setup: { isObserving: true }, policy: ALLOW + denyNative('Bash') };

  it('calls pass, and what would have become of them is on record', async () => {
    const source = stream([TEXT, LS]);
    const { post, records } = await run({ ...watched, answer: streaming(source) });
    expect(await (await post(ASK)).text()).toBe(source);
    expect(records).toMatchObject([{ isObserved: true, decision: { action: 'deny' } }]);
  });

  it('so does what can not be read', async () => {
    const odd = '{"content":[],"content":[]}';
    const { post, asked } = await run({
      ...watched,
      answer: (_asked, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(odd),
    });
    expect(await (await post(odd)).text()).toBe(odd);
    expect(asked[0]?.body.toString()).toBe(odd);
  });
});

describe('the store', () => {
  it('that is taken is waited for', async () => {
    let tries = 0;
    const { post, records } = await run({
      policy: NO_SHADOW,
      sink: { begin: () => ++tries > 5 },
      answer: streaming(stream([CAT, LS])),
    });
    expect(accumulateMessage(await (await post(ASK)).text()).content).toMatchObject([{ type: 'text' }, { id: 'toolu_A' }]);
    expect(records).toHaveLength(2);
  });

  it.each(['begin', 'record', 'commit'] as const)('that fails denies, and says why: %s', async (what) => {
    const fail = (): never => {
      throw new Error('the disk is full');
    };
    const { post, records, warnings } = await run({ sink: { [what]: fail }, answer: streaming(stream([TEXT, LS])) });
    const { content } = accumulateMessage(await (await post(ASK)).text());
    expect(content).toMatchObject([{ text: 'so' }, { type: 'text', text: expect.stringMatching(/record/) }]);
    expect(records).toEqual([]);
    expect(warnings.join('\n')).toContain('the disk is full');
  });

  it('is free while the arguments of a call are made', async () => {
    const source = stream([LS]);
    let goOn = (): void => {};
    const { post, transactions } = await run({
      policy: NO_SHADOW,
      answer: (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(source.slice(0, source.indexOf('input_json_delta')));
        goOn = () => response.end(source.slice(source.indexOf('input_json_delta')));
      },
    });
    const answer = await post(ASK);
    await until('the name has been looked at', () => transactions.begun > 0);
    await setTimeout(20);
    expect(transactions.ended).toBe(transactions.begun);
    goOn();
    expect(accumulateMessage(await answer.text()).content).toHaveLength(1);
    expect(transactions.ended).toBe(transactions.begun);
  });
});

describe('a person is asked', () => {
  /** An approver whose answer is given by the test. */
  function asking(): {
    ports: LlmOptions['ports'];
    answer: (answer: Answer) => void;
    isWithdrawn: () => boolean;
    isAsked: () => boolean;
  } {
    let settle: ((answer: Answer) => void) | undefined;
    let signal: AbortSignal | undefined;
    return {
      ports: {
        approver: {
          ask: (_call, _decision, withdrawn) => {
            signal = withdrawn;
            return new Promise((resolve) => (settle = resolve));
          },
        },
      },
      answer: (answer) => settle?.(answer),
      isWithdrawn: () => signal?.aborted === true,
      isAsked: () => settle !== undefined,
    };
  }

  it.each(['granted', 'refused'] as const)('while the client hears that we are still there: %s', async (approval) => {
    const person = asking();
    const { post, records } = await run({
      policy: PROMPT,
      ports: person.ports!,
      keepAlive: 10,
      answer: streaming(stream([TEXT, LS])),
    });
    const answer = await post(ASK);
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array);
      if (text.split('event: ping').length > 3) person.answer({ approval });
      if (!text.includes('toolu_A') && records.length === 0) expect(text).not.toContain('"ls"');
    }
    expect(accumulateMessage(text).content).toMatchObject([
      { text: 'so' },
      approval === 'granted' ? { id: 'toolu_A' } : { type: 'text' },
    ]);
    expect(records).toMatchObject([{ asked: approval }]);
  });

  it('about a whole answer', async () => {
    const person = asking();
    const { post } = await run({
      policy: PROMPT,
      ports: person.ports!,
      answer: (_asked, response) => answerJson(response, message([use('toolu_A', 'ls')])),
    });
    const answer = post(ASK);
    await until('a person is asked', person.isAsked);
    person.answer({ approval: 'granted' });
    expect(await (await answer).json()).toMatchObject({ content: [{ id: 'toolu_A' }] });
  });

  it.each(['stream', 'json'])('no longer when the client has left: %s', async (kind) => {
    const person = asking();
    let isCut = false;
    const { url, records } = await run({
      policy: PROMPT,
      ports: person.ports!,
      answer: (_asked, response) => {
        response.once('close', () => (isCut = true));
        if (kind === 'json') return answerJson(response, message([use('toolu_A', 'ls')]));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return void response.write(stream([LS]));
      },
    });
    const leaving = new AbortController();
    const answer = fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify(ASK), signal: leaving.signal });
    answer.catch(() => {});
    await until('a person is asked', person.isAsked);
    leaving.abort();
    await until('the question is taken back', person.isWithdrawn);
    await until('that is on record', () => records.length === 1);
    expect(records).toMatchObject([{ asked: 'withdrawn' }]);
    await until('the provider is told', () => isCut);
  });

  it('no longer when the provider says that it has failed', async () => {
    const person = asking();
    let fail = (): void => {};
    const { post, records } = await run({
      policy: PROMPT,
      ports: person.ports!,
      answer: (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(stream([LS]).split('event: message_delta')[0]);
        fail = () => response.write('event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n');
      },
    });
    const answer = post(ASK).then(readUntilCut);
    await until('a person is asked', person.isAsked);
    fail();
    const { text, isWhole } = await answer;
    expect(isWhole).toBe(true);
    expect(text).toContain('overloaded_error');
    expect(text).not.toContain('toolu_A');
    await until('that is on record', () => records.length === 1);
    expect(records).toMatchObject([{ asked: 'withdrawn' }]);
  });

  it('no longer when the provider breaks off', async () => {
    const person = asking();
    let end = (): void => {};
    const { post, records } = await run({
      policy: PROMPT,
      ports: person.ports!,
      answer: (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(stream([LS]).split('event: message_delta')[0]);
        end = () => response.destroy();
      },
    });
    const answer = post(ASK).then(readUntilCut);
    await until('a person is asked', person.isAsked);
    end();
    expect((await answer).text).not.toContain('toolu_A');
    await until('that is on record', () => records.length === 1);
    expect(records).toMatchObject([{ asked: 'withdrawn' }]);
  });
});
