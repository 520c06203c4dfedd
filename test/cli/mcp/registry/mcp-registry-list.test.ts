import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScanResult } from '../../../../src/core/detect/types.ts';
import type { Severity } from '../../../../src/core/finding.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../../../src/store/schema.ts';
import { defined, launched, register, sighted } from '../../../support/registered.ts';
import { type CliResult, runCli } from '../../../support/run-cli.ts';

let state = '';
let file = '';
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-registry-'));
  file = join(state, 'clawai', 'clawai.db');
});
afterEach(() => rmSync(state, { recursive: true }));

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli(['mcp', 'registry', 'list', ...args], { env: { XDG_STATE_HOME: state } });
}

const DAY = Date.parse('2026-03-01T12:00:00Z');
const hash = (name: string, description: string): string => defined(name, description).fingerprint.slice(7, 15);

function fill(): void {
  mkdirSync(join(state, 'clawai'));
  register(file, (registry) => {
    const old = ['read_file', 'write_file'].map((name) => sighted(name, 'old', { isPinned: true }));
    registry.write('files', [...old, sighted('gone', 'x', { isPinned: true, isListed: false })], DAY);
    registry.writeServer('files', launched('npx', 'files'), { isPinned: true, now: DAY });
  });
  register(file, (registry) => {
    registry.write('files', [sighted('write_file', 'new')], DAY + 1000);
    registry.write('odd', [sighted('helper', 'h')], DAY);
  });
}

