import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { ACTION, runAction } from '../support/run-action.ts';

const sandbox = useSandbox();

const POLICY =
  '[[rule]]\nid = "no-shell"\naction = "deny"\ntool = "shell_*"\n\n[[rule]]\nid = "reading"\naction = "allow"\nserver = "files"\ntool = "read_*"\n';
const call = (name: string, server: string, expected: string): object => ({
  name: `${name} of ${server}`,
  server,
  method: 'tools/call',
  params: { name, arguments: {} },
  expected,
});
const GOOD = [call('shell_run', 'shell', 'deny'), call('read_file', 'files', 'allow'), call('read_file', 'other', 'deny')];

function prepare(policy: string, fixtures: readonly object[], folder = 'fixtures'): void {
  sandbox.current.write('policy.toml', policy);
  mkdirSync(sandbox.current.path(folder));
  sandbox.current.write(`${folder}/all.json`, JSON.stringify(fixtures));
}

describe('action.yml', () => {
  it('is what GitHub takes for an action, with a default for each input', () => {
    expect(Object.keys(ACTION).toSorted()).toEqual(['author', 'branding', 'description', 'inputs', 'name', 'runs']);
    expect(ACTION.runs).toMatchObject({ using: 'composite', steps: [{ shell: 'bash' }] });
    for (const input of Object.values(ACTION.inputs))
      expect(input).toEqual({ description: expect.any(String), default: expect.any(String) });
  });

  it('a good policy: all results in the summary and in the log, and no annotation', async () => {
    prepare(POLICY, GOOD);
    const { code, stdout, summary } = await runAction(sandbox.current);
    expect(code).toBe(0);
    for (const text of [stdout, summary]) expect(text).toContain('3 fixtures: 3 passed, 0 failed; 2 of 2 rules hit');
    expect(summary).toContain('policy.toml: ok, 2 rules\n');
    expect(stdout).not.toMatch(/^::(?:error|warning)/m);
  });

  it('a mismatch fails it, and is annotated at the policy', async () => {
    prepare(POLICY, [...GOOD, call('shell_stop', 'shell', 'allow')]);
    const { code, stdout, summary } = await runAction(sandbox.current);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error .*file=policy\.toml,line=1/m);
    expect(summary).toContain('FAIL  shell_stop of shell');
  });

  it('a rule that no fixture hits fails it, unless that is not asked', async () => {
    prepare(POLICY, GOOD.slice(0, 1));
    expect((await runAction(sandbox.current)).code).toBe(1);
    expect((await runAction(sandbox.current, { coverage: '' })).code).toBe(0);
  });

  it('what the linter finds fails it, and is annotated, unless that is not asked', async () => {
    const shadowed = '\n[[rule]]\nid = "never"\naction = "deny"\nserver = "files"\ntool = "read_file"\n';
    prepare(`${POLICY}${shadowed}`, GOOD);
    const linted = await runAction(sandbox.current, { coverage: '' });
    expect(linted.code).toBe(1);
    expect(linted.stdout).toMatch(/^::(?:error|warning) .*file=policy\.toml,line=12,/m);
    expect((await runAction(sandbox.current, { coverage: '', lint: 'false' })).code).toBe(0);
  });

  it('fixtures that would not notice another policy fail it, where that is asked', async () => {
    prepare(POLICY, GOOD.slice(0, 2));
    expect((await runAction(sandbox.current)).code).toBe(0);
    const { code, stdout } = await runAction(sandbox.current, { 'mutate-min': '100' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error .*file=policy\.toml/m);
  });

  it('a policy with a mistake: the place of it, and nothing else is tried', async () => {
    prepare(POLICY.replace('"deny"', '"dney"'), GOOD);
    const { code, stdout, summary } = await runAction(sandbox.current, { lint: 'false' });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^::error file=policy\.toml,line=3,col=1,.*unknown action "dney"/m);
    expect(summary).toContain('policy.toml:3:1: unknown action "dney"');
    expect(summary).not.toContain('fixtures');
  });

  it("a project's policy is linted and tested as one", async () => {
    prepare(POLICY.slice(0, POLICY.indexOf('\n\n')), [GOOD[0] ?? {}, call('read_file', 'files', 'unmatched')]);
    const { code, summary } = await runAction(sandbox.current, { project: 'true' });
    expect([code, summary]).toEqual([0, expect.stringContaining('2 fixtures: 2 passed, 0 failed; 1 of 1 rules hit')]);
    expect((await runAction(sandbox.current)).code).toBe(2);
  });

  it('there is no policy', async () => {
    expect(await runAction(sandbox.current)).toMatchObject({ code: 2, summary: expect.stringContaining('policy.toml') });
  });

  it('names are never commands', async () => {
    prepare(POLICY, GOOD, 'a; touch "$(echo gone)" `touch gone`');
    const { code } = await runAction(sandbox.current, { 'fixture-dir': 'a; touch "$(echo gone)" `touch gone`' });
    expect(code).toBe(0);
    expect(() => sandbox.current.read('gone')).toThrow('ENOENT');
  });

  it('what fixtures are called is no command to the runner, and no Markdown in the summary', async () => {
    const names = ['::add-mask::allow', '##[add-mask]allow', '``````', '\n``````\n<img src="x">'];
    prepare(
      POLICY,
      names.map((name) => ({ ...call('shell_run', 'shell', 'allow'), name })),
    );
    const { code, stdout, summary } = await runAction(sandbox.current, { coverage: '' });
    expect(code).toBe(1);
    const token = /^::stop-commands::([0-9a-f-]{36})$/m.exec(stdout)?.[1] ?? 'none';
    const [before = '', , after = ''] = stdout.split(new RegExp(`^::(?:stop-commands::)?${token}(?:::)?$`, 'm'));
    for (const text of [before, after]) expect(text).not.toMatch(/^(?!::error ).*(?:::|##\[)add-mask/m);
    expect(after.match(/^::error /gm)).toHaveLength(names.length);
    expect(summary.match(/^ {0,3}`{3,}/gm)).toHaveLength(2);
  });
});
