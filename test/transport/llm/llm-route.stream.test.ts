import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { accumulateMessage } from '../../support/anthropic-accumulator.ts';
import { callBlock, stream, textBlock } from '../../support/anthropic-events.ts';
import { ALLOW, answerStream, denyNative, readUntilCut } from '../../support/llm-route.ts';
import { useLlm } from '../../support/use-llm.ts';
import { STRIDE } from '../../support/runs.ts';
import { until } from '../../support/until.ts';

const llm = useLlm();
const { run } = llm;

const SECRET = '/etc/shadow';
const ASK = { model: 'm', stream: true, messages: [] };
const LS = callBlock('toolu_A', 'Bash', '{"command":"ls"}');
const CAT = callBlock('toolu_B', 'Bash', `{"command":"cat ${SECRET}"}`);
const TEXT = textBlock('so');
const NO_SHADOW = ALLOW + denyNative('Bash', 'args.command = "**shadow**"');
const streaming = (text: string) => (_asked: unknown, response: ServerResponse) => answerStream(response, text);

const ENCODE = {
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const;

describe('a streamed answer', () => {
  it('without a call that is denied passes byte for byte', async () => {
    const source = stream([TEXT, LS]);
    const { post, records } = await run({ policy: NO_SHADOW, answer: streaming(source) });
    const answer = await post(ASK);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const made = accumulateMessage(await answer.text());
    expect(made).toEqual(accumulateMessage(source));
    expect(records).toMatchObject([{ decision: { action: 'allow' }, intercepted: { request: 'r.1', id: 'toolu_A' } }]);
  });

  it('has a note where a call was denied', async () => {
    const { post, records } = await run({ policy: NO_SHADOW, answer: streaming(stream([TEXT, CAT, LS])) });
    const text = await (await post(ASK)).text();
    expect(text).not.toContain('toolu_B');
    const { content, stopReason } = accumulateMessage(text);
    expect(content).toMatchObject([{ text: 'so' }, { text: expect.stringMatching(/^\[clawai blk_/) }, { id: 'toolu_A' }]);
    expect(stopReason).toBe('tool_use');
    expect(records.map(({ decision }) => decision.action)).toEqual(['deny', 'allow']);
  });

  it('ends as a turn does where no call is left', async () => {
    const { post } = await run({ policy: ALLOW + denyNative('Bash'), answer: streaming(stream([CAT])) });
    expect(accumulateMessage(await (await post(ASK)).text()).stopReason).toBe('end_turn');
  });

  it('of an unguarded provider passes as it is', async () => {
    const source = stream([CAT]);
    const { post, records } = await run({ policy: NO_SHADOW, isUnguarded: true, answer: streaming(source) });
    expect(await (await post(ASK)).text()).toBe(source);
    expect(records).toEqual([]);
  });

  it.each(Object.keys(ENCODE) as (keyof typeof ENCODE)[])('hazard 27: in %s is read all the same', async (coding) => {
    const { post, asked } = await run({
      policy: NO_SHADOW,
      answer: (_asked, response) => answerStream(response, ENCODE[coding](stream([CAT, TEXT])), { 'content-encoding': coding }),
    });
    const answer = await post(ASK);
    expect(answer.headers.get('content-encoding')).toBeNull();
    const text = await answer.text();
    expect(text).not.toContain('toolu_B');
    expect(accumulateMessage(text).content).toHaveLength(2);
    expect(asked[0]?.headers['accept-encoding']).toBe('identity');
  });

  it.each(['event-stream', 'json'])('hazard 27: in an unknown encoding is refused: %s', async (type) => {
    const headers = { 'content-type': type === 'json' ? 'application/json' : 'text/event-stream', 'content-encoding': 'lzma' };
    const { post } = await run({ answer: (_asked, response) => void response.writeHead(200, headers).end(stream([CAT])) });
    const answer = await post(ASK);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
  });

  it('hazard 27: is ended by an event that is too long, and says why', async () => {
    const { post, warnings } = await run({
      limits: { message: 1 << 20, frame: 1 << 14 },
      answer: streaming(stream([TEXT, textBlock('x'.repeat(1 << 15)), CAT])),
    });
    const text = await (await post(ASK)).text();
    expect(text).toMatch(/event: error\ndata: .*limits\.frame.*\n\n$/);
    expect(text).not.toMatch(/toolu_B|message_stop/);
    expect(warnings).toMatchObject([expect.stringContaining('limits.frame')]);
  });

  it('passes an event of many megabytes', async () => {
    const big = textBlock('x'.repeat(40 * 1024 * 1024));
    const { post } = await run({
      limits: { message: 1 << 26, frame: 1 << 26 },
      policy: NO_SHADOW,
      answer: streaming(stream([big, CAT])),
    });
    const { content } = accumulateLoosely(await (await post(ASK)).text());
    expect(content[0]?.length).toBe(40 * 1024 * 1024);
    expect(content[1]).toContain('[clawai blk_');
  });

  it('is ended with an error where it can not be followed', async () => {
    const { post, warnings } = await run({ answer: streaming('event: message_start\ndata: {\n\n') });
    const text = await (await post(ASK)).text();
    expect(text).toContain('event: error');
    expect(warnings).toMatchObject([expect.stringContaining('not JSON')]);
  });
});

/** The texts of a stream's blocks. */
function accumulateLoosely(text: string): { content: string[] } {
  const content: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: ')) continue;
    const event = JSON.parse(line.slice(6)) as { type: string; index: number; delta?: { text?: string } };
    if (event.delta?.text !== undefined) content[event.index] = (content[event.index] ?? '') + event.delta.text;
  }
  return { content };
}

describe('a stream that is cut', () => {
  const blocks = [TEXT, CAT, LS];
  const source = Buffer.from(stream(blocks));

  it('at any byte tells nothing of a denied call, and never looks complete', async () => {
    let cut = 0;
    const { post } = await run({
      policy: NO_SHADOW,
      answer: (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(source.subarray(0, cut), () => response.destroy());
      },
    });
    const lastEvent = source.lastIndexOf('event: message_stop');
    for (cut = 0; cut < source.length; cut += (cut > lastEvent ? 1 : 3) * STRIDE) {
      const { text, isWhole } = await readUntilCut(await post(ASK));
      expect(text).not.toMatch(/shadow|toolu_B|cat /);
      expect(isWhole, `cut at ${cut}`).toBe(false);
    }
  });

  it('by the end of the answer at any byte has no end of its own', async () => {
    let cut = 0;
    const { post } = await run({
      policy: NO_SHADOW,
      answer: (_asked, response) => answerStream(response, source.subarray(0, cut)),
    });
    for (cut = 0; cut < source.length - 1; cut += 5 * STRIDE) {
      const { text } = await readUntilCut(await post(ASK));
      expect(text).not.toMatch(/shadow|toolu_B|cat /);
      expect(text).not.toContain('message_stop');
    }
  });
});

describe('a slow client', () => {
  it('holds the provider back', async () => {
    let written = 0;
    let isDone = false;
    const delta = stream([textBlock('x'.repeat(8000))]).split('\n\n')[2];
    const [first = ''] = stream([textBlock('a')]).split('event: content_block_delta');
    const { url } = await run({
      policy: NO_SHADOW,
      answer: (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(first);
        const more = (): void => {
          while (written < 64 * 1024 * 1024) {
            written += 8000;
            if (!response.write(`${delta}\n\n`)) return void response.once('drain', more);
          }
          isDone = true;
          response.end();
        };
        more();
      },
    });
    const call = httpRequest(`${url}/v1/messages`, { method: 'POST' });
    call.end(JSON.stringify(ASK));
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.pause();
    let before = -1;
    await until('nothing more is taken', async () => {
      const isStill = before === written;
      before = written;
      await setTimeout(100);
      return isStill && written > 0;
    });
    expect(isDone).toBe(false);
    expect(written).toBeLessThan(24 * 1024 * 1024);
    let length = 0;
    for await (const chunk of answer) length += (chunk as Buffer).length;
    expect(length).toBeGreaterThan(64 * 1024 * 1024);
  });
});
