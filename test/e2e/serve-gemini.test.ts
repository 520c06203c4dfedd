import { writeFileSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleGenAI } from '@google/genai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, finish, payload, sse, text } from '../support/gemini-events.ts';
import { Running } from '../support/running.ts';
import { Serving } from '../support/serving.ts';

const sandbox = useSandbox();

const KEY = 'AIza-key-of-the-user';
const POLICY = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "run_shell_command"\n';
const CALLING = sse([payload([text('So.'), call('run_shell_command', { command: 'rm -rf /' })]), finish()]);

let provider: Server;
let origin = '';
const asked: { readonly url: string | undefined; readonly key: unknown }[] = [];
let serving: Serving | undefined;
let stream = CALLING;
beforeEach(async () => {
  asked.length = 0;
  stream = CALLING;
  provider = createServer((request, response) => {
    asked.push({ url: request.url, key: request.headers['x-goog-api-key'] });
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await serving?.stop();
  serving = undefined;
  provider.closeAllConnections();
  provider.close();
});

describe('hazard 1: Gemini behind clawai serve', () => {
  it('has a URL, gives only what the policy allows, and no key is written down', async () => {
    serving = await Serving.start(sandbox.current, {
      policy: POLICY,
      config: `[llm.providers.gemini]\nbase_url = "${origin}"\n`,
    });
    const [line = ''] = serving.process.stdout.toString().split('\n');
    const { llm } = JSON.parse(line) as { llm: { name: string; url: string }[] };
    expect(llm).toEqual([{ name: 'gemini', url: expect.stringMatching(/\/llm\/gemini\/[\w-]{22}$/) }]);
    const path = '/v1beta/models/m:streamGenerateContent?alt=sse';
    for (const [query, headers] of [
      [`&key=${KEY}`, {}],
      ['', { 'x-goog-api-key': KEY }],
    ] as const) {
      const answer = await fetch(`${llm[0]?.url}${path}${query}`, { method: 'POST', headers, body: '{"contents":[]}' });
      const made = await answer.text();
      expect(made).toMatch(/\{"text":"So\."\},\{"text":"\[clawai blk_.*denied the tool call/);
      expect(made).not.toContain('functionCall');
    }
    expect(asked).toEqual([
      { url: `${path}&key=${KEY}`, key: undefined },
      { url: path, key: KEY },
    ]);
    expect(sandbox.current.decided()).toMatchObject([
      { type: 'mcp_tool_call_intercepted', action: 'block' },
      { type: 'mcp_tool_call_intercepted', action: 'block' },
    ]);
    provider.closeAllConnections();
    provider.close();
    const failed = await fetch(`${llm[0]?.url}${path}&key=${KEY}`, { method: 'POST', body: '{"contents":[]}' });
    expect(await failed.json()).toMatchObject({ error: { code: 500, status: 'INTERNAL' } });
    expect(JSON.stringify([sandbox.current.decided(), serving.process.stdout.toString(), serving.process.stderr])).not.toContain(
      'AIza',
    );
  });

  it('gives no calls in lists where none are expected', async () => {
    serving = await Serving.start(sandbox.current, {
      policy: POLICY,
      config: `[llm.providers.gemini]\nbase_url = "${origin}"\n`,
    });
    const { candidates } = payload([call('run_shell_command', {})]) as { candidates: object[] };
    for (const answer of [{ candidates: [candidates] }, payload([[call('run_shell_command', {})] as never])]) {
      stream = sse([answer]);
      const made = await fetch(`${serving.llmUrl('gemini')}/v1beta/models/m:streamGenerateContent?alt=sse`, {
        method: 'POST',
        body: '{"contents":[]}',
      });
      expect(await made.text()).toMatch(/^data: \{"error":.*a call is where none is expected/);
    }
  });

  it.each(['', '/v1beta', '/gateway', '/gateway/v1beta'])('takes files, as its SDK sends them, below %j', async (base) => {
    const folder = base.replace('/v1beta', '');
    const place = `${folder}/upload/v1beta/files?upload_id=u&upload_protocol=resumable`;
    provider.removeAllListeners('request').on('request', (request, response) => {
      asked.push({ url: request.url, key: request.headers['x-goog-upload-command'] });
      const isStart = request.headers['x-goog-upload-command'] === 'start';
      const headers = isStart ? { 'x-goog-upload-url': origin + place } : { 'x-goog-upload-status': 'final' };
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers }).end('{"file":{"name":"files/f"}}');
      });
    });
    const config = `[llm.providers.gemini]\nbase_url = "${origin}${base}"\n`;
    serving = await Serving.start(sandbox.current, { policy: POLICY, config });
    const httpOptions = { baseUrl: serving.llmUrl('gemini'), apiVersion: 'v1beta' };
    const { files } = new GoogleGenAI({ apiKey: KEY, httpOptions });
    expect((await files.upload({ file: new Blob(['a']), config: { mimeType: 'text/plain' } })).name).toBe('files/f');
    expect(asked).toEqual([
      { url: `${folder}/upload/v1beta/files`, key: 'start' },
      { url: place, key: 'upload, finalize' },
    ]);
  });
});

describe('clawai run', () => {
  const script = `fetch(process.env.GOOGLE_GEMINI_BASE_URL + '/v1beta/models/m:streamGenerateContent?alt=sse', {
    method: 'POST', headers: { 'x-goog-api-key': process.env.GEMINI_API_KEY }, body: '{"contents":[]}',
  }).then((answer) => answer.text()).then((text) => console.log(text), () => console.log('none'));`;
  const run = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const { current } = sandbox;
    mkdirSync(current.path('config/clawai'), { recursive: true });
    writeFileSync(current.path('config/clawai/policy.toml'), POLICY);
    const command = current.command('run', '--', process.execPath, '-e', script);
    const running = new Running(command, { env: { ...current.env, ...env }, cwd: current.folder });
    return (await running.close()).stdout;
  };

  it('stands before Gemini for an agent that has a key for it', async () => {
    const made = await run({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: `${origin}/gateway` });
    expect(made).toContain('[clawai blk_');
    expect(made).not.toContain('functionCall');
    expect(asked).toEqual([{ url: '/gateway/v1beta/models/m:streamGenerateContent?alt=sse', key: KEY }]);
  });

  it('and leaves an agent without one alone', async () => {
    expect((await run({})).trim()).toBe('none');
    expect(asked).toEqual([]);
  });
});
