import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { type NamedCall, nameOutcome, type NameOutcome } from '../../../src/core/decide/decide-by-name.ts';
import { registryFacts } from '../../support/registry-facts.ts';
import { policyFrom, POSIX } from '../../support/policy.ts';
import { runs } from '../../support/runs.ts';

function outcome(text: string, call: Partial<NamedCall> = {}, project?: string): NameOutcome {
  const options = project === undefined ? {} : { project: policyFrom(project) };
  return nameOutcome(compilePolicy(policyFrom(text), options), { method: 'tools/call', server: 's', tool: 't', ...call });
}

const ALLOW = '[defaults]\naction = "allow"\n';
const rule = (action: string, lines: string): string => `[[rule]]\naction = "${action}"\n${lines}\n`;

describe('what a name settles', () => {
  it.each<[string, NameOutcome]>([
    ['', 'deny'],
    [ALLOW, 'allow'],
    ['[defaults]\naction = "prompt"', 'needs_args'],
    [rule('allow', 'tool = "t"'), 'allow'],
    [rule('prompt', 'tool = "t"'), 'needs_args'],
    [rule('allow', 'tool = "t"\nargs.a = "x"'), 'needs_args'],
    [rule('allow', 'tool = "other"\nargs.a = "x"'), 'deny'],
    [rule('deny', 'tool = "t"\nargs.a = "x"'), 'deny'],
    [ALLOW + rule('deny', 'tool = "t"\nargs.a = "x"'), 'needs_args'],
    [ALLOW + rule('allow', 'tool = "t"') + rule('deny', 'tool = "t"\nargs.a = "x"'), 'allow'],
    [ALLOW + rule('allow', 'tool = "t"\nargs.a = "x"'), 'allow'],
    // A NUL byte in a path denies, so a rule that reads paths never settles an allowance.
    [ALLOW + rule('allow', 'tool = "t"\nargs.a = "/x/**"'), 'needs_args'],
    [ALLOW + rule('deny', 'tool = "**"\ncategory = "send"'), 'needs_args'],
    [ALLOW + rule('deny', `tool = "**"\nfingerprint = "sha256:${'a'.repeat(64)}"`), 'needs_args'],
    [ALLOW + rule('deny', 'tool = "**"\nunless = { args = { a = "x" } }'), 'needs_args'],
    [ALLOW + rule('deny', 'tool = "**"\nunless = { tool = "t" }'), 'allow'],
    [ALLOW + rule('deny', 'tool = "**"\nunless = { tool = "other" }'), 'deny'],
    [ALLOW + rule('deny', 'tool = "**"\nunless = { tool = "other", args = { a = "x" } }'), 'deny'],
    [ALLOW + rule('deny', 'tool = "**"\nserver = "other"'), 'allow'],
    [`${ALLOW}[server_policy]\npolicy = "denylist"\ndeny = ["s"]`, 'deny'],
  ])('%j: %s', (text, expected) => {
    expect(outcome(text)).toBe(expected);
  });

  it.each<[string, string, NameOutcome]>([
    [ALLOW, rule('deny', 'tool = "t"'), 'deny'],
    [ALLOW, rule('deny', 'tool = "t"\nargs.a = "x"'), 'needs_args'],
    [ALLOW, rule('deny', 'tool = "other"'), 'allow'],
    ['', rule('prompt', 'tool = "t"'), 'deny'],
    [rule('prompt', 'tool = "t"'), rule('deny', 'tool = "t"'), 'deny'],
  ])("%j with a project's %j: %s", (text, project, expected) => {
    expect(outcome(text, {}, project)).toBe(expected);
  });

  it.each<[string, Partial<NamedCall>, NameOutcome]>([
    ['', { server: 'native', origin: 'native' }, 'allow'],
    ['[defaults]\nnative = "deny"', { server: 'native', origin: 'native' }, 'deny'],
    [rule('deny', 'server = "*"\ntool = "**"'), { server: 'native', origin: 'native' }, 'allow'],
    [rule('deny', 'server = "native"\ntool = "t"'), { server: 'native', origin: 'native' }, 'deny'],
    [rule('deny', 'server = "native"\ntool = "t"\nargs.a = "x"'), { server: 'native', origin: 'native' }, 'needs_args'],
    [ALLOW, { server: 'native' }, 'deny'],
    [ALLOW, { origin: 'unmapped' }, 'deny'],
    ['[defaults]\nunmapped_tool = "allow"', { origin: 'unmapped' }, 'allow'],
    [`[defaults]\nunmapped_tool = "allow"\n${rule('deny', 'server = "s"\ntool = "**"')}`, { origin: 'unmapped' }, 'deny'],
  ])('%j, %j: %s', (text, call, expected) => {
    expect(outcome(text, call)).toBe(expected);
  });

  it('denies everything where the policy is gone', () => {
    const gone = compilePolicy(policyFrom(''), { isGone: true });
    for (const origin of [undefined, 'native', 'unmapped'] as const) {
      const server = origin === 'native' ? 'native' : 's';
      expect(nameOutcome(gone, { method: 'tools/call', server, tool: 't', ...(origin === undefined ? {} : { origin }) })).toBe(
        'deny',
      );
    }
  });
});

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** Lines of a rule's conditions, also of its `unless`. */
const conditions = fc
  .record({
    tool: oneOf('tool = "t"', 'tool = "u"', 'tool = "**"', 'tool = { not = "t" }'),
    server: oneOf('', 'server = "s"', 'server = "*"', 'server = "native"', 'server = ["x", "native"]'),
    args: oneOf('', 'args.a = "x"', 'args."**" = "/etc/**"', 'args.a = { exists = false }', 'args.a = { not = "x" }'),
    rest: oneOf('', 'category = "read"', 'category = ["unknown", "compute"]', `fingerprint = "sha256:${'a'.repeat(64)}"`),
  })
  .map((lines) => Object.values(lines).filter((line) => line !== ''));

