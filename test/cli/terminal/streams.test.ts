import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../support/run-cli.ts';

const POLICY = '[[rule]]\nid = "keys"\naction = "deny"\ntool = "**"\n';
const CALL = '{"method":"tools/call","params":{"name":"x"}}';
const FIXTURE = `${CALL.slice(0, -1)},"expected":"deny","expectedRule":"keys"}`;
const FAULTY = '[defaults]\nacton = "deny"\n';

let home = '';

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'clawai-stdin-'));
  for (const [name, text] of Object.entries({ 'p.toml': POLICY, 'f.json': FIXTURE, 'none.jsonl': '' }))
    writeFileSync(join(home, name), text);
});
afterAll(() => rmSync(home, { recursive: true }));

/** Through the program as it is installed, with this on stdin: bytes, or an open file. */
function clawai(line: string, input: string | Buffer | number) {
  const from = typeof input === 'number' ? { stdio: [input, 'pipe', 'pipe'] as const } : { input };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin/clawai.mjs'), ...line.split(' ')], {
    ...(from as { input?: string }),
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('- is stdin', () => {
  it.each<[string, string, RegExp]>([
    ['policy test --policy - --fixture f.json --coverage 100', POLICY, /^ok {4}f {2}deny {4}keys\n/],
    ['policy test --policy p.toml --fixture -', FIXTURE, /^ok {4}<stdin> {2}deny {4}keys\n/],
    ['policy lint --policy -', POLICY, /^<stdin>: ok, 1 rule\n/],
    ['policy lint --policy - --fix --dry-run', POLICY, /^<stdin>: ok, 1 rule\n/],
    ['policy check --policy -', POLICY, /^<stdin>: ok, 1 rule, default deny\n/],
    ['policy check --policy -', `\uFEFF${POLICY}`, /^<stdin>: ok, 1 rule, default deny\n/],
    ['policy explain --policy - --tool x', POLICY, /^deny by rule keys \(<stdin>:1\)\n/],
    ['policy explain --policy - --here --tool x', POLICY, /^deny by rule keys \(<stdin>:1\)\n/],
    ['policy explain --policy p.toml --fixture -', CALL, /^<stdin>\ndeny by rule keys \(p\.toml:1\)\n/],
    ['policy fmt -', POLICY, /^\[\[rule\]\]\n/],
    ['policy fmt --policy -', POLICY, /^\[\[rule\]\]\n/],
    ['mcp inspect --policy - none.jsonl', POLICY, /^none\.jsonl: /],
  ])('clawai %s', (line, input, form) => {
    const { status, stdout, stderr } = clawai(line, input);
    // An empty list of definitions is nothing that was looked at, by whichever policy.
    expect([status, stderr]).toEqual(line.startsWith('mcp') ? [2, expect.stringContaining('there is nothing in it')] : [0, '']);
    if (status === 0) expect(stdout).toMatch(form);
  });

  it('a mismatch has its place there', () => {
    const { status, stdout } = clawai('policy test --policy - --fixture f.json --expect allow', POLICY);
    expect([status, stdout]).toEqual([1, expect.stringContaining('actual    deny by rule "keys" at <stdin>:1\n')]);
  });

  it('policy show knows that it is no file that could be written', () => {
    const { status, stdout } = clawai('policy show --policy -', POLICY);
    expect([status, stdout.match(/<stdin>/g)?.length]).toEqual([0, stdout.match(/<stdin>(?: \(|:)/g)?.length]);
    expect(stdout).toMatch(/^policy {2}<stdin> \(--policy\)/);
  });

  it('policy replay takes either policy', () => {
    for (const flags of ['--policy -', '--policy p.toml --against -', '--policy - --against p.toml'])
      expect(clawai(`policy replay ${flags} --from none.jsonl`, POLICY)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    'policy test --policy - --fixture f.json',
    'policy lint --policy -',
    'policy check --policy -',
    'policy show --policy -',
    'policy explain --policy - --tool x',
    'policy replay --policy - --from none.jsonl',
  ])('clawai %s: what is wrong has its place and its line', (line) => {
    const { status, stderr } = clawai(line, FAULTY);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/<stdin>:2:1: unknown key "acton".*\n +2 \| acton = "deny"\n/)]);
  });

  it('what is no text, and what is no stream', () => {
    expect(clawai('policy check --policy -', Buffer.from([0xff]))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('<stdin>: the policy file is not UTF-8 text'),
    });
    expect(clawai('policy test --policy p.toml --fixture -', Buffer.from([0xff]))).toMatchObject({
      status: 2,
      stderr: 'clawai: <stdin>: the fixture is not UTF-8\n',
    });
    const folder = openSync(home, 'r');
    for (const line of ['policy check --policy -', 'policy fmt -', 'policy test --policy p.toml --fixture -'])
      expect(clawai(line, folder)).toMatchObject({
        status: 2,
        stderr: 'clawai: <stdin>: stdin cannot be read: it is a directory\n',
      });
    closeSync(folder);
  });
});

describe('what cannot be had from stdin is refused before anything is read', () => {
  it.each([
    ['policy test --policy - --fixture -', '--policy and --fixture both want stdin'],
    ['policy explain --policy - --fixture -', '--policy and --fixture both want stdin'],
    ['policy explain --policy - --tool x --args -', '--policy and --args both want stdin'],
    ['policy replay --policy - --against -', '--policy and --against both want stdin'],
    ['policy replay --policy - --from -', '--policy and --from both want stdin'],
    ['mcp inspect --policy - -', '--policy and FILE both want stdin'],
    ['policy lint --policy - --fix', '--fix cannot write to stdin'],
    ['policy explain --policy - --last-denied --allow', '--allow cannot write to stdin'],
    // A server speaks there.
    ['proxy --policy - -- cat', '--policy names a policy that does not exist'],
  ])('clawai %s', (line, message) => {
    const { status, stdout, stderr } = clawai(line, POLICY);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
