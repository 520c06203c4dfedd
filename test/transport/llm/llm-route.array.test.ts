import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { geminiApi } from '../../../src/protocol/llm/gemini/api.ts';
import { accumulateArray } from '../../support/gemini-accumulator.ts';
import { call, finish, jsonArray, payload, pieces, text } from '../../support/gemini-events.ts';
import { ALLOW, denyNative, type LlmOptions, runLlm, type RunningLlm } from '../../support/llm-route.ts';

const PATH = '/v1beta/models/m:streamGenerateContent';
const NOTE = { text: expect.stringMatching(/^\[clawai blk_/) };
const READ = call('read', { path: '/a' });
const BASH = call('Bash', { command: 'rm' });
const SOURCE = jsonArray([payload([text('so')]), payload([BASH, READ]), finish()]);

let running: RunningLlm | undefined;
afterEach(() => running?.close());

async function ask(options: Pick<LlmOptions, 'answer'> & Partial<LlmOptions>): Promise<{ made: string; status: number }> {
  running = await runLlm({ api: geminiApi, policy: ALLOW + denyNative('Bash'), ...options });
  const answer = await running.post({ contents: [] }, {}, PATH);
  return { made: await answer.text(), status: answer.status };
}

function answering(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): LlmOptions['answer'] {
  return (_asked, response) => void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
}

describe('an answer that is an array in pieces', () => {
  it('has its calls judged and recorded', async () => {
    const { made } = await ask({ answer: answering(SOURCE) });
    expect(accumulateArray(made).candidates[0]).toEqual([text('so'), NOTE, READ]);
    expect(running?.records.map(({ decision }) => decision.action)).toEqual(['deny', 'allow']);
  });

  it('goes on while it comes, and white space tells that we are still there', async () => {
    const held = pieces('read', { id: 'p', path: '$.path', value: '/a' }).map((part) => payload([part]));
    const source = jsonArray([payload([text('so')]), ...held, finish()]);
    const at = source.indexOf('"partialArgs"');
    const answer = async (_asked: unknown, response: ServerResponse): Promise<void> => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(source.slice(0, at));
      await setTimeout(120);
      response.end(source.slice(at));
    };
    running = await runLlm({ api: geminiApi, keepAlive: 20, answer: (asked, response) => void answer(asked, response) });
    const answered = await running.post({ contents: [] }, {}, PATH);
    const seen: string[] = [];
    for await (const chunk of answered.body ?? []) seen.push(Buffer.from(chunk as Uint8Array).toString());
    expect(seen[0]).toContain('"so"');
    // Of the held call there is nothing in the first pieces.
    expect(seen.slice(0, 3).join('')).not.toContain('functionCall');
    expect(seen.slice(1, 3)).toEqual(['\n\n', '\n\n']);
    expect(JSON.parse(seen.join(''))).toEqual(JSON.parse(source));
  });

  it('hazard 27: is read in its encoding', async () => {
    const { made } = await ask({ answer: answering(gzipSync(SOURCE), { 'content-encoding': 'gzip' }) });
    expect(accumulateArray(made).candidates[0]).toEqual([text('so'), NOTE, READ]);
  });

  it('hazard 27: is ended by an element that is too long, and says why', async () => {
    const long = jsonArray([payload([text('so')]), payload([text('x'.repeat(1 << 15)), BASH])]);
    const { made } = await ask({ answer: answering(long), limits: { message: 1 << 20, frame: 1 << 14 } });
    expect(accumulateArray(made)).toMatchObject({
      candidates: [[text('so')]],
      error: { message: expect.stringContaining('limits.frame') },
    });
    expect(running?.warnings).toMatchObject([expect.stringContaining('limits.frame')]);
  });

  it.each([
    ['one object', JSON.stringify(payload([BASH]))],
    ['junk behind an element', `[${JSON.stringify(payload([text('so')]))} x, ${JSON.stringify(payload([BASH]))}]`],
    ['a number', '[1]'],
  ])('that is none is ended with an error: %s', async (_what, body) => {
    const { made } = await ask({ answer: answering(body) });
    expect(accumulateArray(made)).toMatchObject({ error: { message: 'clawai ended this answer: it has no list of events.' } });
    expect(made).not.toContain('Bash');
  });

  it('is passed as it came where it tells of a failure', async () => {
    const failure = '[{"error":{"code":400,"message":"odd","status":"INVALID_ARGUMENT"}}\n]\n';
    const { made, status } = await ask({
      answer: (_asked, response) => void response.writeHead(400, { 'content-type': 'application/json' }).end(failure),
    });
    expect([status, made]).toEqual([400, failure]);
  });

  it('is an object elsewhere', async () => {
    running = await runLlm({
      api: geminiApi,
      policy: ALLOW + denyNative('Bash'),
      answer: answering(JSON.stringify(payload([BASH]))),
    });
    const answer = await running.post({ contents: [] }, {}, '/v1beta/models/m:generateContent');
    expect(await answer.json()).toMatchObject({ candidates: [{ content: { parts: [NOTE] } }] });
  });
});
