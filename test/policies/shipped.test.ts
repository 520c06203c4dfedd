import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateFixtures } from '../../src/cli/policy/test/test-report.ts';
import { parseFixtures } from '../../src/cli/policy/fixtures/fixture.ts';
import { listFixtures, loadFixtures } from '../../src/cli/policy/fixtures/read-fixtures.ts';
import { loadPolicy } from '../../src/config/policy-file.ts';
import { FLOW_RULES } from '../../src/core/finding.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { FLOW_TABLES } from '../../src/core/policy/parse-flow.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import type { Policy } from '../../src/core/policy/tables.ts';
import { ROOT, runCli } from '../support/run-cli.ts';

const SHIPPED = ['default', 'strict', 'read-only', 'observe'] as const;
const GUARDED = ['default', 'strict', 'read-only'] as const;

async function load(name: string): Promise<Policy> {
  return loadPolicy(join(ROOT, 'policies', `${name}.toml`));
}

async function fixturesOf(name: string): ReturnType<typeof loadFixtures> {
  return loadFixtures(await listFixtures(join(ROOT, 'fixtures', name === 'default' ? '' : name)), { mustExpect: true });
}

/** What a policy does with a call, in one word and by which rule. */
function decideOne(policy: Policy, method: string, params: JsonObject): string {
  const [result] = evaluateFixtures(policy, parseFixtures(JSON.stringify({ method, params }), 'case.json')).results;
  return `${result?.decision.action} ${result?.decision.rule?.id ?? result?.decision.reason}`;
}

describe.each(SHIPPED)('policies/%s.toml', (name) => {
  it('does with every fixture what the fixture says', async () => {
    const { fixtures, errors } = await fixturesOf(name);
    expect(errors).toEqual([]);
    const { results } = evaluateFixtures(await load(name), fixtures);
    expect(results.filter(({ ok }) => !ok).map(({ fixture, decision }) => [fixture.name, decision])).toEqual([]);
  });

  it('has a fixture for every rule, and every fixture expects something', async () => {
    const { fixtures } = await fixturesOf(name);
    expect(evaluateFixtures(await load(name), fixtures).coverage).toMatchObject({ missed: [], guards: { missed: [] } });
    expect(fixtures.filter(({ expected }) => expected === undefined)).toEqual([]);
  });

  it('has a fixture for every guard that it sets, and for what that does to a definition that changed', async () => {
    const { fixtures } = await fixturesOf(name);
    const policy = await load(name);
    const reasons = new Set(evaluateFixtures(policy, fixtures).results.map(({ decision }) => decision.reason));
    expect(reasons.has('pinning')).toBe(policy.pinning.enabled && policy.pinning.onChange !== 'alert');
    expect(reasons.has('server_policy')).toBe(policy.defaults.unknownServer === 'deny' || policy.serverPolicy.mode !== 'none');
    expect(reasons.has('flow')).toBe(
      Object.values(policy.flow).some((rule) => typeof rule === 'object' && 'action' in rule && rule.action === 'deny'),
    );
    expect(fixtures.some(({ context }) => context?.registry?.status === 'changed')).toBe(true);
    expect(fixtures.some(({ context }) => context?.registry?.isServerChanged === true)).toBe(true);
  });

  it('has fixtures that notice every change that matters, as its users would be told', { tags: 'long' }, async () => {
    const folder = join('fixtures', name === 'default' ? '' : name);
    const files = ['--policy', `policies/${name}.toml`, '--fixture-dir', folder];
    const { code, stdout, stderr } = await runCli(['policy', 'test', ...files, '--coverage', '100', '--mutate-min', '100'], {
      cwd: ROOT,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n100 % of the mutants were noticed \(([\d,]+) of \1\)\n$/);
  });

  it('names and describes each rule', async () => {
    const { rules } = await load(name);
    expect(rules.filter(({ id, description }) => id === undefined || description === undefined)).toEqual([]);
  });

  it('hazard 6: every rule that allows names tools, resources or prompts, not only arguments', async () => {
    const { rules } = await load(name);
    const allowing = rules.filter(({ action }) => action === 'allow');
    expect(allowing.filter(({ tool, resource, prompt }) => (tool ?? resource ?? prompt) === undefined)).toEqual([]);
  });
});

/** The rules that allow a tool when they stand alone: what is above them in the file must not be all that saves us. */
function rulesThatAllow(policy: Policy, tool: string): unknown[] {
  const params = { name: tool, arguments: { path: '/home/user/project/README.md' } };
  return policy.rules
    .filter(({ action }) => action === 'allow')
    .map((rule) => ({ ...policy, defaults: { ...policy.defaults, action: 'deny' as const }, rules: [{ ...rule, index: 0 }] }))
    .map((alone) => decideOne(alone, 'tools/call', params))
    .filter((decided) => decided !== 'deny default');
}

describe.each(GUARDED)('hazard 6: no rule of %s allows tools that nobody vouched for', (name) => {
  it.each(['delete_everything', 'run_shell', 'write_file', 'readme_writer', 'forget_all', 'x', ''])('%j', async (tool) => {
    expect(rulesThatAllow(await load(name), tool)).toEqual([]);
  });
});

describe.each(['strict', 'read-only'])('hazard 6: %s does not allow tools that do more than read', (name) => {
  it.each(['delete_everything', 'run_shell', 'write_file', 'x', 'read_and_delete', 'get_or_create_user'])('%j', async (tool) => {
    expect(decideOne(await load(name), 'tools/call', { name: tool, arguments: {} })).not.toMatch(/^allow/);
  });
});

it('hazard 6: the check sees rules that do allow', async () => {
  expect(rulesThatAllow(await load('read-only'), 'read_file')).toEqual(['allow reads']);
});

it('the lists of secret paths are the same in every policy that has them', async () => {
  const [first, ...others] = await Promise.all(
    GUARDED.map(async (name) => {
      const text = await readFile(join(ROOT, 'policies', `${name}.toml`), 'utf8');
      return /id = "private-keys"[\s\S]*id = "cloud-metadata"[^\]]*\]/.exec(text)?.[0];
    }),
  );
  expect(first).toContain('**/.ssh**');
  for (const other of others) expect(other).toBe(first);
});

