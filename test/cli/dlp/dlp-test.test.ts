import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../support/run-cli.ts';

const GITHUB = `ghp_${'a1B2'.repeat(9)}`;
const POLICY = `[dlp]
on_arguments = "redact"
on_request = "tokenize"
allow = ["harmless*"]

[dlp.server]
github = "deny"

[[dlp.pattern]]
name = "employee"
regex = "EMP-[0-9]{6}"
`;

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-dlp-')));
  put('policy.toml', POLICY);
});
afterEach(() => rmSync(home, { recursive: true }));

function put(name: string, text: string): void {
  writeFileSync(join(home, name), text);
}

function dlpTest(...words: readonly string[]): Promise<CliResult> {
  return runCli(['dlp', 'test', ...words, '--policy', 'policy.toml'], { cwd: home, env: { HOME: home } });
}

describe('clawai dlp test', () => {
  it('shows each secret of a text, what would happen to it, and not its value', async () => {
    put('notes.txt', `first\nmy key: ${GITHUB}\nfor EMP-123456, 536-22-1234\n`);
    const { code, stdout, stderr } = await dlpTest('notes.txt');
    expect(stdout).toBe(
      '1. notes.txt:2:9  github_token (40 characters)  arguments: redact  requests: tokenize\n' +
        '2. notes.txt:3:5  employee (10 characters)  arguments: redact  requests: tokenize\n' +
        '3. notes.txt:3:17  ssn (11 characters)  arguments: redact  requests: tokenize\n' +
        '3 secrets: 1 github_token, 1 employee, 1 ssn\n',
    );
    expect([code, stderr]).toEqual([1, '']);
  });

  it('undoes disguises, as the guard of calls does', async () => {
    const base64 = Buffer.from(GITHUB).toString('base64');
    put('notes.txt', `first\nmy key: ${base64}\n`);
    put('call.json', JSON.stringify({ a: 'x', b: ['y', base64] }, null, 1));
    const { stdout } = await dlpTest('notes.txt', 'call.json');
    expect(stdout).toBe(
      '1. notes.txt:1:1  github_token (in disguise: base64)  arguments: redact  requests: tokenize\n' +
        '2. call.json:5:4  github_token (in disguise: base64)  arguments: redact  requests: tokenize\n' +
        '2 secrets: 2 github_token\n',
    );
  });

  it('reads JSON string by string, with the names of members', async () => {
    const request = {
      model: 'm',
      number: 4539578763621486,
      password: 'correct horse',
      tags: ['EMP-123456', 'x'],
      secrets: ['one', { title: 'two' }],
      messages: [{ content: `line\n"${GITHUB}"` }, { password: 'harmless1' }],
      env: [{ name: 'PASSWORD', value: 'swordfish' }],
      'EMP-999999': null,
    };
    put('request.json', JSON.stringify(request, null, 1));
    const { stdout } = await dlpTest('request.json', '--json');
    const { secrets, ...rest } = JSON.parse(stdout) as { secrets: unknown };
    expect(secrets).toEqual([
      { file: 'request.json', line: 4, column: 15, kind: 'password', length: 13 },
      { file: 'request.json', line: 6, column: 4, kind: 'employee', length: 10 },
      { file: 'request.json', line: 10, column: 4, kind: 'secret', length: 3 },
      { file: 'request.json', line: 17, column: 24, kind: 'github_token', length: 40 },
      { file: 'request.json', line: 26, column: 14, kind: 'password', length: 9 },
      { file: 'request.json', line: 29, column: 3, kind: 'employee', length: 10 },
    ]);
    expect(rest).toEqual({
      policy: 'policy.toml',
      isOn: true,
      arguments: 'redact',
      requests: 'tokenize',
      counts: { password: 2, employee: 2, secret: 1, github_token: 1 },
    });
    expect(stdout).not.toContain(GITHUB);
  });

  it('shows what happens to the calls of a server', async () => {
    put('a.txt', 'EMP-123456');
    expect((await dlpTest('a.txt', '--server', 'github')).stdout).toContain('arguments: deny  requests: tokenize');
    expect((await dlpTest('a.txt', '--server', 'other')).stdout).toContain('arguments: redact');
  });

  it('no secrets', async () => {
    put('a.txt', 'nothing');
    put('b.txt', '{"password": ');
    expect(await dlpTest('a.txt', 'b.txt')).toMatchObject({ code: 0, stdout: 'no secrets\n' });
    put('policy.toml', '[dlp]\nenabled = false');
    put('a.txt', GITHUB);
    expect(await dlpTest('a.txt')).toMatchObject({ code: 0, stdout: 'no secrets, since [dlp] is switched off\n' });
  });

  it('a mistake in a pattern is told by its line and column', async () => {
    put('policy.toml', POLICY.replace('EMP', '(?=x)'));
    put('a.txt', 'x');
    const { code, stderr } = await dlpTest('a.txt');
    expect(code).toBe(2);
    expect(stderr).toMatch(/policy\.toml:11:1: bad regex/);
  });

  it('a file that is not there, or is no text', async () => {
    expect(await dlpTest('none.txt')).toMatchObject({ code: 2, stdout: '' });
    writeFileSync(join(home, 'a.bin'), Buffer.from([0xff, 0xfe, 0x00]));
    const { code, stderr } = await dlpTest('a.bin');
    expect(code).toBe(2);
    expect(stderr).toContain('a.bin is not UTF-8 text');
  });
});
