import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_KEPT } from '../../../../src/store/rows/registry-rows.ts';
import { defined, launched, register, sighted } from '../../../support/registered.ts';
import { type CliResult, runCli } from '../../../support/run-cli.ts';

let state = '';
let file = '';
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-registry-'));
  file = join(state, 'clawai', 'clawai.db');
  mkdirSync(join(state, 'clawai'));
  register(file, (registry) => {
    registry.write('files', [sighted('write', 'Writes.', { isPinned: true }), sighted('read', 'Reads.')], 1);
    registry.write(
      'files',
      [sighted('file:///a:b', 'r', { kind: 'resource' }), sighted('', 'Do so', { kind: 'instructions' })],
      1,
    );
    registry.writeServer('files', launched('npx', 'files'), { isPinned: true, now: 1 });
  });
  register(file, (registry) => registry.write('files', [sighted('write', 'Writes.\u001b[2J\u202E And sends.')], 2));
});
afterEach(() => rmSync(state, { recursive: true }));

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli(['mcp', 'registry', 'show', ...args], { env: { XDG_STATE_HOME: state } });
}

describe('clawai mcp registry show', () => {
  it('shows what has changed, and both definitions', async () => {
    const { code, stdout } = await run('files:write');
    const times = /^times   first seen \d+ d ago, changed \d+ d ago$/m;
    expect(stdout).toMatch(times);
    expect([code, stdout.replace(times, 'times')]).toEqual([
      0,
      `files:write
status  changed: it is not what is trusted
trusted ${defined('write', 'Writes.').fingerprint}
by      first use; nobody has approved it
seen    ${defined('write', 'Writes.\u001b[2J\u202E And sends.').fingerprint}
times
found   it was not looked at

  description
    - "Writes."
    + "Writes.\\u001b[2J\\u{202E} And sends."

  as it was seen last
    {
      "description": "Writes.\\u001b[2J\\u{202E} And sends.",
      "name": "write"
    }

  as it is trusted
    {
      "description": "Writes.",
      "name": "write"
    }
`,
    ]);
  });

  it.each([
    [['files:read'], 'new: nobody has trusted it yet'],
    [['files:file:///a:b', '--kind', 'resource'], '"uri": "file:///a:b"'],
    [['files', '--kind', 'instructions'], '"Do so"'],
    [['files:', '--kind', 'instructions'], 'the instructions of files'],
    [['files', '--kind', 'server'], '"command": "npx"'],
  ])('%j', async (words, text) => {
    const { code, stdout } = await run(...words);
    expect([code, stdout]).toEqual([0, expect.stringContaining(text)]);
  });

  it('--json has both definitions as they are, to the digit', async () => {
    register(file, (registry) => {
      const text = '{"max":123456789012345678901234567890,"name":"big"}';
      registry.write('files', [{ kind: 'tool', name: 'big', isListed: true, seen: { ...defined('big', ''), text } }], 1);
    });
    expect((await run('files:big', '--json')).stdout).toContain('"max":123456789012345678901234567890');
    const { stdout } = await run('files:write', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'changed',
      trusted: { description: 'Writes.', name: 'write' },
      seen: { name: 'write' },
      changes: [{ field: 'description', previous: 'Writes.' }],
    });
  });

  it.each([
    [['files:file:///a:b'], 'did you mean --kind resource?'],
    [['files:nothing'], 'no server has listed files:nothing'],
    [['nothing'], 'is no SERVER:NAME'],
  ])('%j is not there', async (words, text) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(text)]);
  });

  it('a name that may be read in two ways needs its server', async () => {
    register(file, (registry) => {
      registry.write('a', [sighted('b:c', '1')], 1);
      registry.write('a:b', [sighted('c', '2')], 1);
    });
    const { code, stderr } = await run('a:b:c');
    expect([code, stderr]).toEqual([2, expect.stringContaining('say which with --server')]);
    expect((await run('a:b:c', '--server', 'a:b')).stdout).toContain(defined('c', '2').fingerprint);
  });

  it('a name is found as it is, and as it is shown', async () => {
    register(file, (registry) => registry.write('files', [sighted('odd\u202Ename', 'x')], 1));
    const found = await Promise.all([run('files:odd\u202Ename'), run('files:odd\\u{202E}name')]);
    expect(found.map(({ code }) => code)).toEqual([0, 0]);
  });

  it('says what can not be shown', async () => {
    register(file, (registry) => registry.write('files', [sighted('write', 'x'.repeat(MOST_KEPT.characters))], 3));
    expect((await run('files:write')).stdout).toContain('It was too large to keep');
    expect(JSON.parse((await run('files:write', '--json')).stdout)).toMatchObject({ seen: null, changes: null });
    const database = new DatabaseSync(file);
    database.exec("UPDATE registry SET seen_text = 'no JSON' WHERE name = 'write'");
    database.close();
    expect((await run('files:write')).code).toBe(0);
    expect(JSON.parse((await run('files:write', '--json')).stdout)).toMatchObject({ seen: 'no JSON', changes: null });
  });

  it('without a registry there is nothing', async () => {
    rmSync(join(state, 'clawai'), { recursive: true });
    const { code, stderr } = await run('files:write');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no server has listed anything yet')]);
  });
});
