import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Ended } from '../../support/running.ts';
import { Running } from '../../support/running.ts';
import { Sandbox, support } from '../../support/sandbox.ts';

const sandboxes: Sandbox[] = [];
afterEach(() => {
  for (const sandbox of sandboxes.splice(0)) sandbox.remove();
});

const POLICY = `[defaults]
action = "allow"
[approval]
channels = ["terminal"]
timeout = "1h"
[[rule]]
id = "no"
action = "deny"
server = "native"
tool = "Bash"
args.command = "**forbidden**"
[[rule]]
action = "prompt"
server = "native"
tool = "Bash"
args.command = "**ask**"
`;

function createUser(policy = POLICY): Sandbox {
  const sandbox = new Sandbox();
  sandboxes.push(sandbox);
  mkdirSync(join(sandbox.folder, 'config', 'clawai'), { recursive: true });
  sandbox.write(join('config', 'clawai', 'policy.toml'), policy);
  return sandbox;
}

const callOf = (command: string, more: object = {}): string =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'toolu_0123456789abcdefgh',
    cwd: '/tmp',
    ...more,
  });

interface HookOptions {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function ask(sandbox: Sandbox, input: string, { words = ['codex'], env = {} }: HookOptions = {}): Promise<Ended> {
  const running = new Running(sandbox.command('hook', ...words), { env: { ...sandbox.env, ...env }, cwd: sandbox.folder });
  running.stdin.end(input);
  return running.ended;
}

const SILENCE = { code: 0, stdout: '', stderr: '' };

describe('a call', () => {
  it('that nothing is against gets no opinion, and one that is denied its reason; both are on record', async () => {
    const user = createUser();
    expect(await ask(user, callOf('ls'))).toMatchObject(SILENCE);
    expect(await ask(user, callOf('forbidden'))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^clawai denied the tool call "\w+" \(rule "no", argument "command"\)\..*\n$/),
    });
    expect(user.decided()).toMatchObject([
      {
        server_id: 'native',
        tool_name: 'exec_command',
        action: 'allow',
        dialect: 'hook/codex',
        tool_call_id: 'toolu_0123456789abcdefgh',
      },
      { server_id: 'native', tool_name: 'Bash', action: 'block', rule: 'no' },
    ]);
  });

  it('of a project is decided by its policy too, wherever the client has gone', async () => {
    const user = createUser();
    mkdirSync(join(user.folder, 'project', '.clawai'), { recursive: true });
    mkdirSync(join(user.folder, 'elsewhere'));
    user.write(join('project', '.clawai', 'policy.toml'), '[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\n');
    const env = { CLAUDE_PROJECT_DIR: join(user.folder, 'project') };
    expect(await ask(user, callOf('ls'), { words: ['claude-code'], env })).toMatchObject({ code: 2 });
    expect(await ask(user, callOf('ls'), { words: ['claude-code'] })).toMatchObject(SILENCE);
  });

  it('that a person has to approve waits, and is denied in time', async () => {
    const user = createUser();
    const started = performance.now();
    const ended = await ask(user, callOf('ask'), { words: ['codex', '--timeout', '4'] });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('nobody answered in time') });
    expect(performance.now() - started).toBeLessThan(4000);
    expect(user.decided()).toMatchObject([{ action: 'block', reason: 'approval_expired' }]);
  });

  it('of a client that never ends its input is denied in time', async () => {
    const user = createUser();
    const running = new Running(user.command('hook', 'codex', '--timeout', '3'), { env: user.env, cwd: user.folder });
    running.send('{');
    const ended = await running.ended;
    running.stdin.end();
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('in time') });
  });
});

