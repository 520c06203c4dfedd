import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser } from 'tap-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, runCli } from '../../../support/run-cli.ts';
import { readSarif } from '../../../support/schema-check.ts';

let folder = '';
const POLICY =
  '[[rule]]\nid = "keys"\naction = "deny"\ntool = "**"\nargs."**" = "**/.ssh/**"\n\n[[rule]]\naction = "allow"\ntool = "read_*"\n';
const READ = '{"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a"}}';
const BASH = { server: 'native', method: 'tools/call' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clawai-policy-test-'));
  await copyFile(join(ROOT, 'policies/default.toml'), join(folder, 'policy.toml'));
  await cp(join(ROOT, 'fixtures'), join(folder, 'fixtures'), { recursive: true });
  const files: Record<string, string> = {
    'small.toml': POLICY,
    'good.json': `${READ},"expected":"allow","expectedRule":2}`,
    'bad.json': `${READ},"expected":"deny"}`,
    'native.toml':
      '[defaults]\naction = "deny"\n\n[[rule]]\nid = "no-rm"\naction = "deny"\nserver = "native"\ntool = "Bash"\nargs.command = "rm **"\n\n[[rule]]\naction = "allow"\ntool = "**"\n',
    'native.json': JSON.stringify([
      { ...BASH, params: { name: 'Bash', arguments: { command: 'rm -rf /' } }, expected: 'deny', expectedRule: 'no-rm' },
      { ...BASH, params: { name: 'Bash', arguments: { command: 'ls' } }, expected: 'allow', expectedRule: null },
      {
        ...BASH,
        server: 'files',
        params: { name: 'Bash', arguments: { command: 'rm -rf /' } },
        expected: 'allow',
        expectedRule: 2,
      },
      {
        ...BASH,
        server: 'files',
        context: { unmapped: true },
        params: { name: 'Bash' },
        expected: 'deny',
        expectedRule: 'unmapped_tool',
      },
    ]),
    'silent.json': `${READ}}`,
    'wrong-rule.json': `${READ},"expectedRule":"keys"}`,
    'shadowed.json': `{"tools":{"a":["read_file"],"b":["read_file"]},"steps":[{"server":"a",${READ.slice(1)},"expected":"allow"},{"server":"b",${READ.slice(1)},"expected":"deny","expectedRule":"flow:shadow_tool"}]}`,
    'strong.json': JSON.stringify([
      ...['read_file', 'other'].map((name) => ({
        method: 'tools/call',
        params: { name, arguments: { options: { path: '/a/b/.ssh/c/d' } } },
        expected: 'deny',
        expectedRule: 'keys',
      })),
      { method: 'tools/call', params: { name: 'a/b', arguments: { path: '/a/b/.ssh/c/d' } }, expected: 'deny', expectedRule: 1 },
      { method: 'tools/call', params: { name: 'read_x', arguments: { path: 'a' } }, expected: 'allow', expectedRule: 2 },
      { method: 'tools/call', params: { name: 'read_x/y', arguments: { path: 'a' } }, expected: 'deny', expectedRule: null },
      { method: 'tools/call', params: { name: 'x', arguments: { path: 'a' } }, expected: 'deny', expectedRule: null },
    ]),
    'broken/a.json': '{',
    'broken/b.json': `${READ},"expected":"allow"}`,
    'broken/c.json': '{"method":7}',
    'halves/bad.json': `${READ},"expected":"deny"}`,
    'halves/good.json': `${READ},"expected":"allow"}`,
    'mixed/b.json': `${READ},"expected":"allow"}`,
    'mixed/a.json': `${READ},"expected":"allow"}`,
    'mixed/.hidden.json': '{',
    'mixed/fixture.schema.json': '{}',
    'mixed/notes.md': '{',
    'mixed/deeper/c.json': '{',
    'invalid.toml': '[[rule]]\nacton = "deny"\n',
    'syntax.toml': '[[rule]]\naction = \n',
    'latin1.json': '',
  };
  for (const name of ['broken', 'halves', 'mixed/deeper', 'empty']) await mkdir(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'latin1.json'), Buffer.from([0x22, 0xe9, 0x22]));
  await symlink('loop.json', join(folder, 'loop.json'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What is printed for people where nothing could be decided. */
const NOTHING = /^nothing was tested: \d errors?\n$/;

async function policyTest(...args: string[]): ReturnType<typeof runCli> {
  return runCli(['policy', 'test', ...args], { cwd: folder });
}

it("fixtures of the agent's own tools, and of names that belong to no server", async () => {
  const { code, stdout, stderr } = await policyTest('--policy', 'native.toml', '--fixture', 'native.json');
  expect([code, stderr, stdout.split('\n').at(-2)]).toEqual([0, '', '4 fixtures: 4 passed, 0 failed; 2 of 2 rules hit']);
});

describe('the commands of the documentation, with a copy of the shipped policy', () => {
  it('one fixture', async () => {
    const { code, stdout, stderr } = await policyTest('--policy', 'policy.toml', '--fixture', 'fixtures/read-ssh-key.json');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      'ok    read-ssh-key  deny    private-keys\n\n1 fixture: 1 passed, 0 failed; 1 of 16 rules hit\n' +
        'not hit: passwords, credentials, env-files, system-secrets, browser-profiles and 10 more\n',
    );
  });

  it('every fixture of a directory', async () => {
    const { code, stdout, stderr } = await policyTest('--policy', 'policy.toml', '--fixture-dir', 'fixtures/');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n\d+ fixtures with (\d+) calls: \1 passed, 0 failed; 16 of 16 rules hit, 8 of 8 guards\n$/);
  });

  it('with an expectation', async () => {
    const args = ['--policy', 'policy.toml', '--fixture', 'fixtures/read-ssh-key.json', '--expect'];
    expect((await policyTest(...args, 'deny')).code).toBe(0);
    expect((await policyTest(...args, 'allow')).code).toBe(1);
  });
});