const rules = fc
  .array(
    fc.record({ action: oneOf('allow', 'deny', 'prompt'), of: conditions, unless: fc.option(conditions, { nil: undefined }) }),
    { maxLength: 4 },
  )
  .map((all) =>
    all.map(({ action, of, unless }) => {
      const exception = unless === undefined ? '' : `\nunless = { ${unless.join(', ')} }`;
      return rule(action, of.join('\n') + exception);
    }),
  );

const defaults = fc
  .tuple(oneOf('allow', 'deny', 'prompt'), oneOf('allow', 'deny'), oneOf('allow', 'deny'))
  .map(([action, native, unmapped]) => `[defaults]\naction = "${action}"\nnative = "${native}"\nunmapped_tool = "${unmapped}"\n`);

const args: fc.Arbitrary<JsonObject | undefined> = oneOf<JsonObject | undefined>(
  undefined,
  {},
  { a: 'x' },
  { a: 'y' },
  { a: '/etc/passwd' },
  { b: ['/etc/x'] },
  { a: '/etc/\0' },
);

const names: fc.Arbitrary<NamedCall> = oneOf<Pick<NamedCall, 'server' | 'origin'>>(
  { server: 's' },
  { server: 'native' },
  { server: 'native', origin: 'native' },
  { server: 's', origin: 'unmapped' },
).chain((where) => oneOf('t', 'u', 'read_t').map((tool) => ({ method: 'tools/call', tool, ...where })));

const facts = oneOf(
  undefined,
  registryFacts({ fingerprint: `sha256:${'a'.repeat(64)}` }),
  registryFacts({ fingerprint: undefined }),
);

describe('what a name settles, whatever else is known', () => {
  it('is what is decided for all arguments', () => {
    const seen = new Set<NameOutcome>();
    fc.assert(
      fc.property(
        defaults,
        rules,
        fc.option(rules, { nil: undefined }),
        names,
        args,
        facts,
        (top, own, others, call, sent, registry) => {
          const project =
            others === undefined ? undefined : policyFrom(others.join('').replaceAll('action = "allow"', 'action = "prompt"'));
          const policy = compilePolicy(policyFrom(top + own.join('')), { project });
          const settled = nameOutcome(policy, call);
          seen.add(settled);
          if (settled === 'needs_args') return;
          const full: Call = { ...call, args: sent };
          const known = registry === undefined ? {} : { registry };
          const { action, reason } = decide(full, { policy, paths: POSIX, realPaths: new Map(), ...known });
          if (settled === 'deny' || !['pinning', 'self'].includes(reason)) expect(action).toBe(settled);
        },
      ),
      { numRuns: runs(3000) },
    );
    expect([...seen].toSorted()).toEqual(['allow', 'deny', 'needs_args']);
  });
});
