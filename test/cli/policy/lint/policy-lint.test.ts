import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, afterEach, beforeEach } from 'vitest';
import { fingerprintOf } from '../../../../src/core/registry/fingerprint.ts';
import { register, sighted } from '../../../support/registered.ts';
import { ROOT, runCli } from '../../../support/run-cli.ts';
import { readSarif } from '../../../support/schema-check.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clawai-policy-lint-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SHADOWED = '# kept\n[[rule]]\naction = "deny"\ntool = "a*"\n\n# goes\n[[rule]]\naction = "deny"\ntool = "ab"\n';
const AFTER = '# kept\n[[rule]]\naction = "deny"\ntool = "a*"\n\n';
const INFO = '[[rule]]\naction = "prompt"\ntool = "a"\n';

async function lint(text: string, ...flags: string[]): ReturnType<typeof runCli> {
  await writeFile(join(folder, 'p.toml'), text);
  return runCli(['policy', 'lint', '--policy', 'p.toml', ...flags], { cwd: folder });
}

describe('clawai policy lint', () => {
  it.each(['default', 'strict', 'read-only', 'observe'])('has nothing to say about the shipped policy %s', async (name) => {
    const { code, stdout } = await runCli(['policy', 'lint', '--strict', '--policy', `policies/${name}.toml`], { cwd: ROOT });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/: ok, \d+ rules\n$/)]);
  });

  it('shows each finding with its place, the line, the other rule and what to do', async () => {
    const { code, stdout, stderr } = await lint(SHADOWED);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toBe(
      'p.toml:7:1: warning: rule 2 never decides: rule 1 above matches every call that it matches [shadowed-rule]\n' +
        '  7 | [[rule]]\n    | ^\n  p.toml:2:1: rule 1 denies first\n  remove it, or move it up if it should decide by itself\n\n' +
        'p.toml: 1 warning; --fix removes 1\n',
    );
  });

  it.each([
    ['tool = "delete_.*"', 'regex-in-glob', 5, 1],
    ['tool = "a"\nargs.path = "/etc"', 'folder-itself', 6, 6],
    ['tool = "a"\nargs.path = "$HOME/.ssh/**"', 'variable-in-path', 6, 6],
    ['tool = "a"\nargs.path = ".env"', 'bare-file-name', 6, 6],
    ['tool = "a "', 'outer-space', 5, 1],
    ['tool = "a"\nargs.url = "https://evil.example/**"', 'https-only', 6, 6],
    [
      'tool = "read_x"\nargs.p = "**"\n[[rule]]\naction = "allow"\ntool = "*_x"\n[[rule]]\naction = "deny"\ntool = ["a", "b_x"]',
      'partly-shadowed',
      10,
      1,
    ],
  ])('finds what lets calls through in silence: %s', async (lines, id, line, column) => {
    const { code, stdout } = await lint(`[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\n${lines}\n`);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^p\\.toml:${line}:${column}: warning: .*\\[${id}\\]`, 'm')),
    ]);
  });

  it('takes what is only of interest for no failure, but where it is asked to', async () => {
    expect((await lint(INFO)).code).toBe(0);
    expect((await lint(INFO, '--strict')).code).toBe(1);
    expect((await lint(SHADOWED, '--max-warnings', '1')).code).toBe(0);
    expect((await lint(SHADOWED, '--max-warnings', '0')).code).toBe(1);
  });

  it('prints JSON', async () => {
    const { code, stdout } = await lint(
      `${SHADOWED}# lint-ignore undescribed-prompt: obvious\n${INFO.replace('"a"', '"x"')}`,
      '--json',
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      file: 'p.toml',
      ok: false,
      errors: 0,
      warnings: 1,
      infos: 0,
      findings: [{ id: 'shadowed-rule', severity: 'warning', line: 7, column: 1, fixable: true, related: [{ line: 2 }] }],
      ignored: [{ id: 'undescribed-prompt', reason: 'obvious' }],
      fixed: [],
    });
  });

  it('prints annotations of GitHub', async () => {
    const { code, stdout } = await lint(SHADOWED + INFO.replace('"a"', '"x"'), '--reporter', 'github');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^::warning file=p\.toml,line=7,col=1,title=shadowed-rule::rule 2 never decides.*%0A.*\n::notice file=p\.toml,line=10,.*\np\.toml: 1 warning, 1 info; --fix removes 1\n$/,
    );
  });

  it('prints SARIF', async () => {
    const { stdout } = await lint(
      `${SHADOWED}# lint-ignore undescribed-prompt: obvious\n${INFO.replace('"a"', '"x"')}`,
      '--reporter',
      'sarif',
    );
    const { results } = readSarif(stdout).runs[0];
    expect(results).toMatchObject([
      {
        ruleId: 'policy-lint/shadowed-rule',
        level: 'warning',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'p.toml' }, region: { startLine: 7, startColumn: 1 } } }],
        relatedLocations: [{ message: { text: 'rule 1 denies first' } }],
      },
      { ruleId: 'policy-lint/undescribed-prompt', level: 'note', suppressions: [{ kind: 'inSource', justification: 'obvious' }] },
    ]);
  });

  it('refuses what is no policy, with its place', async () => {
    const { code, stdout, stderr } = await lint('[[rule]]\nacton = "deny"\ntool = "a"\naction = "deny"\n');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('p.toml:2:1');
  });

  it.each([
    [['--dry-run'], '--dry-run is about --fix'],
    [['--config', 'c.toml'], '--config is about --registry'],
    [['--max-warnings', 'few'], 'is no number of warnings'],
    [['--json', '--reporter', 'sarif'], 'contradict each other'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await lint('', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("looks at a project's policy", async () => {
    const project = join(folder, 'project');
    await mkdir(join(project, '.clawai'), { recursive: true });
    await writeFile(join(project, '.clawai', 'policy.toml'), SHADOWED);
    const { code, stdout } = await runCli(['policy', 'lint', '--project'], { cwd: project });
    expect([code, stdout]).toEqual([1, expect.stringContaining('policy.toml:7:1: warning: rule 2 never decides')]);
  });

  it('--fix --dry-run shows the change and makes none', async () => {
    const { code, stdout } = await lint(SHADOWED, '--fix', '--dry-run');
    expect(code).toBe(1);
    expect(stdout).toContain('-# goes\n-[[rule]]\n-action = "deny"\n-tool = "ab"\n');
    expect(await readFile(join(folder, 'p.toml'), 'utf8')).toBe(SHADOWED);
  });

  it('--fix removes it, keeps permissions and links, and says so', async () => {
    const real = join(folder, 'real.toml');
    await writeFile(real, SHADOWED);
    await chmod(real, 0o640);
    await symlink(real, join(folder, 'link.toml'));
    const { code, stdout } = await runCli(['policy', 'lint', '--policy', 'link.toml', '--fix'], { cwd: folder });
    expect([code, stdout]).toEqual([0, 'link.toml:7: removed rule 2 [shadowed-rule]\n\nlink.toml: ok, 1 rule\n']);
    expect(await readFile(real, 'utf8')).toBe(AFTER);
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    expect((await lstat(join(folder, 'link.toml'))).isSymbolicLink()).toBe(true);
  });

  it('--fix is not for agents, nor for the policy that comes with clawai', async () => {
    await writeFile(join(folder, 'p.toml'), SHADOWED);
    const asked = ['policy', 'lint', '--policy', 'p.toml', '--fix'];
    const byAgent = await runCli(asked, { cwd: folder, env: { CLAUDECODE: '1' } });
    expect([byAgent.code, byAgent.stderr]).toEqual([2, expect.stringContaining('clawai policy lint --fix is for a person')]);
    expect(await readFile(join(folder, 'p.toml'), 'utf8')).toBe(SHADOWED);
    const shipped = await runCli(['policy', 'lint', '--fix'], { cwd: folder });
    expect([shipped.code, shipped.stderr]).toEqual([2, expect.stringContaining('no policy of your own')]);
  });

  it('--reporter github places the mistakes of what is no valid policy', async () => {
    const text = '[[rule]]\naction = "dney"\ntool = "a"\n\n[[rule]]\naction = "deny"\ntol = "a"\n';
    const { code, stdout, stderr } = await lint(text, '--reporter', 'github');
    expect(code).toBe(2);
    expect(stdout.split('\n')[0]).toBe(
      '::error file=p.toml,line=2,col=1,title=no valid policy::unknown action "dney"%0Adid you mean "deny"?',
    );
    expect(stdout.match(/^::error file=p\.toml,line=\d+,col=\d+,/gm)).toHaveLength(2);
    expect(stderr).toContain('p.toml:2:1: unknown action "dney"');
    expect((await runCli(['policy', 'lint', '--policy', 'none.toml', '--reporter', 'github'], { cwd: folder })).stdout).toMatch(
      /^::error file=none\.toml,title=no valid policy::/,
    );
  });

  it.each(['json', 'sarif'])('--reporter %s is a document also where there is no valid policy', async (reporter) => {
    const wrong = await lint('[[rule]]\naction = "dney"\ntool = "a"\n', '--reporter', reporter);
    const none = await runCli(['policy', 'lint', '--policy', 'none.toml', '--reporter', reporter], { cwd: folder });
    expect([wrong.code, none.code]).toEqual([2, 2]);
    const [first, second] = [wrong, none].map(({ stdout }) => JSON.parse(stdout) as object);
    const [found, missing] =
      reporter === 'json'
        ? [
            { file: 'p.toml', ok: false, errors: 1, findings: [{ id: 'invalid-policy', line: 2, column: 1 }] },
            { file: 'none.toml', ok: false, errors: 1 },
          ]
        : [{ runs: [{ results: [{ ruleId: 'policy-lint/invalid-policy', level: 'error' }] }] }, { runs: [{ results: [{}] }] }];
    expect(first).toMatchObject(found ?? {});
    expect(second).toMatchObject(missing ?? {});
  });
});

let state = '';
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-known-tools-'));
});
afterEach(() => rmSync(state, { recursive: true }));