describe('results', () => {
  it('a mismatch is exit code 1, with the place of the rule that decided', async () => {
    const { code, stdout, stderr } = await policyTest('--policy', 'small.toml', '--fixture', 'bad.json');
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('expected  deny\n        actual    allow by rule 2 at small.toml:7\n');
  });

  it('another rule than the expected one is a mismatch', async () => {
    expect((await policyTest('--policy', 'small.toml', '--fixture', 'good.json')).code).toBe(0);
    expect((await policyTest('--policy', 'small.toml', '--fixture', 'wrong-rule.json')).code).toBe(1);
  });

  it.each([
    ['"keyz"', 'no rule and no guard is called "keyz"; did you mean "keys"?'],
    ['"flow:brust"', 'no rule and no guard is called "flow:brust"; did you mean "flow:burst"?'],
    ['"rule 2"', 'no rule and no guard is called "rule 2"; did you mean 2, without quotes?'],
    ['"2"', 'no rule and no guard is called "2"; did you mean 2, without quotes?'],
    ['"\\u001bx"', 'no rule and no guard is called "\\u001bx"'],
    ['3', 'there is no rule 3: the policy has 2 rules'],
    ['"keys"', undefined],
    ['1', undefined],
  ])('an expected rule %s that is not there is told so, and what may be meant', async (expectedRule, hint) => {
    await writeFile(join(folder, 'unknown.json'), `${READ},"expected":"allow","expectedRule":${expectedRule}}`);
    const unknown = async (...flags: string[]) => policyTest('--policy', 'small.toml', '--fixture', 'unknown.json', ...flags);
    const [text, json] = [await unknown(), await unknown('--json')];
    expect([text.code, JSON.parse(json.stdout).results[0].hint]).toEqual([1, hint ?? null]);
    expect(text.stdout.includes('is called') || text.stdout.includes('there is no rule')).toBe(hint !== undefined);
    if (hint !== undefined) expect(text.stdout).toContain(`        ${hint}\n        fixture   unknown.json\n`);
  });

  it('without an expectation nothing is decided, unless --expect has one', async () => {
    const args = ['--policy', 'small.toml', '--fixture', 'silent.json'];
    const { code, stdout, stderr } = await policyTest(...args);
    expect([code, stdout]).toEqual([2, expect.stringMatching(NOTHING)]);
    expect(stderr).toContain('clawai: silent.json:1:1: "expected" is missing\n');
    expect((await policyTest(...args, '--expect', 'allow')).code).toBe(0);
    expect((await policyTest(...args, '--expect', 'deny')).code).toBe(1);
  });

  it('a directory is read in sorted order, not deeper, and without hidden files and schemas', async () => {
    const { code, stdout } = await policyTest('--policy', 'small.toml', '--fixture-dir', 'mixed', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results.map(({ fixture }: { fixture: string }) => fixture)).toEqual([
      'mixed/a.json',
      'mixed/b.json',
    ]);
  });

  it.each([
    ['junit', /^<\?xml .*<failure message="expected deny, actual allow by rule 2 at small.toml:7"/s],
    ['tap', /^TAP version 14\n1\.\.1\nnot ok 1 - bad\n  ---\n  expected: "deny"\n/],
    ['github', /^::error file=small.toml,line=7,title=bad::expected deny, actual allow by rule 2 at small.toml:7 \(bad.json\)\n/],
    ['sarif', /"ruleId": "policy-test\/mismatch".*"startLine": 7/s],
  ])('--reporter %s says what differs, and at which line of the policy', async (reporter, form) => {
    const { code, stdout, stderr } = await policyTest('--policy', 'small.toml', '--fixture', 'bad.json', '--reporter', reporter);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(form);
  });

  it.each([
    ['100', 1, /\n50 % of the rules were hit, below the required 100 %\n {8}small.toml:1 {2}keys\n$/],
    ['50.1%', 1, /50 % of the rules were hit, below the required 50.1 %/],
    ['50', 0, /1 of 2 rules hit\nnot hit: keys\n$/],
    ['0', 0, /1 of 2 rules hit/],
  ])('--coverage %s: exit code %i', async (min, expected, form) => {
    const { code, stdout } = await policyTest('--policy', 'small.toml', '--fixture', 'good.json', '--coverage', min);
    expect(code).toBe(expected);
    expect(stdout).toMatch(form);
  });

  it('--coverage is told by every reporter', async () => {
    const coverage = async (...flags: string[]): Promise<string> => {
      const { code, stdout } = await policyTest('--policy', 'small.toml', '--fixture', 'good.json', '--coverage', '90', ...flags);
      expect(code).toBe(1);
      return stdout;
    };
    expect((JSON.parse(await coverage('--json')) as { coverage: object }).coverage).toMatchObject({
      percent: 50,
      min: 90,
      ok: false,
    });
    expect(await coverage('--reporter', 'junit')).toMatch(/type="coverage">[^<]*\nsmall.toml:1 {2}keys<\/failure>/);
    expect(await coverage('--reporter', 'tap')).toContain('not ok 2 - coverage');
    expect(await coverage('--reporter', 'github')).toContain('::error file=small.toml,line=1,title=keys::');
    expect(await coverage('--reporter', 'sarif')).toContain('"ruleId": "policy-test/rule-not-hit"');
  });

  it.each([[['--json']], [['--reporter', 'json']], [['--json', '--reporter=json']]])('%j prints one object', async (flags) => {
    const { code, stdout } = await policyTest('--policy', 'small.toml', '--fixture', 'bad.json', ...flags);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      total: 1,
      passed: 0,
      failed: 1,
      errors: [],
      coverage: {
        rules: 2,
        hit: 1,
        missed: ['keys'],
        percent: 50,
        guards: {
          hit: [],
          missed: [
            'flow:read_then_send',
            'flow:cross_server_flow',
            'flow:burst',
            'flow:shadow_tool',
            'detection:definition',
            'detection:result',
            'detection:request',
          ],
        },
      },
      results: [
        {
          fixture: 'bad.json',
          name: 'bad',
          step: null,
          expected: 'deny',
          actual: 'allow',
          rule: 'rule 2',
          reason: 'rule',
          flow: [],
          findings: [],
          result: null,
          request: null,
          ok: false,
          hint: null,
        },
      ],
    });
  });

  it('steps have lines, numbers and results of their own', async () => {
    const args = ['--policy', 'policy.toml', '--fixture', 'shadowed.json'];
    const { code, stdout } = await policyTest(...args);
    expect([code, stdout]).toEqual([
      0,
      'ok    shadowed, step 1  allow   the default\nok    shadowed, step 2  deny    flow:shadow_tool\n\n' +
        '1 fixture with 2 calls: 2 passed, 0 failed; 0 of 16 rules hit, 1 of 8 guards\n' +
        'not hit: private-keys, passwords, credentials, env-files, system-secrets and 18 more\n',
    ]);
    const { results } = JSON.parse((await policyTest(...args, '--json')).stdout);
    const shared = {
      fixture: 'shadowed.json',
      name: 'shadowed',
      ok: true,
      findings: [],
      result: null,
      request: null,
      hint: null,
    };
    expect(results).toEqual([
      { ...shared, step: 1, expected: 'allow', actual: 'allow', rule: null, reason: 'default', flow: [] },
      { ...shared, step: 2, expected: 'deny', actual: 'deny', rule: 'flow:shadow_tool', reason: 'flow', flow: ['shadow_tool'] },
    ]);
  });

  it('an expectation is about the last step', async () => {
    const args = ['--policy', 'policy.toml', '--fixture', 'shadowed.json', '--expect'];
    expect((await policyTest(...args, 'deny')).code).toBe(0);
    const { code, stdout } = await policyTest(...args, 'allow');
    expect(code).toBe(1);
    expect(stdout).toContain('ok    shadowed, step 1  allow');
    expect(stdout).toContain(
      '        expected  allow\n        actual    deny by flow:shadow_tool\n        shadow_tool: it would use',
    );
  });

  it('--quiet prints what failed and nothing else', async () => {
    const quiet = async (...flags: string[]) => policyTest('--policy', 'small.toml', ...flags);
    expect(await quiet('--fixture', 'good.json', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(
      await quiet('--fixture', 'good.json', '-q', '--reporter', 'github', '--mutate-min', '0', '--coverage', '50'),
    ).toMatchObject({ code: 0, stderr: '', stdout: '' });
    const { code, stdout } = await quiet('--fixture-dir', 'halves', '-q');
    expect([code, stdout]).toEqual([
      1,
      'FAIL  bad  allow   rule 2\n        expected  deny\n        actual    allow by rule 2 at small.toml:7\n        fixture   halves/bad.json\n',
    ]);
    const survivors = await quiet('--fixture', 'good.json', '-q', '--mutate');
    expect(survivors).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[\d.]+ % of the mutants were noticed \(\d+ of \d+\)\n {8}small\.toml:/),
    });
    const annotated = await quiet('--fixture', 'good.json', '-q', '--mutate', '--reporter', 'github');
    expect(annotated.stdout).toMatch(/^::warning .*file=small\.toml/);
    expect((await quiet('--fixture', 'strong.json', '-q', '--mutate')).stdout).toBe('');
    expect((await quiet('--fixture', 'good.json', '-q', '--coverage', '100')).stdout).toBe(
      '50 % of the rules were hit, below the required 100 %\n        small.toml:1  keys\n',
    );
    const broken = await quiet('--fixture', 'broken/a.json', '-q');
    expect([broken.code, broken.stdout, broken.stderr]).toEqual([2, '', expect.stringContaining('broken/a.json:1:2')]);
    const whole = await quiet('--fixture', 'good.json', '-q', '--json');
    expect([whole.code, JSON.parse(whole.stdout).passed]).toEqual([0, 1]);
  });

  it('the policy of the environment is used where no flag names one', async () => {
    const env = { CLAWAI_POLICY: join(folder, 'small.toml') };
    const { code, stdout } = await runCli(['policy', 'test', '--fixture', 'good.json'], { cwd: folder, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 2 rules hit')]);
  });

  it('the shipped policy is used where there is no other, and that is said', async () => {
    const { code, stderr } = await policyTest('--fixture', 'fixtures/read-ssh-key.json');
    const missing = '/nonexistent/.config/clawai/policy.toml';
    expect([code, stderr]).toEqual([0, `clawai: there is no policy at ${missing}, so the shipped default is tested\n`]);
  });
});

