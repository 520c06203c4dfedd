import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leavePolicyMark } from '../../../../src/config/policy-mark.ts';
import { ROOT, runCli } from '../../../support/run-cli.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clawai-policy-check-'));
  await mkdir(join(folder, 'dir.toml'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function check(text: string | Uint8Array, ...flags: string[]): ReturnType<typeof runCli> {
  await writeFile(join(folder, 'p.toml'), text);
  return runCli(['policy', 'check', '--policy', 'p.toml', ...flags], { cwd: folder });
}

describe('clawai policy check', () => {
  it.each([
    ['', 'p.toml: ok, 0 rules, default deny\n'],
    ['\uFEFF[[rule]]\naction = "allow"\ntool = "a"\n', 'p.toml: ok, 1 rule, default deny\n'],
    ['[defaults]\naction = "allow"\n', 'p.toml: ok, 0 rules, default allow\n'],
  ])('%j is valid', async (text, stdout) => {
    expect(await check(text)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each(['default', 'strict', 'read-only', 'observe'])('the shipped policy %s is valid', async (name) => {
    const { code, stdout } = await runCli(['policy', 'check', '--policy', `policies/${name}.toml`], { cwd: ROOT });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/: ok, \d+ rules, default (allow|deny)\n$/)]);
  });

  it.each<[string, string, number, number]>([
    ['an unknown key', '[[rule]]\nacton = "deny"\naction = "deny"\ntool = "a"\n', 2, 1],
    ['an unknown table', '\n[defautls]\naction = "deny"\n', 2, 1],
    ['an unknown action', '[[rule]]\naction = "block"\ntool = "a"\n', 2, 1],
    ['a wrong type', '[[rule]]\naction = "deny"\ntool = 7\n', 3, 1],
    ['a bad glob', '[[rule]]\naction = "deny"\ntool = ""\n', 3, 1],
    ['a bad regex', '[[rule]]\naction = "deny"\ntool = { regex = "(" }\n', 3, 10],
    ['a look-around', '[[rule]]\naction = "deny"\ntool = { regex = "(?=a)" }\n', 3, 10],
    ['an integer beyond 64 bits', '[[rule]]\naction = "deny"\ntool = "a"\nargs.n = 9223372036854775808\n', 4, 6],
    [
      'a duplicate id',
      '[[rule]]\nid = "a"\naction = "deny"\ntool = "a"\n[[rule]]\nid = "a"\naction = "deny"\ntool = "b"\n',
      6,
      1,
    ],
    ['a key that no version had', '[dlp]\nmode = "redact"\n', 2, 1],
  ])('%s: exit code 2, the place, and a caret below it', async (_case, text, line, column) => {
    const { code, stdout, stderr } = await check(text);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`p.toml:${line}:${column}: `);
    expect(stderr).toContain(`\n  ${line} | ${text.split('\n')[line - 1]}\n    | ${' '.repeat(column - 1)}^\n`);
    expect(stderr).toMatch(/\nclawai: p\.toml is no valid policy: 1 error\n$/);
  });

  it("a project's policy may deny and prompt, and nothing else", async () => {
    const rule = '[[rule]]\naction = "prompt"\ntool = "a"\n';
    expect(await check(rule, '--project')).toEqual({ code: 0, stdout: "p.toml: ok, 1 rule, a project's\n", stderr: '' });
    const { code, stderr } = await check(`[defaults]\naction = "allow"\n${rule}`, '--project');
    expect(code).toBe(2);
    expect(stderr).toContain('p.toml:1:1: "defaults" does not belong in a project\'s policy');
  });

  it('finds the policy of the project around it', async () => {
    await mkdir(join(folder, 'project', '.clawai'), { recursive: true });
    await mkdir(join(folder, 'project', 'src'));
    const file = join(folder, 'project', '.clawai', 'policy.toml');
    await writeFile(file, '[[rule]]\naction = "allow"\ntool = "a"\n');
    const { code, stderr } = await runCli(['policy', 'check', '--project'], { cwd: join(folder, 'project', 'src') });
    expect(code).toBe(2);
    expect(stderr).toContain(`.clawai/policy.toml:2:1: a project's policy cannot allow anything`);
    const none = await runCli(['policy', 'check', '--project'], { cwd: folder });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no .clawai/policy.toml here')]);
  });

  it('a syntax error has its place', async () => {
    const { code, stdout, stderr } = await check('[[rule]]\naction = deny\n');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^p\.toml:2:\d+: /);
  });

  it('shows every error, in the order of the file', async () => {
    const { code, stderr } = await check('[[rule]]\naction = "block"\ntool = "a"\n[[rule]]\naction = "deny"\ntol = "a"\n');
    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        'p.toml:2:1: unknown action "block"',
        '  2 | action = "block"',
        '    | ^',
        '  actions: allow, deny, prompt',
        '',
        'p.toml:6:1: unknown key "tol" in a rule',
        '  6 | tol = "a"',
        '    | ^',
        '  did you mean "tool"?',
        '',
        'clawai: p.toml is no valid policy: 2 errors',
        '',
      ].join('\n'),
    );
  });

  it('text that is not UTF-8', async () => {
    const text = Buffer.from([0x23, 0xe9]);
    const message = 'the policy file is not UTF-8 text';
    expect(await check(text)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`p.toml: ${message}\n`) });
    const { stdout } = await check(text, '--json');
    expect(JSON.parse(stdout).errors).toEqual([{ message, hint: 'save the policy as UTF-8' }]);
  });

  it.each(['nowhere.toml', 'dir.toml'])('%s cannot be read', async (file) => {
    const { code, stdout, stderr } = await runCli(['policy', 'check', '--policy', file], { cwd: folder });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^clawai: .*${file}`));
    expect(stderr).not.toMatch(/^\s+at .*\.ts/m);
  });

  it('hazard 11: one that is gone is not answered for by the shipped default, and a setting of the config is sent there', async () => {
    const home = join(folder, 'home');
    const env = { HOME: home };
    const own = join(home, '.config', 'clawai', 'policy.toml');
    expect(await runCli(['policy', 'check'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('default.toml: ok'),
    });
    leavePolicyMark(join(home, '.local', 'state', 'clawai'), own);
    const gone = {
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`clawai: the policy ${own} is gone: every call is denied`),
    };
    expect(await runCli(['policy', 'check'], { env })).toEqual(gone);
    const fixture = ['--fixture', join(ROOT, 'fixtures', 'read-ssh-key.json')];
    expect(await runCli(['policy', 'test', ...fixture], { env })).toEqual({ ...gone, stdout: 'nothing was tested: 1 error\n' });
    expect((await check('mode = "observe"\n')).stderr).toContain('it belongs in config.toml');
  });

  it('a suppression of a rule that there is not is an error where it stands', async () => {
    const suppress = (rule: string): string => `[[detection.suppress]]\nserver = "*"\nreason = "known"\nrule = "${rule}"\n`;
    const pattern = '[[detection.pattern]]\nname = "internal"\npattern = "corp"\nseverity = "high"\n';
    const rules = ['hiden_instructions.conceal', 'exfiltration.*', '**', 'custom.intern', 'exfiltration', 'custom.internal'];
    const { code, stdout, stderr } = await check(rules.map(suppress).join('') + pattern);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.split('\n').filter((line) => line.startsWith('p.toml:'))).toEqual([
      'p.toml:4:1: detection has no rule "hiden_instructions.conceal"',
      'p.toml:16:1: detection has no rule "custom.intern"',
      'p.toml:20:1: detection has no rule "exfiltration"',
    ]);
    expect(stderr).toContain('did you mean "hidden_instructions.conceal"?');
    expect(stderr).toContain('did you mean "custom.internal"?');
    expect(stderr).toContain('did you mean "exfiltration.*"?');
  });

  it('--json: a valid policy', async () => {
    const { code, stdout } = await check('[[rule]]\naction = "allow"\ntool = "a"\n', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { file: 'p.toml', ok: true, rules: 1, default: 'deny', errors: [], warnings: [] },
    ]);
  });

  it('--json: an invalid one', async () => {
    const { code, stdout } = await check('[[rule]]\nacton = "deny"\naction = "deny"\ntool = "a"\n', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      {
        file: 'p.toml',
        ok: false,
        rules: null,
        default: null,
        errors: [{ message: 'unknown key "acton" in a rule', line: 2, column: 1, hint: 'did you mean "action"?' }],
        warnings: [],
      },
    ]);
  });
});
