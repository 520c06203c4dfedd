import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { EveryModel } from '../support/every-model.ts';
import { ModelMock } from '../support/model-mock.ts';
import { type Ended, Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "exec_command"\nargs.cmd = "rm **"\n';

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

  it('is led where other words look like it, and told of where nobody can tell', async () => {
    write('config/clawai/config.toml', DECLARED());
    const around = ['env', `CODEX_HOME=${sandbox.current.path('codex')}`, 'timeout', '60', ...start('exec', 'hi')];
    const { stdout } = await run(around, { TOKEN: 'sk-key' });
    expect(JSON.parse(stdout)).toMatchObject({ args: ['-c', expect.stringMatching(OURS), 'exec', 'hi'] });
    sandbox.current.write('strace', '#!/bin/sh\nshift 2\nexec "$@"\n', 0o755);
    const unknown = await run([sandbox.current.path('strace'), '-o', 'codex', ...start('exec', 'hi')], { TOKEN: 'sk-key' });
    expect(JSON.parse(unknown.stdout)).toMatchObject({ args: ['exec', 'hi'] });
    expect(unknown.stderr).toContain(
      "this agent's model is not checked, since a shell, a script or another program starts Codex, and clawai cannot tell where",
    );
  });

  it('is told of where a session goes on that began with another provider', async () => {
    write('config/clawai/config.toml', DECLARED());
    write('home/.codex/sessions/2026/01/01/rollout-2026-01-01-x.jsonl', '{"payload":{"model_provider":"azure"}}\n');
    const { stderr } = await run(start('resume', '--last'), { TOKEN: 'sk-key' });
    expect(stderr).toContain('a session that began with the provider "azure" may ask that one past clawai');
  });

  it('asks a provider whose name has a dot behind us', async () => {
    write('home/.codex/config.toml', `model_provider = "a.b"\n[model_providers."a.b"]\nbase_url = "${mock.origin}/gate/v1"\n`);
    const { stdout } = await run(start('exec', 'hi'), { TOKEN: 'sk-key' });
    expect(JSON.parse(stdout)).toMatchObject({
      args: [
        '-c',
        expect.stringMatching(/^model_providers=\{"a\.b"=\{"base_url"="http:\/\/127\.0\.0\.1:\d+\/llm\//),
        'exec',
        'hi',
      ],
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

  it.each([
    ['ls', 'function_call', 'checked 2 requests to the model and 2 calls in its answers'],
    ['rm -r /', 'message', 'checked 2 requests to the model and 2 calls in its answers'],
  ])('is told at its end how many requests and calls were checked, here of %s', async (command, type, said) => {
    const model = await EveryModel.start();
    model.call = { id: 'call_1', name: 'exec_command', args: { cmd: command } };
    write('config/clawai/config.toml', `[llm.providers.openai]\nbase_url = "${model.origin}/v1"\n`);
    write('config/clawai/policy.toml', POLICY);
    const { stdout, stderr } = await run(start('exec', 'hi'), { TOKEN: 'sk-key', ASKS: 'Do it.,And?' });
    await model.stop();
    expect(JSON.parse(stdout)).toMatchObject({ status: 200, items: [type, type] });
    expect(stderr).toContain(`clawai: ${said}\n`);
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