describe('what cannot be evaluated is exit code 2, one clear error, and no result on stdout', () => {
  it.each<[string, string[], string]>([
    ['no fixture', [], 'clawai: --fixture or --fixture-dir is missing'],
    ['both', ['--fixture', 'good.json', '--fixture-dir', 'mixed'], 'clawai: --fixture and --fixture-dir are both given'],
    [
      'an unknown reporter',
      ['--fixture', 'good.json', '--reporter', 'jnit'],
      '--reporter: "jnit" is unknown; it must be text, json, junit, tap, github or sarif',
    ],
    ['a coverage of more than all', ['--fixture', 'good.json', '--coverage', '101'], '--coverage "101" is no percentage'],
    ['a coverage that is no number', ['--fixture', 'good.json', '--coverage', 'all'], '--coverage "all" is no percentage'],
    [
      'two other reporters',
      ['--fixture', 'good.json', '--reporter', 'sarif', '--json'],
      '--json and --reporter sarif contradict each other',
    ],
    [
      'two reporters',
      ['--fixture', 'good.json', '--reporter', 'text', '--json'],
      '--json and --reporter text contradict each other',
    ],
    ['an unknown expectation', ['--fixture', 'good.json', '--expect', 'block'], 'it must be allow, deny, prompt or unmatched'],
    ['a misspelt flag', ['--fixtures', 'good.json'], 'clawai: unknown flag --fixtures\n  did you mean --fixture?'],
    [
      'a fixture that is not there',
      ['--fixture', 'nowhere.json'],
      'clawai: nowhere.json: the fixtures cannot be read: it does not exist',
    ],
    [
      'a directory as a fixture',
      ['--fixture', 'mixed'],
      'clawai: mixed: this fixture is a directory\n  for every fixture in it, write --fixture-dir mixed',
    ],
    [
      'a fixture as a directory',
      ['--fixture-dir', 'good.json'],
      'good.json: the fixtures cannot be read: it is not a directory\n  for one file, write --fixture good.json',
    ],
    ['an empty directory', ['--fixture-dir', 'empty'], 'clawai: empty: there is no fixture in this directory'],
    [
      'a directory that is not there',
      ['--fixture-dir', 'nowhere'],
      'clawai: nowhere: the fixtures cannot be read: it does not exist',
    ],
    ['a link to itself', ['--fixture', 'loop.json'], 'clawai: loop.json: the fixtures cannot be read: it is a link to itself'],
    ['a fixture in another encoding', ['--fixture', 'latin1.json'], 'clawai: latin1.json: the fixture is not UTF-8'],
    ['a fixture that is not JSON', ['--fixture', 'broken/a.json'], 'clawai: broken/a.json:1:2: the fixture is not JSON'],
  ])('%s', async (_case, args, message) => {
    const { code, stdout, stderr } = await policyTest('--policy', 'small.toml', ...args);
    // A command line that asks for nothing has no report either.
    expect([code, stdout === '' || NOTHING.test(stdout)]).toEqual([2, true]);
    expect(stderr).toContain(message);
    expect(stderr.match(/^clawai: /gm)).toHaveLength(1);
    expect(stderr).not.toMatch(/^\s+at .*\.ts/m);
  });

  it('every bad fixture is named, and the good ones claim nothing', async () => {
    const { code, stdout, stderr } = await policyTest('--policy', 'small.toml', '--fixture-dir', 'broken', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { total: 0, results: [], coverage: null }]);
    expect(stderr.match(/^clawai: \S+/gm)).toEqual(['clawai: broken/a.json:1:2:', 'clawai: broken/c.json:1:2:']);
  });

  it.each<[string, string, string]>([
    ['one that is not there', 'nowhere.toml', 'nowhere.toml'],
    ['a directory', 'mixed', 'mixed'],
    ['one that is not TOML', 'syntax.toml', 'clawai: syntax.toml:2:'],
    ['one with an unknown key', 'invalid.toml', 'invalid.toml:2:1: '],
  ])('the policy is %s', async (_case, policy, message) => {
    const { code, stdout, stderr } = await policyTest('--policy', policy, '--fixture', 'good.json');
    expect([code, stdout]).toEqual([2, expect.stringMatching(NOTHING)]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at .*\.ts/m);
  });

  it('what is wrong with the policy and with each fixture is said at once', async () => {
    const { code, stderr } = await policyTest('--policy', 'invalid.toml', '--fixture-dir', 'broken');
    expect(code).toBe(2);
    expect(stderr.match(/^clawai: [^:]+/gm)).toEqual(
      ['invalid.toml', 'broken/a.json', 'broken/c.json'].map((file) => `clawai: ${file}`),
    );
  });

  describe.each<[string, string[], string, number]>([
    ['an invalid policy', ['--policy', 'invalid.toml', '--fixture', 'good.json'], 'invalid.toml', 2],
    ['a policy that is no TOML', ['--policy', 'syntax.toml', '--fixture', 'good.json'], 'syntax.toml', 1],
    ['a policy that is not there', ['--policy', 'nowhere.toml', '--fixture', 'good.json'], 'nowhere.toml', 1],
    ['fixtures of which two cannot be read', ['--policy', 'small.toml', '--fixture-dir', 'broken'], 'broken/a.json', 2],
    ['a fixture that is not there', ['--policy', 'small.toml', '--fixture', 'nowhere.json'], 'nowhere.json', 1],
  ])('every reporter prints a whole document of %s', (_case, args, file, count) => {
    const print = async (reporter: string): Promise<string> => {
      const { code, stdout, stderr } = await policyTest(...args, '--reporter', reporter, '--coverage', '100', '--mutate');
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^clawai: /)]);
      return stdout;
    };

    it('json', async () => {
      const { results, errors } = JSON.parse(await print('json'));
      expect([results, errors.length, errors[0].file]).toEqual([[], count, file]);
    });

    it('junit', async () => {
      const xml = await print('junit');
      expect(XMLValidator.validate(xml)).toBe(true);
      const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml);
      expect(testsuites).toMatchObject({ tests: String(count), failures: '0', errors: String(count) });
      expect(xml).toContain(`<testsuite name="${file}"`);
    });

    it('tap', async () => {
      const parser = new Parser({ strict: true });
      const names: string[] = [];
      parser.on('assert', ({ name }) => names.push(name));
      parser.end(await print('tap'));
      expect(parser.failures.filter(({ tapError }) => typeof tapError === 'string')).toEqual([]);
      expect([parser.count, parser.fail, names[0]?.startsWith(file)]).toEqual([count, count, true]);
    });

    it('github, sarif and text', async () => {
      const github = (await print('github')).trimEnd().split('\n');
      expect(github).toHaveLength(count + 1);
      expect(github[0]).toMatch(new RegExp(`^::error file=${file}[,:]`));
      const { results } = readSarif(await print('sarif')).runs[0];
      expect([results.length, results[0]?.ruleId]).toEqual([count, 'policy-test/not-tested']);
      expect(await print('text')).toMatch(NOTHING);
    });
  });

  it.skipIf(process.platform === 'win32')('a fixture without permission', async () => {
    const file = join(folder, 'secret.json');
    await writeFile(file, `${READ}}`);
    await chmod(file, 0);
    await chmod(folder, 0o755);
    // Root may read everything, so root's tests become somebody else.
    const identity = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const args = ['policy', 'test', '--policy', 'small.toml', '--fixture', 'secret.json'];
    const { code, stderr } = await runCli(args, { cwd: folder, ...identity });
    expect([code, stderr]).toEqual([2, 'clawai: secret.json: the fixtures cannot be read: permission denied\n']);
  });
});

