import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateFixtures } from '../../../../src/cli/policy/test/test-report.ts';
import { parseFixtures } from '../../../../src/cli/policy/fixtures/fixture.ts';
import { mutatePolicy } from '../../../../src/cli/policy/test/mutate-policy.ts';
import { loadFixtures } from '../../../../src/cli/policy/fixtures/read-fixtures.ts';
import { loadPolicy } from '../../../../src/config/policy-file.ts';
import { createEquivalence } from '../../../../src/policy-tools/mutate/create-equivalence.ts';
import { createMutants } from '../../../../src/policy-tools/mutate/mutations.ts';
import type { JsonObject } from '../../../../src/core/json.ts';
import { policyFrom } from '../../../support/policy.ts';
import { ROOT } from '../../../support/run-cli.ts';

const RULES = policyFrom(`
  [[rule]]
  id = "keys"
  action = "deny"
  tool = "*"
  args.path = ["**/.ssh/**", "**/*.pem"]
  [[rule]]
  id = "reads"
  action = "allow"
  tool = "read_*"
`);

/** What nothing notices of the policy above. */
function survivorsOf(...fixtures: readonly JsonObject[]): readonly string[] {
  const outcome = mutatePolicy(RULES, parseFixtures(JSON.stringify(fixtures), 'f.json'));
  return outcome.survivors.map(({ what }) => what);
}

const read = (path: string, expected: string, more: JsonObject = {}): JsonObject => ({
  method: 'tools/call',
  params: { name: 'read_file', arguments: { path } },
  expected,
  ...more,
});

describe('mutatePolicy', () => {
  it('is noticed by nothing where fixtures expect nothing', () => {
    const { killed, survivors } = mutatePolicy(RULES, parseFixtures('[{"method":"tools/call","params":{"name":"a"}}]', 'f.json'));
    expect([killed, survivors.length > 20]).toEqual([0, true]);
  });

  it('is noticed by the fixture that the changed part decides', () => {
    expect(survivorsOf(read('/a', 'allow'))).toContain('"keys": args.path without "**/*.pem"');
    expect(survivorsOf(read('/srv/tls/a.pem', 'deny'))).not.toContain('"keys": args.path without "**/*.pem"');
    expect(survivorsOf(read('/srv/tls/a.pem', 'deny'))).toContain('"keys": args.path without "**/.ssh/**"');
  });

  it('is noticed by the fixture that narrowly misses it', () => {
    const wider = '"reads": tool with "read_**" for "read_*"';
    const near = { method: 'tools/call', params: { name: 'read_x/y' }, expected: 'deny' };
    expect([survivorsOf(read('/a', 'allow')).includes(wider), survivorsOf(near).includes(wider)]).toEqual([true, false]);
  });

  it('is noticed where another rule decides the same, if the fixture names the rule', () => {
    const flipped = '"keys": action = "prompt" for "deny"';
    expect(survivorsOf(read('/a/.ssh/b', 'deny'))).not.toContain(flipped);
    expect(survivorsOf({ ...read('/a/.ssh/b', 'deny'), params: { name: 'x', arguments: { path: '/a/.ssh/b' } } })).toContain(
      'without "keys"',
    );
    const named = {
      ...read('/a/.ssh/b', 'deny', { expectedRule: 'keys' }),
      params: { name: 'x', arguments: { path: '/a/.ssh/b' } },
    };
    expect(survivorsOf(named)).not.toContain('without "keys"');
  });

  it('takes the number of a rule for that rule, wherever a mutant has it', () => {
    const before = mutatePolicy(RULES, parseFixtures(JSON.stringify([read('/a', 'allow', { expectedRule: 2 })]), 'f.json'));
    expect(before.survivors.map(({ what }) => what)).toContain('"keys" behind "reads"');
    expect(survivorsOf(read('/a/.ssh/b', 'deny', { expectedRule: 1 }))).not.toContain('"keys" behind "reads"');
  });

  it('tells how far it is', () => {
    const told: [number, number][] = [];
    const { killed, equivalent, survivors } = mutatePolicy(RULES, [], { onProgress: (...of) => told.push(of) });
    const all = killed + equivalent + survivors.length;
    expect([told.length, told[0], told.at(-1)]).toEqual([all, [0, all], [all - 1, all]]);
  });
});

it.each([
  ['shell.json', 'flow-shadow-tool.json', 'pinning.json', 'prompts.json', 'writes.json'],
  ['each-env-file.json', 'flow-burst.json', 'resources-with-secrets.json', 'disguises.json'],
])('comes to what deciding every fixture with every mutant comes to: %s and others', { tags: 'long' }, async (...files) => {
  const policy = await loadPolicy(join(ROOT, 'policies/strict.toml'));
  const { fixtures } = await loadFixtures(
    files.map((file) => join(ROOT, 'fixtures/strict', file)),
    { mustExpect: true },
  );
  const isEquivalent = createEquivalence(policy);
  // Some of them are enough to see a difference.
  const isAsked = (_: unknown, index: number): boolean => index % 29 === 0;
  const asked = createMutants(policy).filter(isAsked);
  const found = asked.filter(
    (mutant) => evaluateFixtures(mutant.policy, fixtures).results.every(({ ok }) => ok) && !isEquivalent(mutant),
  );
  const survivors = new Set(mutatePolicy(policy, fixtures).survivors.map(({ id }) => id));
  expect(asked.filter(({ id }) => survivors.has(id)).map(({ id }) => id)).toEqual(found.map(({ id }) => id));
  expect(found.length).toBeGreaterThan(10);
});
