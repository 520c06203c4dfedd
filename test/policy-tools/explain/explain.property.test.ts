import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import type { Decision } from '../../../src/core/decision.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../src/core/json.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { explain } from '../../../src/policy-tools/explain/explain.ts';
import type { Explanation, RuleAccount, RulesAccount, StageAccount } from '../../../src/policy-tools/explain/explanation.ts';
import type { RegistryFacts } from '../../../src/core/facts.ts';
import type { Snapshot } from '../../../src/core/decide/snapshot.ts';
import { policyFrom, POSIX, WINDOWS } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';
import { NOW, pastCall, sessionFacts } from '../../support/session-facts.ts';
import { runs } from '../../support/runs.ts';

const TOOLS = ['read_file', 'send_mail', 'run', 'native_tool'];
const SERVERS = ['files', 'files', 'mail', 'native'];

const PATTERNS = [
  '"/etc/**"',
  '"**/.ssh/**"',
  '"~/project/*"',
  '"./x"',
  '"file:///etc/*"',
  '"a*"',
  '"1*"',
  '"/etc"',
  '"/link/**"',
  '"**"',
];
const MATCHERS = [
  ...PATTERNS,
  `[${PATTERNS.slice(0, 3).join(', ')}]`,
  '["/home/**", "/etc/**"]',
  '{ not = "/etc/**" }',
  '{ not = ["a*", "~/**"] }',
  '{ regex = "^/e" }',
  '{ equals = 5 }',
  '{ equals = true }',
  '{ equals = "5" }',
  '{ gt = 3, lte = 9 }',
  '{ exists = true }',
  '{ exists = false }',
  '{ not = { regex = "x" } }',
];
const ARG_KEYS = ['path', 'n', 'list', '"**"', 'options.path', '"*"', '"/list/0"', 'list.path', 'args', 'command'];

const argLine = fc
  .tuple(fc.constantFrom(...ARG_KEYS), fc.constantFrom(...MATCHERS))
  .map(([key, matcher]) => `args.${key} = ${matcher}`);
const distinctArgs = fc.uniqueArray(argLine, { maxLength: 2, selector: (line) => line.split(' ')[0]?.split('.')[1] });
const tools = fc.constantFrom('"**"', '"read_*"', '"send_mail"', '["run", "read_file"]', '{ not = "run" }');
const subject = fc.oneof(
  { weight: 6, arbitrary: tools.map((tool) => `tool = ${tool}`) },
  fc.constantFrom(
    'resource = "file:///etc/**"',
    'resource = "**"',
    'prompt = "p*"',
    'method = "tools/*"',
    'method = "completion/complete"',
  ),
);
const extra = fc.constantFrom(
  '',
  '',
  '',
  'server = "files"',
  'server = ["native", "mail"]',
  'category = "read"',
  'category = ["send", "unknown"]',
  `fingerprint = "sha256:${'1'.repeat(64)}"`,
);
const unless = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  fc.tuple(fc.constantFrom(...ARG_KEYS), fc.constantFrom(...MATCHERS)).map(([key, matcher]) => `unless.args.${key} = ${matcher}`),
  fc.constantFrom('unless.tool = "read_file"', 'unless.server = "files"', 'unless.category = "send"'),
);
const rule = (actions: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...actions), subject, extra, distinctArgs, unless)
    .map(([action, ...lines]) => ['[[rule]]', `action = "${action}"`, ...lines.flat()].filter((line) => line !== '').join('\n'));
const guards = fc
  .tuple(
    fc.constantFrom(
      '',
      '[defaults]\naction = "allow"',
      '[defaults]\naction = "prompt"\nunknown_server = "deny"',
      '[defaults]\nunknown_methods = "deny"\nnative = "deny"',
    ),
    fc.constantFrom('', '', '[server_policy]\npolicy = "denylist"\ndeny = ["mail"]'),
    fc.constantFrom(
      '',
      '[pinning]\nenabled = false',
      '[pinning]\non_change = "prompt"',
      '[pinning]\non_change = "alert"',
      '[pinning]\ntrust_first_use = false',
    ),
    fc.constantFrom('', '[flow]\naction = "prompt"', '[flow]\naction = "deny"', '[flow]\nenabled = false'),
    fc.constantFrom('', '[rate_limits]\nenabled = true'),
    fc.constantFrom(
      '',
      '[detection]\non_definition = "deny"',
      '[detection]\nrequire_approval = true',
      '[detection]\nenabled = false',
    ),
  )
  .map((tables) => tables.join('\n'));