describe('mutants', () => {
  const test = async (...args: string[]): ReturnType<typeof policyTest> => policyTest('--policy', 'small.toml', ...args);

  it('what no fixture notices stands there with its line and what is missing, and is no failure by itself', async () => {
    const { code, stdout, stderr } = await test('--fixture', 'good.json', '--mutate');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n26\.3 % of the mutants were noticed \(5 of 19\)\n/);
    expect(stdout).toContain('        small.toml:1  without "keys"\n            missing: a call that "keys" decides');
    expect(stdout).toContain(
      '        small.toml:9  rule 2: tool with "read_**" for "read_*"\n            missing: a call with tool such as "read_some/more" that rule 2 leaves alone\n',
    );
  });

  it('fixtures that notice all of them', async () => {
    const { code, stdout, stderr } = await test('--fixture', 'strong.json', '--mutate-min', '100');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n100 % of the mutants were noticed \((\d+) of \1\)\n$/);
  });

  it.each(['text', 'json', 'junit', 'tap', 'github', 'sarif'])('too few of them fail, and %s says so', async (reporter) => {
    const { code, stdout } = await test('--fixture', 'good.json', '--mutate-min', '50', '--reporter', reporter);
    expect(code).toBe(1);
    expect(stdout).toMatch(/50 %|"min": 50/);
    expect(stdout).toMatch(/read_\*\*/);
  });

  it('--json has each of them, with its place', async () => {
    const { stdout } = await test('--fixture', 'good.json', '--mutate', '--json');
    const { mutation } = JSON.parse(stdout) as { mutation: Record<string, unknown> & { survivors: object[] } };
    expect(mutation).toMatchObject({ mutants: 19, killed: 5, survived: 14, percent: 26.3 });
    expect(mutation.survivors).toHaveLength(14);
    expect(mutation.survivors[0]).toEqual({
      id: 'drop-rule:rule.0:1',
      kind: 'drop-rule',
      change: 'without "keys"',
      need: 'a call that "keys" decides, and "expectedRule" where another would decide the same',
      line: 1,
      column: 1,
    });
  });

  it('--expect stands for what fixtures expect', async () => {
    const { code, stdout } = await test('--fixture', 'silent.json', '--expect', 'allow', '--mutate');
    expect([code, /\n26\.3 % of the mutants/.test(stdout)]).toEqual([0, true]);
  });

  it('where fixtures fail nothing is known of mutants', async () => {
    const { code, stdout, stderr } = await test('--fixture', 'bad.json', '--mutate', '--json');
    expect([code, stderr]).toEqual([1, 'clawai: fixtures fail, so no mutants were tried\n']);
    expect(JSON.parse(stdout)).toMatchObject({ mutation: null, failed: 1 });
  });

  it.each(['abc', '101', '-1', '1e1'])('--mutate-min %s is no percentage', async (min) => {
    const { code, stderr } = await test('--fixture', 'good.json', `--mutate-min=${min}`);
    expect([code, stderr]).toEqual([
      2,
      `clawai: --mutate-min "${min}" is no percentage\n  write a number from 0 to 100, such as --mutate-min 90\n`,
    ]);
  });
});

