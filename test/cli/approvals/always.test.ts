import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyFile, readOrMakeKey } from '../../../src/approval/key-file.ts';
import { toQuestion } from '../../../src/approval/to-question.ts';
import { createAlways } from '../../../src/cli/approvals/always.ts';
import type { Call } from '../../../src/core/call.ts';
import type { Question } from '../../../src/gate/ports/approval-port.ts';
import { packageRoot } from '../../../src/host/directories.ts';

const POLICY = '# mine\r\n[[rule]]\r\nid = "ask"\r\naction = "prompt"\r\ntool = "**"\r\n';
const CALL: Call = { method: 'tools/call', server: 'files', tool: 'write', args: { path: 'a' } };
const RULE = { index: 0, action: 'prompt', id: 'ask' } as const;

let folder = '';
let policy = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-always-'));
  policy = join(folder, 'policy.toml');
  writeFileSync(policy, POLICY, { mode: 0o640 });
  chmodSync(policy, 0o640);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function asked(
  call = CALL,
  policyFile: string | undefined = policy,
  more: Partial<typeof RULE & { source: 'project' }> = {},
): Question {
  const decision = { action: 'prompt', reason: 'rule', rule: { ...RULE, ...more }, findings: [], policyHash: '' } as const;
  const key = readOrMakeKey(keyFile(folder));
  return toQuestion(call, decision, { session: 's', asker: { pid: 1, started: '' }, key, timeout: 1000, policyFile });
}

describe('always', () => {
  it('changes nothing before it is told to, and then puts rule and fixture in', async () => {
    const [change] = await createAlways(folder)(asked());
    expect(change.diff).toContain('+tool = "write"');
    expect(change.diff).toContain('"expected": "allow"');
    expect(readFileSync(policy, 'utf8')).toBe(POLICY);
    expect(existsSync(join(folder, 'fixtures'))).toBe(false);
    await change.apply();
    const text = readFileSync(policy, 'utf8');
    expect(text).toMatch(/^\[\[rule\]\]\r\nid = "remembered-/);
    expect(text.endsWith(POLICY)).toBe(true);
    expect(statSync(policy).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(folder, 'fixtures'))).toEqual([expect.stringMatching(/^remembered-[0-9a-f]{8}\.json$/)]);
  });

  it.runIf(process.platform !== 'win32')('changes what a link leads to, and the link stays one', async () => {
    const link = join(folder, 'link.toml');
    symlinkSync(policy, link);
    await (await createAlways(folder)(asked(CALL, link)))[0].apply();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(policy, 'utf8')).toContain('remembered-');
  });

  it('leaves a policy alone that was changed after it was shown', async () => {
    const [change] = await createAlways(folder)(asked());
    writeFileSync(policy, `${POLICY}# edited\n`);
    await expect(Promise.resolve().then(() => change.apply())).rejects.toThrow(/changed just now/);
    expect(readFileSync(policy, 'utf8')).toBe(`${POLICY}# edited\n`);
    expect(readdirSync(folder).toSorted()).toEqual(['approval.key', 'policy.toml']);
  });

  it('says where the policy was changed and the fixture could not be written', async () => {
    const [change] = await createAlways(folder)(asked());
    writeFileSync(join(folder, 'fixtures'), 'no folder');
    await expect(Promise.resolve().then(() => change.apply())).rejects.toThrow(/^the policy was changed, but its fixture/);
    expect(readFileSync(policy, 'utf8')).toContain('remembered-');
  });

  it('writes over no fixture of that name', async () => {
    const [change] = await createAlways(folder)(asked());
    const [, name = ''] = /fixtures\/(remembered-\w+\.json)/.exec(change.diff) ?? [];
    mkdirSync(join(folder, 'fixtures'));
    writeFileSync(join(folder, 'fixtures', name), 'mine');
    await (await createAlways(folder)(asked()))[0].apply();
    expect(readFileSync(join(folder, 'fixtures', name), 'utf8')).toBe('mine');
    expect(readFileSync(policy, 'utf8')).toContain('remembered-');
  });

  it.each<[string, () => Question, RegExp]>([
    ["a project's policy asks", () => asked(CALL, policy, { source: 'project' }), /not the policy of your own/],
    ['the shipped policy asks', () => asked(CALL, join(packageRoot(), 'policies', 'default.toml')), /comes with clawai/],
    [
      'its arguments were not kept in full',
      () => asked({ ...CALL, args: { text: 'x'.repeat(2_000_000) } }),
      /too long for a rule/,
    ],
    ['its name is that of nothing', () => asked({ ...CALL, tool: 'x'.repeat(5000) }), /too long for a rule/],
    [
      'what else it sends was not kept in full',
      () => asked({ ...CALL, extra: { task: { x: 'x'.repeat(2_000_000) } } }),
      /too long for a rule/,
    ],
    ['somebody has changed what was asked', () => ({ ...asked(), args: '{"path":"b"}' }), /too long for a rule/],
    ['the rule has changed', () => asked(CALL, policy, { id: 'other' as 'ask' }), /changed since it asked/],
    ['the policy is gone', () => asked(CALL, join(folder, 'gone.toml')), /no such|does not exist|not found|no policy/i],
  ])('writes no rule where %s', async (_why, question, message) => {
    await expect(createAlways(folder)(question())).rejects.toThrow(message);
    expect(readFileSync(policy, 'utf8')).toBe(POLICY);
  });

  it('says what the rule is not about, where the call sends more than arguments', async () => {
    const diffOf = async (extra: NonNullable<Call['extra']>): Promise<string> =>
      (await createAlways(folder)(asked({ ...CALL, extra })))[0].diff;
    expect(await diffOf({ task: { ttl: 1 }, _meta: { 'x/tenant': 'a', progressToken: 1, callId: 'b' } })).toMatch(
      /^! The rule says nothing of what is sent besides, and allows any: task, _meta\.x\/tenant\n\n---/,
    );
    expect(await diffOf({ _meta: { progressToken: 1, 'io.modelcontextprotocol/protocolVersion': 'x' } })).toMatch(/^---/);
  });

  it('offers wider rules after the narrowest, each says what it allows, and only the chosen one is written', async () => {
    const call = { ...CALL, args: { path: '/srv/site/a.md', content: 'x/y' } };
    const changes = await createAlways(folder)(asked(call));
    expect(changes.map(({ words }) => words)).toEqual([
      'this exact call',
      'this tool with path in /srv/site/**, and any other arguments',
      'this tool with any arguments',
    ]);
    expect(changes[1]?.diff).toMatch(/^! This rule allows this tool with path in /);
    expect(new Set(changes.map(({ diff }) => /remembered-\w+/.exec(diff)?.[0])).size).toBe(3);
    await changes[1]?.apply();
    expect(readFileSync(policy, 'utf8')).toContain('args = { path = "/srv/site/**" }');
    expect(readdirSync(join(folder, 'fixtures'))).toHaveLength(1);
    await expect(Promise.resolve().then(() => changes[0].apply())).rejects.toThrow(/changed just now/);
  });

  it('hazard 9: a name with dots, quotes and line ends does not get out of its rule', async () => {
    const tool = 'a.b"\n[[rule]]\naction = "allow"\ntool = "**"\n#\\';
    await (await createAlways(folder)(asked({ ...CALL, tool })))[0].apply();
    const text = readFileSync(policy, 'utf8');
    expect(text.split(/^\[\[rule\]\]/m)).toHaveLength(3);
    expect(text).toContain(String.raw`tool = { equals = "a.b\"\n[[rule]]\naction = \"allow\"\ntool = \"**\"\n#\\" }`);
  });
});
