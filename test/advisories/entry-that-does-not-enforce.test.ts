import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
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

const OWN = [
  ['--observe', [...CLAWAI, 'proxy', '--server', 'files', '--observe', '--', 'node', 'server.mjs'], {}],
  ['--config', [...CLAWAI, 'proxy', '--server', 'files', '--config', './lax.toml', '--', 'node', 'server.mjs'], {}],
  ['--policy', [...CLAWAI, 'proxy', '--server', 'files', '--policy', './lax.toml', '--', 'node', 'server.mjs'], {}],
  ['CLAWAI_POLICY', ['node', 'server.mjs'], { CLAWAI_POLICY: './lax.toml' }],
] as const;

/** Writes an entry of the user's own, which some installer may have put there. */
function writeOwn([program, ...args]: readonly string[], env?: Readonly<Record<string, string>>): void {
  mkdirSync(sandbox.current.path('home/.cursor'), { recursive: true });
  mkdirSync(sandbox.current.path('home/project'), { recursive: true });
  const entry = { command: program, args, ...(env !== undefined && { env }) };
  sandbox.current.write('home/.cursor/mcp.json', JSON.stringify({ mcpServers: { files: entry } }));
}

it.each(OWN)('an own entry that came with %s is not adopted in silence, and does not count', async (what, command, env) => {
  writeOwn(command, env);
  const before = sandbox.current.read('home/.cursor/mcp.json').toString();
  const wrap = await clawai('wrap', '--all');
  expect(wrap.stdout).toMatch(new RegExp(`skipped +files .*nobody has agreed to[^]*${what}`));
  expect(sandbox.current.read('home/.cursor/mcp.json').toString()).toBe(before);
  const status = await clawai('status', '--check');
  expect([status.code, status.stdout]).toEqual([1, expect.stringMatching(/(?:not enforced|not wrapped) +files/)]);
  expect((await clawai('doctor')).stdout).toMatch(/files in .*is not enforced|not wrapped: files/);
});

it.skipIf(!HAS_TERMINAL)('the person at a terminal is asked about it, and the answer counts', async () => {
  writeOwn([
    ...CLAWAI,
    'proxy',
    '--server',
    'files',
    '--policy',
    sandbox.current.write('p.toml', ''),
    '--',
    'node',
    'server.mjs',
  ]);
  for (const [key, code] of [
    ['n', 1],
    ['y', 0],
  ] as const) {
    const person = new AtTerminal(sandbox.current, ['wrap', '--all']);
    await person.shows('should they stay? [y/N]');
    person.send(`${key}\n`);
    await person.ended;
    expect((await clawai('status', '--check')).code).toBe(code);
  }
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