describe('--project', () => {
  const DELETE = '{"method":"tools/call","params":{"name":"delete_x"}';
  const test = (...args: readonly string[]): ReturnType<typeof runCli> =>
    runCli(['policy', 'test', '--policy', join(folder, 'project.toml'), ...args]);
  const fixture = async (text: string): Promise<readonly string[]> => {
    await writeFile(join(folder, 'project.json'), text);
    return ['--fixture', join(folder, 'project.json')];
  };

  beforeAll(async () => {
    await writeFile(
      join(folder, 'project.toml'),
      '[[rule]]\nid = "no-deletes"\naction = "deny"\ntool = "delete_*"\n\n[[rule]]\nid = "ask"\naction = "prompt"\ntool = "write_*"\n',
    );
  });

  it("a call that no rule matches is left to the user's policy, and fixtures prove that", async () => {
    const flags = await fixture(
      `[${DELETE},"expected":"deny","expectedRule":"no-deletes"},${READ},"expected":"unmatched","expectedRule":null},{"server":"native",${READ.slice(1)},"expected":"unmatched"}]`,
    );
    const { code, stdout } = await test('--project', ...flags);
    expect([code, stdout]).toEqual([
      0,
      "ok    project 1  deny       no-deletes\nok    project 2  unmatched  the user's policy\nok    project 3  unmatched  the user's policy\n\n" +
        '3 fixtures: 3 passed, 0 failed; 1 of 2 rules hit\nnot hit: ask\n',
    ]);
    const { results } = JSON.parse((await test('--project', '--json', ...flags)).stdout) as { results: { actual: string }[] };
    expect(results.map(({ actual }) => actual)).toEqual(['deny', 'unmatched', 'unmatched']);
  });

  it('a rule that denies too much is a mismatch', async () => {
    const { code, stdout } = await test('--project', ...(await fixture(`${DELETE},"expected":"unmatched"}`)));
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/expected {2}unmatched\n {8}actual {4}deny by rule "no-deletes" at .*project\.toml:1\n/),
    ]);
    const missed = await test('--project', ...(await fixture(`${READ},"expected":"deny"}`)));
    expect([missed.code, missed.stdout]).toEqual([
      1,
      expect.stringContaining("actual    unmatched: the user's policy decides\n"),
    ]);
  });

  it('mutants are policies that a project may have, and none counts as the default would decide', async () => {
    const flags = await fixture(`[${DELETE},"expected":"deny"},${READ},"expected":"unmatched"}]`);
    const { code, stdout } = await test('--project', '--mutate', '--json', ...flags);
    const { mutation } = JSON.parse(stdout) as { mutation: { killed: number; survivors: { id: string; change: string }[] } };
    expect([code, mutation.killed > 0]).toEqual([0, true]);
    const changes = mutation.survivors.map(({ change }) => change);
    expect(changes).toContain('without "ask"');
    expect(changes).toContain('"ask": action = "deny" for "prompt"');
    expect(changes.filter((change) => change.includes('action = "allow"'))).toEqual([]);
  });

  it.each<[string, readonly string[], string, string]>([
    ['allow in a fixture', ['--project'], `${READ},"expected":"allow"}`, "/expected: a project's policy allows nothing"],
    ['allow in a step', ['--project'], `{"server":"s","steps":[${READ},"expected":"allow"}]}`, '/steps/0/expected: a project'],
    ['unmatched without the flag', [], `${READ},"expected":"unmatched"}`, 'test it with --project'],
    ['nothing expected', ['--project'], `${READ}}`, 'write "expected": "deny", "prompt" or "unmatched"'],
    ['--expect allow', ['--project', '--expect', 'allow'], `${READ}}`, "a project's policy allows nothing"],
    ['--expect unmatched without the flag', ['--expect', 'unmatched'], `${READ}}`, 'add --project'],
  ])('%s is an error', async (_, args, text, said) => {
    const { code, stderr } = await test(...args, ...(await fixture(text)));
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it('--expect unmatched stands for all', async () => {
    expect((await test('--project', '--expect', 'unmatched', ...(await fixture(`${READ}}`)))).code).toBe(0);
  });
});