describe('clawai policy lint --registry', () => {
  it('holds names against what servers have listed', async () => {
    mkdirSync(join(state, 'clawai'));
    const text = JSON.stringify({ inputSchema: { properties: { path: {} }, type: 'object' }, name: 'read_file' });
    register(join(state, 'clawai', 'clawai.db'), (registry) => {
      const seen = { kind: 'tool', name: 'read_file', text, fingerprint: fingerprintOf(text) } as const;
      registry.write('files', [{ ...sighted('read_file', ''), seen }], Date.parse('2026-03-01T12:00:00Z'));
    });
    writeFileSync(join(state, 'p.toml'), '[[rule]]\naction = "deny"\ntool = "read_file"\nargs.file = "/etc/**"\n');
    const { code, stdout } = await runCli(['policy', 'lint', '--policy', join(state, 'p.toml'), '--registry'], {
      env: { XDG_STATE_HOME: state },
    });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/p\.toml:4:6: warning: no known tool .*"file".*\n.*\n.*\n.*did you mean "path"\?/),
    ]);
  });

  it('says so where none has listed anything', async () => {
    writeFileSync(join(state, 'p.toml'), '[[rule]]\naction = "deny"\ntool = "x"\n');
    const { code, stderr } = await runCli(['policy', 'lint', '--policy', join(state, 'p.toml'), '--registry'], {
      env: { XDG_STATE_HOME: state },
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining('no server has listed anything yet')]);
  });
});
