import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';

/** A policy of their own, so that nothing has to be said about that. */
const POLICY = ['--policy', resolve('policies', 'default.toml')];

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

/** A server that leaves a file when it is started, and ends. */
function markingServer(): string[] {
  return ['touch', sandbox.path('started')];
}

/** What becomes of `clawai proxy …` while the client keeps our input open, which must not keep us. */
async function proxy(args: readonly string[]): Promise<unknown> {
  const { code, signal, stdout, stderr } = await sandbox.clawai('proxy', ...args).ended;
  return {
    code,
    signal,
    stdout,
    stderr,
    // What follows the first line of an error explains it and does not begin with our name; it is indented.
    errors: stderr.match(/^clawai: /gm)?.length,
    foreignLines: stderr.split('\n').filter((line) => line !== '' && !/^(clawai: | {2})/.test(line)),
    hasStack: /\n\s+at |node:internal/.test(stderr),
    wasStarted: existsSync(sandbox.path('started')),
    events: sandbox.events(),
  };
}

function refused(message: RegExp): unknown {
  const stderr = expect.stringMatching(message);
  const silence = { stdout: '', foreignLines: [], hasStack: false, wasStarted: false, events: [] };
  return { code: 2, signal: null, stderr, errors: 1, ...silence };
}

describe('the command', () => {
  it.each([
    ['no --', [], /missing/],
    ['nothing after --', ['--'], /no command after --/],
    ['an empty word after --', ['--', ''], /no command after --/],
    ['a word before --', ['node', '--', 'touch', 'started'], /unexpected argument "node"/],
    ['a flag without a value', ['--policy', '--', 'touch', 'started'], /--policy needs a value/],
    ['a flag given twice', ['--server', 'a', '--server', 'b', '--', 'touch', 'started'], /--server is given twice/],
    ['an unknown flag', ['--polciy', 'x.toml', '--', 'touch', 'started'], /unknown flag --polciy/],
    [
      'a command that is not there',
      [...POLICY, '--', 'no-such-command-anywhere'],
      /"no-such-command-anywhere": there is no such command/,
    ],
    ['a path that is not there', [...POLICY, '--', '/no/such/server'], /"\/no\/such\/server": there is no such command/],
  ])('%s', async (_, args, message) => {
    expect(await proxy(args)).toEqual(refused(message));
  });

  it('a file that is not executable', async () => {
    const file = sandbox.write('server.sh', '#!/bin/sh\n', 0o644);
    expect(await proxy([...POLICY, '--', file])).toEqual(refused(/it is not executable/));
  });

  it('a directory', async () => {
    mkdirSync(sandbox.path('folder'));
    expect(await proxy([...POLICY, '--', sandbox.path('folder')])).toEqual(refused(/it is not executable/));
  });

  it('a script whose interpreter is missing', async () => {
    const file = sandbox.write('server.sh', '#!/no/such/interpreter\n', 0o755);
    expect(await proxy([...POLICY, '--', file])).toEqual(refused(/the interpreter that its first line names does not exist/));
  });
});

