import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, ROOT, runCli } from '../../support/run-cli.ts';

const UGLY = "[[rule]]\ntool='x'   # why\naction='deny'\n";
const NEAT = '[[rule]]\naction = "deny"\ntool = "x"  # why\n';
const FAULTY = '[defaults]\nacton = "deny"\n';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-fmt-')));
});
afterEach(() => rmSync(home, { recursive: true }));

const at = (name: string): string => join(home, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');
function put(name: string, text: string): string {
  mkdirSync(join(at(name), '..'), { recursive: true });
  writeFileSync(at(name), text);
  return at(name);
}
const fmt = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> =>
  runCli(['policy', 'fmt', ...words], { cwd: home, env: { HOME: home, ...env } });

/** With a stdin, through the program as it is installed. */
function pipe(words: readonly string[], input: string | Buffer): { status: number | null; stdout: string; stderr: string } {
  const bin = join(ROOT, 'bin/clawai.mjs');
  const env = { PATH: process.env['PATH'], HOME: home };
  return spawnSync(process.execPath, [bin, 'policy', 'fmt', ...words], { input, env, encoding: 'utf8' });
}

describe('clawai policy fmt', () => {
  it('formats files, says so, and leaves those alone that are formatted', async () => {
    put('a.toml', UGLY);
    put('b.toml', NEAT);
    const before = statSync(at('b.toml'));
    expect(await fmt(['a.toml', 'b.toml'])).toEqual({ code: 0, stdout: 'wrote  a.toml\nkept   b.toml\n', stderr: '' });
    expect([read('a.toml'), read('b.toml')]).toEqual([NEAT, NEAT]);
    expect(statSync(at('b.toml')).mtimeMs).toBe(before.mtimeMs);
    expect((await fmt(['a.toml'])).stdout).toBe('kept   a.toml\n');
    expect(readdirSync(home).toSorted()).toEqual(['a.toml', 'b.toml']);
  });

  it('keeps mode and links', async () => {
    put('deep/real.toml', UGLY);
    chmodSync(at('deep/real.toml'), 0o640);
    symlinkSync('deep/real.toml', at('link.toml'));
    expect((await fmt(['--policy', 'link.toml'])).code).toBe(0);
    expect(lstatSync(at('link.toml')).isSymbolicLink()).toBe(true);
    expect([read('deep/real.toml'), statSync(at('deep/real.toml')).mode & 0o777]).toEqual([NEAT, 0o640]);
  });

  it('--check lists with their first line what is not formatted, and writes nothing', async () => {
    put('a.toml', UGLY);
    put('b.toml', NEAT);
    put('c.toml', NEAT.trimEnd());
    const result = await fmt(['--check', 'a.toml', 'b.toml', 'c.toml']);
    expect(result).toEqual({ code: 1, stdout: 'a.toml:2: not formatted\nc.toml:3: not formatted\n', stderr: '' });
    expect(read('a.toml')).toBe(UGLY);
    expect(await fmt(['--check', 'b.toml'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('--dry-run shows the change and writes nothing; with --check it has that exit code', async () => {
    put('a.toml', UGLY);
    const { code, stdout } = await fmt(['--dry-run', 'a.toml']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `--- a.toml\n+++ a.toml\n@@ -1,3 +1,3 @@\n [[rule]]\n-tool='x'   # why\n-action='deny'\n+action = "deny"\n+tool = "x"  # why\n`,
    );
    expect(read('a.toml')).toBe(UGLY);
    expect(await fmt(['--dry-run', '--check', 'a.toml'])).toMatchObject({ code: 1, stdout });
  });

  it('does not touch what has a mistake, shows it, and goes on', async () => {
    put('a.toml', UGLY);
    put('bad.toml', FAULTY);
    const { code, stdout, stderr } = await fmt(['bad.toml', 'nothing.toml', 'a.toml']);
    expect([code, stdout]).toEqual([2, 'wrote  a.toml\n']);
    expect(stderr).toBe(
      'bad.toml:2:1: unknown key "acton" in [defaults]\n  2 | acton = "deny"\n    | ^\n  did you mean "action"?\n\n' +
        'clawai: bad.toml is no valid policy: 1 error\nclawai: nothing.toml: there is no such policy file\n  check the path\n',
    );
    expect(read('bad.toml')).toBe(FAULTY);
    expect((await fmt(['--check', 'bad.toml'])).code).toBe(2);
  });

  it('--json says of each file what became of it', async () => {
    put('a.toml', UGLY);
    put('bad.toml', FAULTY);
    const { code, stdout, stderr } = await fmt(['--json', '--check', 'a.toml', 'bad.toml', 'none.toml']);
    expect([code, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      files: [
        { file: 'a.toml', ok: true, formatted: false, errors: [] },
        {
          file: 'bad.toml',
          ok: false,
          formatted: null,
          errors: [{ message: 'unknown key "acton" in [defaults]', hint: 'did you mean "action"?', line: 2, column: 1 }],
        },
        {
          file: 'none.toml',
          ok: false,
          formatted: null,
          errors: [{ message: 'there is no such policy file', hint: 'check the path' }],
        },
      ],
    });
  });

  it('- formats what an editor sends', () => {
    expect(pipe(['-'], UGLY)).toMatchObject({ status: 0, stdout: NEAT, stderr: '' });
    expect(pipe(['-'], `\uFEFF${UGLY.replaceAll('\n', '\r\n')}`)).toMatchObject({
      stdout: `\uFEFF${NEAT.replaceAll('\n', '\r\n')}`,
    });
    expect(pipe(['-', '--check'], UGLY)).toMatchObject({ status: 1, stdout: '<stdin>:2: not formatted\n' });
    expect(pipe(['-'], '')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const bad = pipe(['-'], FAULTY);
    expect([bad.status, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toContain('<stdin>:2:1: unknown key "acton" in [defaults]\n  2 | acton = "deny"\n');
    expect(pipe(['-'], Buffer.from([0xff]))).toMatchObject({ status: 2, stdout: '' });
  });

  it("reads a project's policy as one", async () => {
    put('p/.clawai/policy.toml', UGLY.replace('deny', 'allow'));
    const { code, stderr } = await fmt(['p/.clawai/policy.toml']);
    expect(code).toBe(2);
    expect(stderr).toContain("a project's policy cannot allow anything");
    put('p/.clawai/policy.toml', UGLY);
    const around = await runCli(['policy', 'fmt', '--project'], { cwd: at('p'), env: { HOME: home } });
    expect([around.code, read('p/.clawai/policy.toml')]).toEqual([0, NEAT]);
    put('other.toml', UGLY.replace('deny', 'allow'));
    expect((await fmt(['--project', 'other.toml'])).code).toBe(2);
  });

  it.each([
    [['--policy', 'a.toml', 'b.toml'], '--policy and FILE are both given'],
    [['-', 'b.toml'], '- stands alone'],
    [['-', '--json'], '- and --json both want stdout'],
  ])('%j is refused', async (words, message) => {
    const { code, stderr } = await fmt(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('without a file it is the policy that counts, and never the one that clawai ships', async () => {
    expect(await fmt([])).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no policy at ') });
    put('.config/clawai/policy.toml', UGLY);
    expect((await fmt([])).code).toBe(0);
    expect(read('.config/clawai/policy.toml')).toBe(NEAT);
    put('named.toml', UGLY);
    expect((await fmt([], { CLAWAI_POLICY: at('named.toml') })).stdout).toBe(`wrote  ${at('named.toml')}\n`);
  });

  it.runIf(process.getuid?.() !== 0)('what may not be written stays, with a reason', async () => {
    put('a.toml', UGLY);
    chmodSync(at('a.toml'), 0o400);
    const { code, stderr } = await fmt(['a.toml']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a.toml cannot be written: permission denied')]);
    expect(read('a.toml')).toBe(UGLY);
  });

  it('shipped policies are formatted', async () => {
    const files = readdirSync(join(ROOT, 'policies')).map((name) => join(ROOT, 'policies', name));
    expect(files.length).toBeGreaterThan(3);
    expect(await fmt(['--check', ...files])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('an agent', () => {
  const agent = { CLAUDECODE: '1' };

  it.each([
    ['the policy that counts', '.config/clawai/policy.toml', []],
    ['it by its name', '.config/clawai/policy.toml', ['.config/clawai/policy.toml']],
    ["a project's", 'p/.clawai/policy.toml', ['p/.clawai/policy.toml']],
  ])('may not have %s formatted', async (_, file, words) => {
    put(file, UGLY);
    const { code, stdout, stderr } = await fmt(words, agent);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('clawai policy fmt is for a person, and an agent has started it (CLAUDECODE is set)');
    expect(read(file)).toBe(UGLY);
  });

  it('nor by a link, nor where a variable or a broken config says what counts', async () => {
    put('.config/clawai/policy.toml', UGLY);
    put('.config/clawai/config.toml', 'nonsense');
    symlinkSync('.config/clawai/policy.toml', at('innocent.toml'));
    expect((await fmt(['innocent.toml'], agent)).code).toBe(2);
    put('team.toml', UGLY);
    expect((await fmt(['team.toml'], { ...agent, CLAWAI_POLICY: at('team.toml') })).code).toBe(2);
    expect([read('.config/clawai/policy.toml'), read('team.toml')]).toEqual([UGLY, UGLY]);
  });

  it('may look, and may have a file of a repository formatted', async () => {
    put('.config/clawai/policy.toml', UGLY);
    expect(await fmt(['--check'], agent)).toMatchObject({ code: 1, stderr: '' });
    expect(await fmt(['--dry-run'], agent)).toMatchObject({ code: 0, stderr: '' });
    expect(read('.config/clawai/policy.toml')).toBe(UGLY);
    put('repo/policies/team.toml', UGLY);
    expect(await fmt(['repo/policies/team.toml'], agent)).toMatchObject({ code: 0, stderr: '' });
    expect(read('repo/policies/team.toml')).toBe(NEAT);
  });
});