const policyText = fc
  .tuple(guards, fc.array(rule(['allow', 'deny', 'prompt']), { maxLength: 6 }))
  .map(([tables, rules]) => `${tables}\n${rules.join('\n')}\n`);
const projectText = fc.option(
  fc.array(rule(['deny', 'prompt']), { maxLength: 3 }).map((rules) => rules.join('\n')),
  { nil: undefined, freq: 1 },
);

const text = fc.constantFrom(
  '/etc/passwd',
  '/etc',
  '~/.ssh/id',
  '../x',
  './x',
  'a',
  'abc',
  '5',
  '0x5',
  'yes',
  '/etc%2Fx',
  'file:///etc/x',
  'file://h/etc/x',
  '/x/\0',
  '/link/x',
  '/link/../x',
  '{"path":"/etc/x"}',
  '[1,"a"]',
  '\\etc\\x',
  '',
);
const scalar = fc.oneof<fc.Arbitrary<JsonValue>[]>(text, fc.constantFrom(5, 12, true, null), fc.constant(new ExactNumber('5.0')));
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ path: scalar }),
  fc.array(fc.record({ path: scalar }), { maxLength: 2 }),
);
const args: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.constantFrom('path', 'n', 'list', 'options', 'PATH', '/etc/x', 'a', 'args', 'command'), value, { maxKeys: 4 })
  .map((object) => ({ ...object }));

const server = fc.constantFrom(...SERVERS);
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ server, tool: fc.constantFrom(...TOOLS), args }).map((each): Call => ({
      method: 'tools/call',
      ...each,
      ...(each.server === 'native' ? { origin: 'native' as const } : {}),
    })),
  },
  fc.record({ server: fc.constant('files'), resource: text }).map((each): Call => ({ method: 'resources/read', ...each })),
  fc.constant<Call>({ method: 'what/ever', server: 'files', isUnknownMethod: true }),
  args.map((each): Call => {
    const about = { server: 'files', prompt: 'prompt', args: each };
    return { method: 'completion/complete', ...about, like: { method: 'prompts/get', ...about } };
  }),
  text.map((each): Call => {
    const about = { server: 'files', resource: each };
    return { method: 'resources/subscribe', ...about, like: { method: 'resources/read', ...about } };
  }),
  fc.constant<Call>({ method: 'tools/call', server: 'x', tool: 'run', origin: 'unmapped', args: { command: 'clawai unwrap' } }),
);

const registry: fc.Arbitrary<RegistryFacts | undefined> = fc.option(
  fc
    .record({ status: fc.constantFrom('pinned', 'changed', 'new', 'unlisted'), isServerChanged: fc.boolean() })
    .map((facts) => registryFacts({ ...facts, ...(facts.status === 'unlisted' ? { fingerprint: undefined } : {}) })),
  { nil: undefined },
);
const FINDING = { rule: 'a.b', severity: 'critical' } as const;
const detection: fc.Arbitrary<Snapshot['detection']> = fc.constantFrom(
  undefined,
  { findings: [], ofServer: [], isApproved: false },
  { findings: [FINDING], ofServer: [], isApproved: false },
  { findings: [FINDING], ofServer: [FINDING], isApproved: true },
);
const session: fc.Arbitrary<Snapshot['session']> = fc.constantFrom(
  undefined,
  sessionFacts(),
  sessionFacts({ calls: [pastCall(5)] }),
  sessionFacts({ shadowed: 'other' }),
);
const rates: fc.Arbitrary<Snapshot['rates']> = fc.constantFrom(
  undefined,
  { now: NOW, buckets: new Map() },
  { now: NOW, buckets: new Map([['["files"]', { tokens: 0, time: NOW }]]) },
);
const LINKS: ReadonlyMap<string, string> = new Map([
  ['/link/x', '/etc/x'],
  ['/link', '/etc'],
  ['/link/../x', '/x'],
  ['/etc/passwd', '/private/etc/passwd'],
]);

interface Case {
  readonly call: Call;
  readonly snapshot: Snapshot;
}

const cases: fc.Arbitrary<Case> = fc
  .record({ policyText, projectText, call, registry, detection, session, rates, paths: fc.constantFrom(POSIX, POSIX, WINDOWS) })
  .map(({ call: made, policyText: own, projectText: project, paths, ...known }) => {
    const options = project === undefined ? {} : { project: policyFrom(project) };
    const present = Object.fromEntries(Object.entries(known).filter(([, each]) => each !== undefined));
    return { call: made, snapshot: { policy: compilePolicy(policyFrom(own), options), paths, realPaths: LINKS, ...present } };
  });