describe('the policy', () => {
  const RULE = '[[rule]]\naction = "deny"\n';

  it.each([
    ['an unknown key', `${RULE}tol = "x"\n`, /policy\.toml:3:1\b[^]*"?tol"?/],
    ['a list of tables under the wrong name', `# rules\n\n[[rules]]\naction = "deny"\n`, /policy\.toml:3:1: [^]*\n {4}\| \^\n/],
    ['two errors', `[[rule]]\ntol = "x"\n`, /policy\.toml: 2 errors\n {2}\S*policy\.toml:1:1: [^]*\n {2}\S*policy\.toml:2:1: /],
    [
      'a key in the place of a missing one',
      '[[rule]]\nacton = "deny"\ntool = "x"\n',
      /\.toml:2:1: unknown key "acton"[^]*did you mean "action"\?/,
    ],
    ['a text without quotes', '[[rule]]\naction = deny\n', /policy\.toml:2:10: a text needs quotes\n[^]*\n {2}write "deny"\n/],
    [
      'a header that is not closed',
      '[rule\n',
      /policy\.toml:1:6: the header's closing \] is missing\n[^]*\n {2}write \[\[rule\]\]\n/,
    ],
    [
      'a list that is not closed',
      `${RULE}tool = ["x"\n\n${RULE}`,
      /policy\.toml:3:8: the list that begins here is not closed\n[^]*\n {2}write \] at/,
    ],
    ['a key that looks like a line of ours', `${RULE}tool = "x"\n"a\\nb: c" = 1\n`, /policy\.toml:4:1\b/],
    ['an unknown table', '[defalts]\naction = "deny"\n', /policy\.toml:1:\d+\b[^]*defalts/],
    ['an unknown action', '[[rule]]\naction = "block"\ntool = "x"\n', /policy\.toml:2:\d+\b[^]*block/],
    ['a wrong type', `${RULE}tool = 3\n`, /policy\.toml:3:\d+\b/],
    ['a bad regex', `${RULE}tool = { regex = "(" }\n`, /policy\.toml:3:\d+\b/],
    ['a regex that looks around', `${RULE}tool = { regex = "(?=x)" }\n`, /policy\.toml:3:\d+\b[^]*unless/],
    ['an empty glob', `${RULE}tool = ""\n`, /policy\.toml:3:\d+\b/],
    ['a duplicate id', `${RULE}tool = "x"\nid = "a"\n${RULE}tool = "y"\nid = "a"\n`, /policy\.toml:8:\d+\b[^]*"a"/],
    ['a rule about nothing', RULE, /policy\.toml:1:\d+\b/],
    ['a syntax error', '[[rule]\naction = "deny"\n', /policy\.toml:1:\d+\b/],
    ['a key given twice', `${RULE}action = "allow"\ntool = "x"\n`, /policy\.toml:3:\d+\b/],
    ['an integer beyond 64 bits', `${RULE}tool = "x"\nargs.n = { gt = 99999999999999999999 }\n`, /policy\.toml:4:\d+\b/],
  ])('%s: the place, and nothing is started', async (_, text, message) => {
    const policy = sandbox.write('policy.toml', text);
    expect(await proxy(['--policy', policy, '--', ...markingServer()])).toEqual(refused(message));
  });

  it('none of the user: the shipped one decides, and it is said where theirs would be', async () => {
    const { code, stderr } = await sandbox.clawai('proxy', '--', 'true').ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^clawai: there is no policy at \/\S+\/clawai\/policy\.toml, so the shipped default decides$/m);
  });

  it('a policy that is not there', async () => {
    expect(await proxy(['--policy', sandbox.path('none.toml'), '--', ...markingServer()])).toEqual(refused(/none\.toml/));
  });

  it('a directory', async () => {
    mkdirSync(sandbox.path('folder'));
    expect(await proxy(['--policy', sandbox.path('folder'), '--', ...markingServer()])).toEqual(refused(/folder[^]*directory/));
  });

  it('bytes that are not UTF-8', async () => {
    const policy = sandbox.write('policy.toml', Buffer.from([0x23, 0xff, 0xfe, 0x0a]));
    expect(await proxy(['--policy', policy, '--', ...markingServer()])).toEqual(refused(/policy\.toml/));
  });

  it('a BOM is skipped, and an empty policy denies everything', async () => {
    for (const text of ['', '\uFEFF', '\uFEFF[defaults]\naction = "deny"\n']) {
      const clawai = sandbox.clawai('proxy', '--policy', sandbox.write('policy.toml', text), '--', 'cat');
      clawai.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}\n');
      const [answer = ''] = await clawai.lines(1);
      expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { isError: true } });
      expect((await clawai.close()).code).toBe(0);
    }
  });
});
