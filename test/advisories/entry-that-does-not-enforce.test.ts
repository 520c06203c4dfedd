import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { type Ended, Running } from '../support/running.ts';
import { ROOT } from '../support/run-cli.ts';

// A cloned repository brings a .mcp.json whose servers stand behind a clawai that lets everything pass. It looked wrapped: `wrap` adopted
// the flags, `status --check` exited 0, and `doctor` was content (hazard 59).

const sandbox = useSandbox();
const CLAWAI = [process.execPath, join(ROOT, 'bin', 'clawai.mjs')];

function write(command: readonly string[], env?: Readonly<Record<string, string>>): void {
  const [program, ...args] = command;
  const entry = { command: program, args, ...(env !== undefined && { env }) };
  mkdirSync(sandbox.current.path('home/project'), { recursive: true });
  sandbox.current.write('home/project/.mcp.json', JSON.stringify({ mcpServers: { files: entry } }));
}

async function clawai(...args: readonly string[]): Promise<Ended> {
  mkdirSync(sandbox.current.path('home/.claude'), { recursive: true });
  sandbox.current.write('home/.claude.json', '{}');
  const { env } = sandbox.current;
  return new Running(sandbox.current.command(...args), { env, cwd: sandbox.current.path('home/project') }).close();
}

it.each([
  ['observes', [...CLAWAI, 'proxy', '--server', 'files', '--observe', '--', 'node', 'server.mjs'], undefined],
  ['has another config', [...CLAWAI, 'proxy', '--config', './lax.toml', '--', 'node', 'server.mjs'], undefined],
  ['has another policy', [...CLAWAI, 'proxy', '--policy', './lax.toml', '--', 'node', 'server.mjs'], undefined],
  ['sets the policy by its environment', [...CLAWAI, 'proxy', '--', 'node', 'server.mjs'], { CLAWAI_POLICY: './lax.toml' }],
  ['starts clawai by env', ['env', 'CLAWAI_POLICY=./lax.toml', ...CLAWAI, 'proxy', '--', 'node', 'server.mjs'], undefined],
  ['starts a clawai of its own', ['./clawai', 'proxy', '--', 'node', 'server.mjs'], undefined],
  ['starts clawai by a shell', ['sh', '-c', 'exec "$@"', '_', 'clawai', 'proxy', '--', 'node', 'server.mjs'], undefined],
])("a project's entry that %s is not protected", async (_, command, env) => {
  write(command, env);
  const status = await clawai('status', '--check');
  expect(status.code).toBe(1);
  expect(status.stdout).toContain('0 of 1 servers wrapped');
  const doctor = await clawai('doctor');
  expect(doctor.stdout).toMatch(/files in .*is not enforced|not wrapped: files/);
});

it("wrap keeps none of a project's flags, and status is content then", async () => {
  write([...CLAWAI, 'proxy', '--server', 'files', '--observe', '--config', './lax.toml', '--', process.execPath, 'server.mjs']);
  expect((await clawai('wrap', '--all')).code).toBe(0);
  const text = sandbox.current.read('home/project/.mcp.json').toString();
  expect(text).not.toContain('--observe');
  expect(text).not.toContain('lax.toml');
  expect(await clawai('status', '--check')).toMatchObject({ code: 0 });
});

it('a config of your own that only observes fails the check', async () => {
  write(['node', 'server.mjs']);
  await clawai('wrap', '--all');
  expect(await clawai('status', '--check')).toMatchObject({ code: 0 });
  mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
  sandbox.current.write('config/clawai/config.toml', 'mode = "observe"\n');
  const status = await clawai('status', '--check');
  expect(status).toMatchObject({ code: 1 });
  expect(status.stdout).toContain('mode = "observe"');
});