function check(law: (explained: Explanation, of: Case) => void, isAll = false): void {
  fc.assert(
    fc.property(cases, (of) => law(explain(of.call, of.snapshot, { isAll }), of)),
    { numRuns: runs(1500) },
  );
}

const STRICTNESS = { allow: 0, prompt: 1, deny: 2 };

/** What the accounts of the stages come to, in words of the README: the first denial ends it, else who is the strictest, of these the last. */
function comeTo(stages: readonly StageAccount[]): Decision | undefined {
  const denial = stages.find(({ says }) => says?.action === 'deny');
  if (denial !== undefined) return denial.says;
  const said = stages.flatMap(({ says, stage }) => (says === undefined ? [] : [{ says, stage }]));
  const most = Math.max(...said.map(({ says }) => STRICTNESS[says.action]));
  const strict = said.filter(({ says }) => STRICTNESS[says.action] === most);
  // A rule that asks asks no more than a flow before it has.
  const [first] = strict;
  const isFlow = first?.stage === 'flow' && strict.at(-1)?.stage === 'rules';
  return isFlow ? first.says : strict.at(-1)?.says;
}

it('the decision is that of decide, and the stages come to it', () => {
  check(({ decision, stages }, { call: made, snapshot }) => {
    expect(decision).toEqual(decide(made, snapshot));
    const { action, reason, rule: by } = comeTo(stages) ?? {};
    expect([action, reason, by]).toEqual([decision.action, decision.reason, decision.rule]);
    const deciding = stages.filter(({ hasDecided }) => hasDecided);
    expect(deciding.map(({ says, isSkipped }) => [says?.reason, says?.action, isSkipped])).toEqual([[reason, action, false]]);
  });
});

it('whatever says nothing has a reason for it', () => {
  check(({ stages }) => {
    for (const { says, silence } of stages) expect(says === undefined).toBe(silence !== undefined);
  });
});

function askedIn({ rules }: RulesAccount): readonly RuleAccount[] {
  return rules.filter(({ isUnasked, elsewhere }) => !isUnasked && elsewhere === undefined);
}

it('all rules are told of, and the first that does not miss is the one that decides', () => {
  check(({ rules }, { snapshot: { policy } }) => {
    for (const section of rules) {
      expect(section.rules.map(({ index }) => index)).toEqual(
        (section.source === 'user' ? policy : policy.project)?.rules.map(({ rule: { index } }) => index),
      );
      const first = askedIn(section).find(({ outcome }) => outcome !== 'miss');
      expect(first?.index).toBe(section.decision?.rule?.index);
      expect(section.decision?.reason).toBe(first === undefined ? undefined : first.outcome === 'nul' ? 'nul_byte' : 'rule');
      for (const { isUnasked, index } of section.rules) if (isUnasked && first !== undefined) expect(index).not.toBe(first.index);
    }
  }, true);
});

it('the rules that are left out are counted', () => {
  check(({ rules }) => {
    for (const { rules: told, missed, unasked, elsewhere, total } of rules) {
      expect(told.length + missed + unasked + Object.values(elsewhere).reduce((sum, each) => sum + each, 0)).toBe(total);
    }
  });
});

it('what is told of the parts of a rule comes to what is made of it as a whole', () => {
  check(({ rules }) => {
    for (const { outcome, conditions, unless: exception, elsewhere } of rules.flatMap((section) => section.rules)) {
      if (elsewhere !== undefined) continue;
      const hold = conditions.every(({ holds }) => holds);
      if (outcome === 'match') expect([hold, exception?.outcome ?? 'miss']).toEqual([true, 'miss']);
      else if (outcome === 'miss') expect(!hold || exception?.outcome === 'match').toBe(true);
      else expect(conditions.some(isNul) || (hold && exception?.outcome === 'nul')).toBe(true);
      if (exception === undefined) continue;
      expect(exception.conditions.every(({ holds }) => holds)).toBe(exception.outcome === 'match');
    }
  }, true);
});

function isNul({ because }: RuleAccount['conditions'][number]): boolean {
  return because.kind === 'nul';
}

it('the value that is told settles the condition', () => {
  check(({ rules }) => {
    for (const account of rules.flatMap((section) => section.rules)) {
      for (const { holds, because, mode } of [...account.conditions, ...(account.unless?.conditions ?? [])]) {
        if (because.kind === 'value') {
          const { matches, isNegated, readAs } = because.settling.test;
          expect(matches !== isNegated).toBe(holds);
          expect(readAs).not.toContain('other');
        }
        if (because.kind === 'incomplete') expect(holds).toBe(mode === 'possible');
        if (because.kind === 'present') expect(holds).toBe(false);
      }
    }
  }, true);
});