describe('a call is denied, with a text, where', () => {
  const deniedBy = (text: string): object => ({ code: 2, stdout: '', stderr: expect.stringContaining(text) });

  it.each([
    ['its input is empty', '', 'nothing'],
    ['its input is cut off', callOf('ls').slice(0, -1), 'no JSON'],
    ['its input is no call', '{}', 'no call'],
    ['its event is another one', callOf('ls', { hook_event_name: 'PostToolUse' }), 'no call'],
    ['its input is too long', callOf('x'.repeat(33 * 1024 * 1024)), 'longer'],
  ])('%s', async (_where, input, text) => {
    expect(await ask(createUser(), input)).toMatchObject(deniedBy(text));
  });

  it('its input is no UTF-8', async () => {
    const user = createUser();
    const running = new Running(user.command('hook', 'codex'), { env: user.env, cwd: user.folder });
    running.stdin.end(
      Buffer.concat([Buffer.from(callOf('a').slice(0, -20)), Buffer.from([0xff]), Buffer.from(callOf('a').slice(-20))]),
    );
    expect(await running.ended).toMatchObject(deniedBy('could not decide it'));
  });

  it('the policy is broken', async () => {
    expect(await ask(createUser('[[rule\n'), callOf('ls'))).toMatchObject(deniedBy('policy.toml:1'));
  });

  it('the config is broken', async () => {
    const user = createUser();
    user.write(join('config', 'clawai', 'config.toml'), 'limits = 1\n');
    expect(await ask(user, callOf('ls'))).toMatchObject(deniedBy('config.toml'));
  });

  it("the project's policy is broken", async () => {
    const user = createUser();
    mkdirSync(join(user.folder, '.clawai'));
    user.write(join('.clawai', 'policy.toml'), '[[rule\n');
    expect(await ask(user, callOf('ls'))).toMatchObject(deniedBy('policy.toml'));
  });

  it('the policy is gone', async () => {
    const user = createUser();
    expect(await ask(user, callOf('ls'))).toMatchObject(SILENCE);
    rmSync(join(user.folder, 'config', 'clawai', 'policy.toml'));
    expect(await ask(user, callOf('ls'))).toMatchObject(deniedBy("clawai's policy is gone"));
  });

  it('the store is locked', async () => {
    const user = createUser();
    expect(await ask(user, callOf('ls'))).toMatchObject(SILENCE);
    const holder = new Running([process.execPath, support('store-holder.mjs'), user.storeFile], {
      env: user.env,
      cwd: user.folder,
    });
    await new Promise((held) => holder.output.once('data', held));
    expect(await ask(user, callOf('ls'))).toMatchObject(deniedBy('could not record it'));
    holder.stdin.end();
    await holder.ended;
  });

  it('the store is no file', async () => {
    const user = createUser();
    mkdirSync(user.storeFile, { recursive: true });
    expect(await ask(user, callOf('ls'))).toMatchObject(deniedBy('could not record it'));
  });

  it.runIf(process.getuid?.() !== 0)('the folder of the state cannot be written to', async () => {
    const user = createUser();
    mkdirSync(user.state, { mode: 0o500 });
    expect(await ask(user, callOf('ls'))).toMatchObject(deniedBy('clawai denied'));
    chmodSync(user.state, 0o700);
  });

  it.each([
    ['the client is none', ['nobody']],
    ['no client is named', []],
    ['two clients are named', ['codex', 'cursor']],
    ['a flag is none', ['codex', '--polcy', 'x']],
    ['the time is none', ['codex', '--timeout', '0']],
  ])('%s', async (_where, words) => {
    expect(await ask(createUser(), callOf('ls'), { words })).toMatchObject(deniedBy('clawai: '));
  });
});

describe('hazard 1: a client that is stopped by words alone gets them for a command line that is wrong, too', () => {
  it.each([
    ['cline', ['--polcy', 'x']],
    ['cline', ['--timeout', '0']],
    ['cline', ['codex']],
    ['cursor', ['--policy']],
  ])('%s %j', async (client, more) => {
    const { stdout } = await ask(createUser(), callOf('ls'), { words: [client, ...more] });
    const said = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect(said).toMatchObject(client === 'cline' ? { cancel: true } : { permission: 'deny' });
  });
});

describe('attacks on the hook itself', () => {
  it('a call that would write to its settings is denied, as all that touches clawai', async () => {
    const user = createUser();
    const ended = await ask(user, callOf(`rm -r ${user.state}`));
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("clawai's own files") });
  });
});