it('each shipped policy does with flows what it is known for, and limits no rates', async () => {
  const policies = await Promise.all(SHIPPED.map(load));
  const actions = policies.map(({ flow }) => [
    flow.enabled,
    ...FLOW_RULES.map((name) => flow[FLOW_TABLES[name].property]).map(({ enabled, action }) => enabled && action),
  ]);
  expect(actions).toEqual([
    [true, 'alert', 'alert', 'prompt', 'alert', 'deny'],
    [true, 'deny', 'deny', 'deny', 'deny', 'deny'],
    [true, 'alert', 'alert', 'prompt', 'alert', 'deny'],
    [true, 'alert', 'alert', 'alert', 'alert', 'alert'],
  ]);
  expect(policies.map(({ rateLimits }) => rateLimits.enabled)).toEqual([false, false, false, false]);
});

it("the limits in strict's comment are some that can be written", async () => {
  const text = await readFile(join(ROOT, 'policies/strict.toml'), 'utf8');
  const example = /(?:^#     .*\n)+/gm;
  const limits = [...text.matchAll(example)]
    .map(([lines]) => lines.replaceAll(/^#     /gm, ''))
    .find((lines) => lines.includes('rpm'));
  const result = parsePolicy(limits ?? '', { file: 'strict.toml' });
  expect(result.ok && [result.policy.rateLimits.default, result.policy.rateLimits.servers.get('weather')?.limit]).toEqual([
    { rpm: 60, burst: 10 },
    { rpm: 10, burst: 3 },
  ]);
});

it('each shipped policy has the guards that it is known for', async () => {
  const policies = await Promise.all(SHIPPED.map(load));
  expect(policies.map(({ pinning, defaults }) => [pinning.enabled, pinning.onChange, defaults.unknownServer])).toEqual([
    [true, 'deny', 'allow'],
    [true, 'deny', 'deny'],
    [true, 'deny', 'allow'],
    [true, 'alert', 'allow'],
  ]);
});

describe.each(GUARDED)('hazard 5: %s looks at every argument', (name) => {
  const key = '/home/user/.ssh/id_rsa';
  it.each<[string, JsonObject]>([
    ['path', { path: key }],
    ['paths[]', { paths: ['README.md', key] }],
    ['source', { source: key, destination: 'x' }],
    ['uri', { uri: `file://${key}` }],
    ['a name nobody thought of', { xyzzy: key }],
    ['nested objects', { a: { b: { c: key } } }],
    ['objects in arrays', { a: [{ b: 'x' }, { b: [key] }] }],
    ['a key', { [key]: true }],
    ['a nested key', { a: [{ [key]: 1 }] }],
    ['a decoy before', { path: 'README.md', file: key }],
    ['a decoy behind', { file: key, path: 'README.md' }],
    ['a name like a prototype', { constructor: key }],
  ])('%s', async (_case, args) => {
    expect(decideOne(await load(name), 'tools/call', { name: 'read_file', arguments: args })).toBe('deny private-keys');
  });

  it('__proto__', async () => {
    const text = `{"method":"tools/call","params":{"name":"read_file","arguments":{"__proto__":{"path":"${key}"}}}}`;
    const [result] = evaluateFixtures(await load(name), parseFixtures(text, 'case.json')).results;
    expect(result?.decision.rule?.id).toBe('private-keys');
  });
});

describe.each(GUARDED)('hazard 7: %s sees through every spelling of a path', (name) => {
  it.each([
    '/home/user/.ssh/id_rsa',
    '~/.ssh/id_rsa',
    '../.ssh/id_rsa',
    './../.ssh/id_rsa',
    '/home/user/project/../.ssh/id_rsa',
    '/home/user/./.ssh/id_rsa',
    '/home/user//.ssh///id_rsa',
    '/home/user/%2essh/id_rsa',
    '/home/user/%2Essh%2Fid_rsa',
    '/home/user/%252essh/id_rsa',
    'file:///home/user/.ssh/id_rsa',
    'file://localhost/home/user/.ssh/id_rsa',
    'FILE:///home/user/.ssh/id_rsa',
    'file:/home/user/.ssh/id_rsa',
    'file:///home/user/%2essh/id_rsa',
    'file:///home/user/project/%2e%2e/.ssh/id_rsa',
    '/home/user/project/../.ssh/',
    '/home/user/.ssh',
    '\\home\\user\\.ssh\\id_rsa',
  ])('%s', async (path) => {
    const policy = await load(name);
    expect(decideOne(policy, 'tools/call', { name: 'read_file', arguments: { path } })).toBe('deny private-keys');
    expect(decideOne(policy, 'resources/read', { uri: path })).toBe('deny private-keys');
  });

  it('a NUL byte', async () => {
    const policy = await load(name);
    expect(decideOne(policy, 'tools/call', { name: 'read_file', arguments: { path: '/home/user/.ssh\u0000/x' } })).toMatch(
      /^deny /,
    );
    expect(decideOne(policy, 'tools/call', { name: 'read_file', arguments: { path: 'README.md\u0000.ssh' } })).toMatch(/^deny /);
  });
});
