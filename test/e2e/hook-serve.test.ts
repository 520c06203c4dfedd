/** @module-tag long */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Running } from '../support/running.ts';
import { Sandbox } from '../support/sandbox.ts';

const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\nargs.command = "**forbidden**"\n';

const sandbox = new Sandbox();
let serve: Running;
let url = '';

beforeAll(async () => {
  const policy = sandbox.write('policy.toml', POLICY);
  serve = new Running(sandbox.command('serve', '--listen', '127.0.0.1:0', '--json', '--policy', policy), {
    env: sandbox.env,
    cwd: sandbox.folder,
  });
  const line = await new Promise<Buffer>((read) => serve.output.once('data', read));
  const { hooks } = JSON.parse(line.toString()) as { readonly hooks: readonly { readonly name: string; readonly url: string }[] };
  url = hooks.find(({ name }) => name === 'claude-code')?.url ?? '';
});

afterAll(async () => {
  serve.kill('SIGTERM');
  await serve.ended;
  sandbox.remove();
});

async function ask(command: string, { cwd = sandbox.home, to = url } = {}): Promise<string> {
  const payload = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1', cwd };
  const response = await fetch(to, { method: 'POST', body: JSON.stringify(payload) });
  return `${response.status} ${await response.text()}`;
}

describe('a hook over HTTP', () => {
  it('decides by the policy, and records', async () => {
    expect(await ask('ls')).toBe('200 ');
    expect(await ask('forbidden')).toContain('"permissionDecision":"deny"');
    expect(sandbox.decided()).toMatchObject([
      { server_id: 'native', tool_name: 'Bash', action: 'allow', dialect: 'hook/claude-code' },
      { server_id: 'native', tool_name: 'Bash', action: 'block' },
    ]);
  });

  it("decides by the policy of the client's project too, as it is now", async () => {
    const project = join(sandbox.folder, 'project');
    mkdirSync(join(project, '.clawai'), { recursive: true });
    const file = join(project, '.clawai', 'policy.toml');
    writeFileSync(file, '[[rule\n');
    expect(await ask('ls', { cwd: project })).toContain('"deny"');
    writeFileSync(file, '[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\n');
    expect(await ask('ls', { cwd: project })).toContain('project: rule 1');
    expect(await ask('ls')).toBe('200 ');
  });

  it('denies where the URL has another secret: with another status, the client would run the call', async () => {
    expect(await ask('ls', { to: `${url}x` })).toMatch(/^200 .*"deny".*outdated/);
    expect(await ask('ls', { to: url.replace('claude-code', 'codex') })).toMatch(/^404 /);
  });
});
