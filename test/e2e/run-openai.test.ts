import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { type MockCall, ModelMock } from '../support/model-mock.ts';
import { type Ended, Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

const REMOVES: MockCall = { id: 'call_rm', name: 'shell', input: { command: 'rm -rf /tmp/x' } };
const LISTS: MockCall = { id: 'call_ls', name: 'shell', input: { command: 'ls' } };
const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\nid = "no-rm"\naction = "deny"\nserver = "native"\ntool = "shell"\nargs.command = "**rm **"\n';
const KEY = 'sk-key-of-the-user';

let mock: ModelMock;
beforeEach(async () => {
  mock = await ModelMock.start([REMOVES, LISTS]);
  write('policy.toml', POLICY);
});
afterEach(() => mock.stop());

function write(name: string, text: string): void {
  mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
  writeFileSync(sandbox.current.path(`config/clawai/${name}`), text);
}

function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const { current } = sandbox;
  return new Running(current.command('run', '--session', 'nightly', '--', ...words), {
    env: { ...current.env, ...env },
    cwd: current.folder,
  }).close();
}

const AGENT = [process.execPath, support('llm-agent.mjs'), 'openai'];
const TOLD = ['sh', '-c', 'echo "$OPENAI_BASE_URL"'];

describe('hazard 1: an agent that asks OpenAI, started by clawai run', () => {
  it('gets only what the policy allows, and all is on record', async () => {
    const { stdout, stderr } = await run(AGENT, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${mock.origin}/gateway/v1/` });
    expect(JSON.parse(stdout)).toMatchObject({
      content: expect.stringMatching(
        /^Well\.\n\n\[clawai blk_[\w-]{16}\] clawai denied the tool call "shell" \(rule "no-rm", argument "[\w.]+"\)/,
      ),
      calls: [{ id: 'call_ls', function: { name: 'shell', arguments: '{"command":"ls"}' } }],
      reason: 'tool_calls',
    });
    // hazard 33: the path of the base URL stays, and so does the key.
    expect(mock.requests).toMatchObject([{ url: '/gateway/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } }]);
    expect(sandbox.current.decided()).toMatchObject([
      { dialect: 'openai', action: 'block', tool_call_id: 'call_rm', session_id: 'nightly', rule: 'no-rm' },
      { dialect: 'openai', action: 'allow', tool_call_id: 'call_ls', session_id: 'nightly' },
    ]);
    expect(stderr).toContain('2 calls by the model, 1 denied');
  });

  it('is guarded as well where an argument of its is called like an agent that does not ask OpenAI', async () => {
    const { stdout } = await run([...AGENT, '1', '--model', 'claude'], {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${mock.origin}/v1`,
    });
    expect(JSON.parse(stdout)).toMatchObject({ content: expect.stringContaining('clawai denied'), calls: [{ id: 'call_ls' }] });
  });

  it('goes to the configured provider before that of the environment, which need not be there', async () => {
    write('config.toml', `[llm.providers.openai]\nbase_url = "${mock.origin}/openai/deployments/x?api-version=1"\n`);
    await run(AGENT, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
    expect(mock.requests).toMatchObject([{ url: '/openai/deployments/x/chat/completions?api-version=1' }]);
    expect((await run(TOLD, {})).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/llm\/openai\/[\w-]{22}\n$/);
  });

  it('is told an address that ends as the one before, and none where it would use none', async () => {
    expect((await run(TOLD, { OPENAI_API_KEY: KEY })).stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/llm\/openai\/[\w-]{22}\/v1\n$/,
    );
    expect((await run(TOLD, { OPENAI_BASE_URL: 'https://llm.example.com/v1' })).stdout).toMatch(/\/v1\n$/);
    expect((await run(TOLD, { OPENAI_BASE_URL: 'https://llm.example.com/api' })).stdout).toMatch(/\/llm\/openai\/[\w-]{22}\n$/);
    expect((await run(TOLD, {})).stdout).toBe('\n');
  });

  it('is not left in the belief that it is guarded where it asks in other words', async () => {
    const { current } = sandbox;
    current.write('codex', '#!/bin/sh\necho "$OPENAI_BASE_URL"\n');
    chmodSync(current.path('codex'), 0o755);
    const { stdout, stderr } = await run([current.path('codex'), '--oss'], { OPENAI_API_KEY: KEY });
    expect(stdout).toBe('\n');
    current.write('make', '#!/bin/sh\ntrue\n', 0o755);
    current.write('Makefile', 'agent:\n\t./codex exec hi\n');
    for (const words of [
      [current.path('make'), 'agent'],
      ['sh', '-c', './codex exec hi'],
    ])
      expect((await run(words, {})).stderr).toMatch(
        /^clawai: this agent's model is not checked, since a shell, a script or another program starts Codex, and clawai cannot tell/,
      );
    expect(stderr).toMatch(
      /^clawai: this agent's model is not checked, since --oss leads Codex elsewhere: only .* guarded\nclawai: warning: no request/,
    );
  });

  it('is led to us where the user gave Copilot CLI a provider', async () => {
    const told = ['sh', '-c', 'echo "$COPILOT_PROVIDER_BASE_URL"'];
    const { stdout } = await run(told, { COPILOT_PROVIDER_BASE_URL: 'https://llm.example.com/v1' });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/llm\/copilot\/[\w-]{22}\/v1\n$/);
    expect((await run(told, {})).stdout).toBe('\n');
  });

  it('is led to us by the variables of goose and Crush, and told of what they may ask past us', async () => {
    const { current } = sandbox;
    const tell = (agent: string, variables: readonly string[]): string => {
      current.write(agent, `#!/bin/sh\necho ${variables.map((name) => `"$${name}"`).join(' ')}\n`, 0o755);
      return current.path(agent);
    };
    const ours = (name: string): string => String.raw`http://127\.0\.0\.1:\d+/llm/${name}/[\w-]{22}`;
    const goose = await run([tell('goose', ['ANTHROPIC_HOST', 'OPENAI_HOST'])], { GOOSE_PROVIDER: 'openai' });
    expect(goose.stdout).toMatch(new RegExp(`^${ours('goose-anthropic')} ${ours('goose-openai')}\n$`));
    expect(goose.stderr).not.toContain('is not checked');
    const crush = await run([tell('crush', ['ANTHROPIC_API_ENDPOINT', 'OPENAI_API_ENDPOINT'])], {});
    expect(crush.stdout).toMatch(new RegExp(`^${ours('crush-anthropic')} ${ours('crush-openai')}/v1\n$`));
    expect(crush.stderr).toContain('clawai checks the model of Crush only at Anthropic and OpenAI with an API key');
    const other = await run([current.path('goose')], { GOOSE_PROVIDER: 'openrouter' });
    expect(other.stderr).toContain("this agent's model is not checked, since it uses openrouter");
  });

  it("goose's requests are decided at its host", async () => {
    const { current } = sandbox;
    current.write(
      'goose',
      `#!/bin/sh\nOPENAI_BASE_URL="$OPENAI_HOST/v1" exec ${AGENT.map((word) => `'${word}'`).join(' ')}\n`,
      0o755,
    );
    const { stdout } = await run([current.path('goose')], {
      GOOSE_PROVIDER: 'openai',
      OPENAI_API_KEY: KEY,
      OPENAI_HOST: mock.origin,
    });
    expect(JSON.parse(stdout)).toMatchObject({ content: expect.stringContaining('clawai denied'), calls: [{ id: 'call_ls' }] });
    expect(mock.requests).toMatchObject([{ url: '/v1/chat/completions' }]);
  });

  it('has no model where its base URL is none, and that is not repeated', async () => {
    const { code, stdout, stderr } = await run(TOLD, { OPENAI_BASE_URL: 'https://me:hunter2@gateway.example/v1' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/OPENAI_BASE_URL must not contain a user name/);
    expect(stderr).not.toContain('hunter2');
  });
});
