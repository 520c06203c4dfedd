import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { ModelMock } from '../support/model-mock.ts';
import { type Ended, Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

let mock: ModelMock;
beforeEach(async () => {
  mock = await ModelMock.start([]);
  mkdirSync(sandbox.current.path('lib/@openai/codex'), { recursive: true });
  copyFileSync(support('codex-agent.mjs'), codex());
});
afterEach(() => mock.stop());

const codex = (): string => sandbox.current.path('lib/@openai/codex/codex.mjs');

function write(name: string, text: string): void {
  const file = sandbox.current.path(name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { current } = sandbox;
  return new Running(current.command('run', '--session', 'nightly', '--', ...words), {
    env: { ...current.env, ...env },
    cwd: current.folder,
  }).close();
}

const start = (...args: readonly string[]): readonly string[] => [process.execPath, codex(), ...args];
const OURS = /^openai_base_url="http:\/\/127\.0\.0\.1:\d+\/llm\/openai\/[\w-]{22}"$/;
const LOGIN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.sig';
const DECLARED = (): string =>
  `[llm.providers.openai]\nbase_url = "${mock.origin}/v1"\n[llm.providers.chatgpt]\ndialect = "openai"\nbase_url = "${mock.origin}/backend-api/codex"\n`;

describe('hazard 1: Codex, started by clawai run', () => {
  it('is led to us by an argument, and keeps its own', async () => {
    write('config/clawai/config.toml', DECLARED());
    const { stdout, stderr } = await run(start('exec', '--profile', 'work', 'resume', '--last', 'hi'), { TOKEN: 'sk-key' });
    expect(JSON.parse(stdout)).toEqual({
      args: ['-c', expect.stringMatching(OURS), 'exec', '--profile', 'work', 'resume', '--last', 'hi'],
      status: 200,
    });
    expect(mock.requests).toMatchObject([
      { method: 'GET', url: '/v1/models?client_version=1', headers: { authorization: 'Bearer sk-key' } },
    ]);
    expect(stderr).not.toContain('is not checked');
  });

  it.each([
    [{ TOKEN: LOGIN, ACCOUNT: 'acc-1' }, '/backend-api/codex/models?client_version=1'],
    [{ TOKEN: LOGIN }, '/backend-api/codex/models?client_version=1'],
    [{ TOKEN: 'opaque', ACCOUNT: 'acc-1' }, '/backend-api/codex/models?client_version=1'],
    [{ TOKEN: 'sk-proj-eyJx' }, '/v1/models?client_version=1'],
  ])('with %j asks the address that is for it', async (env, url) => {
    write('config/clawai/config.toml', DECLARED());
    await run(start('exec', 'hi'), env);
    expect(mock.requests).toMatchObject([{ url }]);
  });

  it('asks where its settings lead, behind us', async () => {
    write('home/.codex/config.toml', `openai_base_url = "${mock.origin}/corp/v1"\n`);
    await run(start('exec', 'hi'), { TOKEN: 'sk-key' });
    const { stdout } = await run(start('exec', '-c', `openai_base_url="${mock.origin}/mine"`, 'hi'), { TOKEN: LOGIN });
    expect(mock.requests.map(({ url }) => url)).toEqual(['/corp/v1/models?client_version=1', '/mine/models?client_version=1']);
    expect(JSON.parse(stdout)).toMatchObject({
      args: [...Array.from({ length: 5 }, () => expect.anything()), '-c', expect.stringMatching(OURS), 'hi'],
    });
  });

  it("asks the user's own provider behind us, and none without an address", async () => {
    const own = `model_provider = "gate"\n[model_providers.gate]\nname = "Gate"\nbase_url = "${mock.origin}/gate/v1"\n`;
    write('own/config.toml', own);
    const env = { TOKEN: 'sk-key', CODEX_HOME: sandbox.current.path('own') };
    await run(start('exec', 'hi'), env);
    expect(mock.requests).toMatchObject([{ url: '/gate/v1/models?client_version=1' }]);
    const { stderr, stdout } = await run(start('exec', '-c', 'model_provider="ollama"', 'hi'), env);
    expect(stderr).toMatch(/model is not checked, since -c leads Codex to the provider "ollama"/);
    expect(JSON.parse(stdout)).toEqual({ args: ['exec', '-c', 'model_provider="ollama"', 'hi'] });
  });

  it('is not started where its address is none', async () => {
    write('home/.codex/config.toml', 'openai_base_url = "https://me:hunter2@gate.example"\n');
    const { code, stdout, stderr } = await run(start('exec', 'hi'));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/config\.toml: openai_base_url must not contain a user name/);
    expect(stderr).not.toContain('hunter2');
  });

  it('is left as it is without the check of models', async () => {
    const { current } = sandbox;
    const { stdout } = await new Running(current.command('run', '--no-llm', '--', ...start('exec', 'hi')), {
      env: current.env,
      cwd: current.folder,
    }).close();
    expect(JSON.parse(stdout)).toEqual({ args: ['exec', 'hi'] });
  });
});
