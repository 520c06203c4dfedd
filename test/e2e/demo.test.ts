import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../build/docs/svg.ts';
import { readSource } from '../structure/source.ts';
import { Running } from '../support/running.ts';
import { Sandbox, serverPackage } from '../support/sandbox.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  mkdirSync(sandbox.path('tmp'));
});
afterEach(() => sandbox.remove());

function demo(...flags: readonly string[]): Running {
  const env = { ...sandbox.env, TMPDIR: sandbox.path('tmp') };
  return new Running(sandbox.command('demo', ...flags), { env, cwd: sandbox.folder });
}

function expectNothingLeft(): void {
  expect(readdirSync(sandbox.path('tmp'))).toEqual([]);
  // Compiled code is kept, where nothing says another place for it.
  expect(
    readdirSync(sandbox.home, { recursive: true }).filter(
      (file) => !/^\.cache(\/clawai(\/compile(\/.*)?)?)?$/.test(String(file)),
    ),
  ).toEqual([]);
  expect(existsSync(sandbox.state)).toBe(false);
}

it('shows calls that were allowed and denied, and leaves nothing behind', async () => {
  const { code, stdout, stderr } = await demo().close();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Ship the release on Friday.');
  expect(stdout).toContain('clawai denied the tool call "read_text_file"');
  expect(stdout).toContain('private-keys');
  expectNothingLeft();
});

it('tells programs the same', async () => {
  const { code, stdout } = await demo('--json').close();
  expect(code).toBe(0);
  const { calls, audit } = JSON.parse(stdout) as {
    calls: { expected: string; actual: string }[];
    audit: Record<string, unknown>[];
  };
  expect(calls.map(({ actual }) => actual)).toEqual(['allowed', 'denied', 'denied']);
  expect(audit.filter((event) => event['tool_name'] !== undefined).map((event) => event['action'])).toEqual([
    'allow',
    'block',
    'block',
  ]);
  expectNothingLeft();
});

it('says denied, not what the audit calls it, and cuts no line where nobody looks at a terminal', async () => {
  const { stdout } = await demo().close();
  expect(stdout).toMatch(/^ {2}[\d:.]+Z {2}denied {3}files:read_text_file +rule private-keys$/m);
  expect(stdout).not.toContain('block');
  expect(stdout).toMatch(/^ {2}denied {3}the model reads: clawai denied .* ask the user to do this step\.$/m);
});

describe('installed without development packages', () => {
  /** A copy of what is packed, and an `npx` of the test's. */
  function installed(npx: string | undefined, env: Readonly<Record<string, string>> = {}): Running {
    for (const part of ['package.json', 'bin', 'dist', 'policies']) {
      cpSync(join(ROOT, part), sandbox.path(`clawai/${part}`), { recursive: true });
    }
    mkdirSync(sandbox.path('bin'));
    if (npx !== undefined) sandbox.write('bin/npx', npx, 0o755);
    return new Running([process.execPath, sandbox.path('clawai/bin/clawai.mjs'), 'demo'], {
      env: { ...sandbox.env, TMPDIR: sandbox.path('tmp'), PATH: sandbox.path('bin'), ...env },
      cwd: sandbox.folder,
    });
  }

  const FAKE = `#!/bin/sh
[ "$1" = --yes ] || exit 9
case "$2" in @modelcontextprotocol/server-filesystem@2*) ;; *) exit 9 ;; esac
if [ "$npm_config_registry" != https://registry.example ]; then
  for line in 1 2 3 4 5 6 7 8 9; do echo "npm error line $line" >&2; done
  exit 1
fi
exec ${process.execPath} ${serverPackage('filesystem')} "$3"
`;

  /** Answers every request with an error, and does not end with its input. */
  const UNWILLING = `#!${process.execPath}
process.stdin.on('data', (chunk) => {
  for (const line of chunk.toString().trim().split('\\n')) {
    const { id } = JSON.parse(line);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'not today' } }));
  }
});
setTimeout(() => {}, 15_000);
`;

  it('fetches the server with npx, with all of the environment', async () => {
    const { code, stdout, stderr } = await installed(FAKE, { npm_config_registry: 'https://registry.example' }).close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'clawai: fetching the server with npx…\n' });
    expect(stdout).toContain('Ship the release on Friday.');
    expectNothingLeft();
  });

  it('shows the last lines of what npx said where it fails', async () => {
    const { code, stderr } = await installed(FAKE).close();
    expect(code).toBe(2);
    expect(stderr).toMatch(/clawai: the demo's server could not be started: .*\n/);
    expect(stderr).toMatch(/ {2}npm error line 9\n/);
    expect(stderr).not.toContain('npm error line 1\n');
    expect(stderr).toMatch(/ {2}this has to work first: npx --yes @modelcontextprotocol\/server-filesystem@\S+ FOLDER\n$/);
    expect(stderr).not.toContain('bug in clawai');
    expectNothingLeft();
  });

  it('waits for the end of a server that will not begin, so that nothing is left behind', async () => {
    const { code, stderr } = await installed(UNWILLING).close();
    expect(code).toBe(2);
    expect(stderr).toContain('not today');
    expectNothingLeft();
  });

  it('says so where there is no npx', async () => {
    const { code, stderr } = await installed(undefined).close();
    expect(code).toBe(2);
    expect(stderr).toContain('cannot start "npx": there is no such command');
    expectNothingLeft();
  });
});

/** Words as they are on every machine, at any time, however lines are wrapped. */
function wordsOf(text: string): readonly string[] {
  const places = /\S*clawai-demo-\w+|\S+(?=\/policies\/)|\d\d:\d\d:\d\d\.\d{3}Z/g;
  return text.replaceAll(places, '…').trim().split(/\s+/);
}

it('the recording in the README shows what it prints', async () => {
  const { stdout } = await demo().close();
  const [command, ...rows] = readRows(readSource('docs/demo.svg'));
  expect(command).toBe('$ clawai demo');
  expect(wordsOf(rows.join('\n'))).toEqual(wordsOf(stdout));
});