describe('clawai mcp registry list', () => {
  it('lists tools by server, with the beginning of what was seen last and what that is', async () => {
    fill();
    const { code, stdout, stderr } = await run();
    expect([code, stderr, stdout.split('\n')]).toEqual([
      0,
      '',
      [
        'SERVER  TOOL        HASH      STATUS         DETECTIONS',
        `files   gone        ${hash('gone', 'x')}  pinned (gone)  not looked at`,
        `files   read_file   ${hash('read_file', 'old')}  pinned         not looked at`,
        `files   write_file  ${hash('write_file', 'new')}  changed!       not looked at`,
        `odd     helper      ${hash('helper', 'h')}  new            not looked at`,
        '',
      ],
    ]);
  });

  it('has kinds where there are others, and how a server is started where that is not trusted', async () => {
    fill();
    register(file, (registry) => {
      registry.write('files', [sighted('', 'Do so', { kind: 'instructions', isPinned: true })], DAY);
      registry.writeServer('files', launched('npx', 'others'), { isPinned: false, now: DAY });
    });
    const { stdout } = await run('--server', 'files');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['SERVER', 'KIND', 'NAME', 'HASH', 'STATUS', 'DETECTIONS'],
      ['files', 'server', '(how it is started)', launched('npx', 'others').fingerprint.slice(7, 15), 'changed!'],
      ['files', 'instructions', defined('', 'Do so', 'instructions').fingerprint.slice(7, 15), 'pinned', 'not looked at'],
      ['files', 'tool', 'gone', hash('gone', 'x'), 'pinned (gone)', 'not looked at'],
      ['files', 'tool', 'read_file', hash('read_file', 'old'), 'pinned', 'not looked at'],
      ['files', 'tool', 'write_file', hash('write_file', 'new'), 'changed!', 'not looked at'],
      [''],
    ]);
  });

  it.each([
    [['--status', 'changed'], ['write_file']],
    [['--status', 'new'], ['helper']],
    [['--status', 'gone'], ['gone']],
    [
      ['--status', 'pinned', '--server', 'files'],
      ['gone', 'read_file'],
    ],
    [['--kind', 'server'], ['']],
    [['--server', 'odd', '--kind', 'tool'], ['helper']],
  ])('%j', async (flags, names) => {
    fill();
    const { stdout } = await run(...flags, '--json');
    const lines = stdout.split('\n').slice(0, -1);
    expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(names);
  });

  it('--json says all that is known, one object a line', async () => {
    fill();
    const { stdout } = await run('--status', 'changed', '--json');
    expect(stdout.split('\n').length).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      server: 'files',
      kind: 'tool',
      name: 'write_file',
      status: 'changed',
      launch: null,
      is_listed: true,
      trusted_hash: defined('write_file', 'old').fingerprint,
      seen_hash: defined('write_file', 'new').fingerprint,
      first_seen: '2026-03-01T12:00:00.000Z',
      changed_at: '2026-03-01T12:00:01.000Z',
      approved_at: null,
      approved_by: null,
      looked_at: false,
      severity: null,
      detections_by_severity: null,
    });
  });

  it('says what was found in each, as it was seen last, and where nobody has looked', async () => {
    fill();
    const look = (...severities: readonly Severity[]): ScanResult => ({
      version: '1',
      severity: severities[0],
      isCut: false,
      detections: severities.map((severity) => ({
        rule: 'exfiltration.to_address',
        family: 'exfiltration',
        severity,
        description: 'sends something away',
        field: 'description',
        matches: [],
      })),
    });
    register(file, (registry) => {
      registry.writeScanResult('files', defined('read_file', 'old'), look(), DAY);
      registry.writeScanResult('files', defined('write_file', 'old'), look('critical'), DAY);
      registry.writeScanResult('files', defined('write_file', 'new'), look('critical', 'critical', 'medium'), DAY);
      registry.writeScanResult('odd', defined('helper', 'h'), look('high'), DAY);
    });
    const { stdout } = await run();
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/).at(-1))).toEqual([
      'DETECTIONS',
      'not looked at',
      'none',
      '2 critical, 1 medium',
      '1 high',
      '',
    ]);
    const lines = (await run('--server', 'files', '--json')).stdout.split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { name: 'gone', looked_at: false, severity: null, detections_by_severity: null },
      { name: 'read_file', looked_at: true, severity: null, detections_by_severity: { critical: 0, high: 0, medium: 0, low: 0 } },
      { name: 'write_file', severity: 'critical', detections_by_severity: { critical: 2, high: 0, medium: 1, low: 0 } },
    ]);
    const shown = await runCli(['mcp', 'registry', 'show', 'odd:helper'], { env: { XDG_STATE_HOME: state } });
    expect(shown.stdout).toContain(
      'found   1 high\n  high      exfiltration.to_address in description\n            sends something away\n',
    );
    const json = await runCli(['mcp', 'registry', 'show', 'odd:helper', '--json'], { env: { XDG_STATE_HOME: state } });
    expect(JSON.parse(json.stdout)).toMatchObject({ detections: [{ rule: 'exfiltration.to_address' }], is_cut: false });
  });

  it('shows what can not be seen in a name, and a name of any length', async () => {
    const long = 'x'.repeat(1024 * 1024);
    mkdirSync(join(state, 'clawai'));
    register(file, (registry) => registry.write('s', [sighted('a\u001b[2J\u202Eb\n', 'h'), sighted(long, 'h')], DAY));
    const { stdout } = await run();
    expect(stdout).toContain('a\\u{1B}[2J\\u{202E}b\\u{A}');
    expect(stdout).toContain(long);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('a pin that is no fingerprint is not what anything equals', async () => {
    fill();
    const database = new DatabaseSync(file);
    database.exec("UPDATE registry SET pinned = '', seen = '' WHERE name = 'read_file'");
    database.close();
    expect((await run('--status', 'changed', '--json')).stdout).toContain('"read_file"');
  });

  it('says that nothing matches', async () => {
    fill();
    expect(await run('--server', 'other')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'clawai: nothing of what servers have listed matches\n',
    });
  });
});

describe('without a registry', () => {
  const FIRST = 'clawai: what a server lists first is trusted then, unless the policy says trust_first_use = false\n';

  it('a store that is not there, or was lost, is said to be none, and none is made', async () => {
    fill();
    rmSync(join(state, 'clawai'), { recursive: true });
    const { code, stdout, stderr } = await run();
    expect([code, stdout, stderr]).toEqual([
      0,
      '',
      `clawai: no server has listed anything yet: there is no registry at ${file}\n${FIRST}`,
    ]);
    expect(existsSync(join(state, 'clawai'))).toBe(false);
  });

  it('one in which there is nothing yet says so', async () => {
    mkdirSync(join(state, 'clawai'));
    register(file, () => {});
    expect((await run('--json')).stderr).toBe(`clawai: no server has listed anything yet\n${FIRST}`);
  });

  it('one of an older clawai stays as it is', async () => {
    mkdirSync(join(state, 'clawai'));
    const database = new DatabaseSync(file);
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA application_id = ${APPLICATION_ID}; ${MIGRATIONS[0]}; PRAGMA user_version = 1`,
    );
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([0, expect.stringContaining('there is no registry at')]);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    database.close();
  });
});
