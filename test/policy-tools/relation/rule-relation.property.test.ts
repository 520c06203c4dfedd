import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Call, CATEGORIES } from '../../../src/core/call.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../src/core/json.ts';
import { type CompiledPolicy, compilePolicy } from '../../../src/core/match/compile.ts';
import { decideByRules } from '../../../src/core/decide/stages.ts';
import { type PathContext, pathsToResolve } from '../../../src/core/match/paths-to-resolve.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { areConditionsDisjoint } from '../../../src/policy-tools/relation/condition-relation.ts';
import { areRulesDisjoint, covers, coversAsWritten } from '../../../src/policy-tools/relation/rule-relation.ts';
import { MACOS, policyFrom, POSIX, WINDOWS } from '../../support/policy.ts';
import { leastHits, runs } from '../../support/runs.ts';

const RUNS = runs(3000);

const quoted = (text: string): string => JSON.stringify(text);
const oneOrMore = (patterns: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...patterns).map(quoted),
    fc.uniqueArray(fc.constantFrom(...patterns), { minLength: 2, maxLength: 3 }).map((all) => `[${all.map(quoted).join(', ')}]`),
  );

const NAMES = ['a', 'ab', 'a*', '*', '**', 'a**', '?b', '*b', 'b', 'n*e', 'native', 'a*b*'];
const name = fc.oneof(
  { weight: 5, arbitrary: oneOrMore(NAMES) },
  { weight: 1, arbitrary: oneOrMore(NAMES).map((inner) => `{ not = ${inner} }`) },
  { weight: 1, arbitrary: fc.constantFrom('{ regex = "^a" }', '{ regex = "b$", not = "b" }', '{ equals = "a*" }') },
);

const VALUES = [
  'a',
  'a*',
  '*',
  '**',
  '1',
  '1*',
  '1E2',
  '100',
  'true',
  'tr*',
  '5',
  '/etc/**',
  '/etc/*',
  '/etc/ssl/**',
  '/etc/passwd',
].concat([
  '**/.ssh/**',
  '/home/**/.ssh/*',
  '~/**',
  '~/x/*',
  './**',
  'x/*',
  '**.env',
  '**NV',
  '/etc/ssl/*.key',
  '/ETC/**',
  'file:///etc/**',
]);
const value: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: oneOrMore(VALUES) },
  { weight: 2, arbitrary: fc.constantFrom('5', '100', 'true', 'false', '["a", 5, true]') },
  { weight: 2, arbitrary: oneOrMore(VALUES).map((inner) => `{ not = ${inner} }`) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '{ gt = 5 }',
      '{ gte = 5 }',
      '{ lt = 5 }',
      '{ gt = 3, lt = 100 }',
      '{ lte = 100 }',
      '{ gt = 3, not = 5 }',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '{ exists = true }',
      '{ exists = false }',
      '{ exists = true, not = "a*" }',
      '{ not = { exists = true } }',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '{ equals = "a" }',
      '{ equals = "5" }',
      '{ equals = "1E2" }',
      '{ equals = "/etc/passwd" }',
      '{ equals = "x/a" }',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '{ regex = "^a.*" }',
      '{ regex = "5", not = "a*" }',
      '{ not = { regex = "^a.*" } }',
      '{ not = { gt = 5 } }',
    ),
  },
);
const argPath = fc.constantFrom(
  'args.x',
  'args."**"',
  'args.x.y',
  'args."/x/y"',
  'args."**".y',
  'args."*"',
  'args.x."**"',
  'args.cmd',
  'args."**".cmd',
  'args.body',
  'args.body."**"',
  'args."**".body',
);
const args = fc.uniqueArray(fc.tuple(argPath, value), {
  maxLength: 2,
  selector: ([path]) => /^args\.(x|body)\b/.exec(path)?.[1] ?? path.slice(0, 10),
});

const conditions = fc
  .record({
    server: fc.option(name, { freq: 3 }),
    args,
    category: fc.option(oneOrMore(CATEGORIES), { freq: 6 }),
    fingerprint: fc.option(oneOrMore([`sha256:${'0'.repeat(64)}`, `sha256:${'1'.repeat(64)}`]), { freq: 8 }),
  })
  .map((fields) => [
    ...(fields.server === null ? [] : [`server = ${fields.server}`]),
    ...fields.args.map(([path, matcher]) => `${path} = ${matcher}`),
    ...(fields.category === null ? [] : [`category = ${fields.category}`]),
    ...(fields.fingerprint === null ? [] : [`fingerprint = ${fields.fingerprint}`]),
  ]);
const RESOURCES = ['file:///etc/**', 'file:///etc/ssl/**', 'file:///**', '**', '*', 'pg*', 'pg://a/**', 'pg://a/b/*', '/etc/**'];
const subject = fc.oneof(
  { weight: 8, arbitrary: name.map((tool) => `tool = ${tool}`) },
  { weight: 1, arbitrary: name.map((prompt) => `prompt = ${prompt}`) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(
        oneOrMore(RESOURCES),
        oneOrMore(RESOURCES).map((inner) => `{ not = ${inner} }`),
      )
      .map((uri) => `resource = ${uri}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'method = "tools/call"',
      'method = "tools/*"',
      'method = "**"',
      'method = "resources/read"',
      'method = "resources/*"',
    ),
  },
);
const unless = fc.option(
  fc.tuple(fc.option(name), conditions).map(([tool, lines]) => (tool === null ? lines : [`tool = ${tool}`, ...lines])),
  { freq: 3 },
);
const ruleText = fc
  .record({ action: fc.constantFrom('allow', 'deny', 'prompt'), subject, conditions, unless })
  .map((rule) =>
    [
      '[[rule]]',
      `action = "${rule.action}"`,
      rule.subject,
      ...rule.conditions,
      ...(rule.unless === null || rule.unless.length === 0 ? [] : rule.unless.map((line) => `unless.${line}`)),
    ].join('\n'),
  );
/** Two rules of which the second is often made of the first. */
const pair = fc.oneof(
  fc.tuple(ruleText, ruleText),
  fc.tuple(ruleText, conditions, fc.constantFrom('allow', 'deny', 'prompt')).map(([rule, more, action]) => {
    const keys = new Set(rule.split('\n').map((line) => line.split(' = ')[0]?.replace(/(args\.(?:x|body))\b.*/, '$1')));
    const added = more.filter((line) => !keys.has(line.split(' = ')[0]?.replace(/(args\.(?:x|body))\b.*/, '$1')));
    return [rule, rule.replace(/action = "\w+"/, `action = "${action}"\n${added.join('\n')}`)] as [string, string];
  }),
  fc
    .tuple(ruleText, value, value)
    .map(([rule, before, after]) => [`${rule}\nargs.z = ${before}`, `${rule}\nargs.z = ${after}`] as [string, string]),
);

const SCALARS: JsonValue[] = [
  'a',
  'ab',
  'b',
  '',
  '5',
  5,
  6,
  3,
  100,
  '100',
  new ExactNumber('1E2'),
  '1E2',
  '0x5',
  true,
  'true',
  false,
  'yes',
  null,
  'a\nb',
]
  .concat([
    '/etc/passwd',
    '/etc/ssl/a.key',
    '/etc/ssl/x/y',
    '/opt/ssl/a',
    'x/a',
    './x',
    '~/x/a',
    '/home/user/.ssh/id',
    '/home/user/x/a',
  ] as never[])
  .concat([
    'a.env',
    'A.ENV',
    '/ETC/passwd',
    'file:///etc/passwd',
    '/etc/%70asswd',
    '/etc/../etc/passwd',
    'a\0',
    '/etc/\0',
    '{"y":"a"}',
    '["a",5]',
    '/link/a',
    'in /etc/ssl/a.key',
    '{"body":"x/a","y":"/home/user/.ssh/id"}',
  ] as never[]);
const scalar = fc.constantFrom(...SCALARS);
const anyValue: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom('y', 'a', 'MYENV', 'x', 'body'), scalar, { maxKeys: 2 }) as fc.Arbitrary<JsonValue>,
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.dictionary(fc.constantFrom('y', 'a'), scalar, { maxKeys: 2 }), {
      maxLength: 2,
    }) as fc.Arbitrary<JsonValue>,
  },
);
const callArgNames = fc.constantFrom('x', 'z', 'a', 'y', 'cmd', 'args', 'body', 'oldText');
const callArgs = fc.option(fc.dictionary(callArgNames, anyValue, { maxKeys: 3 }), {
  nil: undefined,
  freq: 8,
}) as fc.Arbitrary<JsonObject | undefined>;
const names = fc.constantFrom('a', 'ab', 'b', 'cb', 'a/b', 'axxb', 'abab', 'a*', 'none', 'native');
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ method: fc.constant('tools/call'), server: names, tool: names, args: callArgs }) },
  {
    weight: 1,
    arbitrary: fc.record({
      method: fc.constant('tools/call'),
      server: fc.constant('native'),
      tool: names,
      args: callArgs,
      origin: fc.constant('native' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ method: fc.constant('prompts/get'), server: names, prompt: names, args: callArgs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      method: fc.constantFrom('resources/read', 'resources/subscribe'),
      server: names,
      resource: fc.constantFrom(
        'file:///etc/passwd',
        'file:///etc/ssl/a',
        'pg',
        'pg://a/b/c',
        'pg://a/x',
        '/etc/x',
        'file:///etc/%2e%2e/x',
        'a\0',
        'file:///etc/\0',
      ),
    }),
  },
);

interface World {
  readonly paths: PathContext;
  readonly links: boolean;
  readonly categories: (typeof CATEGORIES)[number][];
  readonly fingerprint: string | undefined;
}
const world: fc.Arbitrary<World> = fc.record({
  paths: fc.constantFrom(POSIX, MACOS, WINDOWS, { ...POSIX, roots: ['/etc'] }),
  links: fc.boolean(),
  categories: fc.uniqueArray(fc.constantFrom(...CATEGORIES), { minLength: 1, maxLength: 2 }),
  fingerprint: fc.constantFrom(undefined, `sha256:${'0'.repeat(64)}`, `sha256:${'1'.repeat(64)}`),
});

const LINKS: Readonly<Record<string, string>> = {
  '/etc/ssl': '/opt/ssl',
  '/link': '/etc',
  '/home/user/x': '/etc',
  '/etc/passwd': '/run/passwd',
};

/** Where the links lead, each being the beginning of a path. */
function toReal(path: string): string {
  for (const [from, to] of Object.entries(LINKS))
    if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
  return path;
}

/** Does a rule by itself take this call: match it, or refuse it for a NUL byte? */
function takes(policy: CompiledPolicy, of: Call, { paths, links, categories, fingerprint }: World): boolean {
  const wanted = pathsToResolve(policy, of, new Reading(paths)) ?? new Set();
  const realPaths = new Map([...wanted].map((path) => [path, links ? toReal(path) : path]));
  const registry = { status: 'pinned', isServerChanged: false, fingerprint, definition: () => undefined } as never;
  return decideByRules(of, { policy, paths, realPaths, categories, registry }) !== undefined;
}

const calls = fc.array(fc.tuple(call, world), { minLength: 12, maxLength: 12 });

const parsed = ([first, second]: [string, string]): readonly [CompiledPolicy, CompiledPolicy] | undefined => {
  try {
    return [compilePolicy(policyFrom(first)), compilePolicy(policyFrom(second))];
  } catch {
    // Not every mixture of fields is a policy.
    return undefined;
  }
};

describe('relations between rules, against the matcher', () => {
  it('takes no call away from a rule that covers', () => {
    let told = 0;
    fc.assert(
      fc.property(pair, calls, (texts, asked) => {
        const [a, b] = parsed(texts) ?? [];
        const [first, second] = [a?.policy.rules[0], b?.policy.rules[0]];
        if (a === undefined || b === undefined || first === undefined || second === undefined) return;
        for (const [isOver, under, over] of [
          [covers(first, second), b, a],
          [covers(second, first), a, b],
        ] as const) {
          if (!isOver) continue;
          told += 1;
          expect(asked.filter(([of, where]) => takes(under, of, where) && !takes(over, of, where))).toEqual([]);
        }
        for (const [isOver, under, over] of [
          [coversAsWritten(first, second), b, a],
          [coversAsWritten(second, first), a, b],
        ] as const) {
          if (!isOver) continue;
          const unlinked = asked.map(([of, where]) => [of, { ...where, links: false }] as const);
          expect(unlinked.filter(([of, where]) => takes(under, of, where) && !takes(over, of, where))).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(told).toBeGreaterThan(leastHits(RUNS / 20));
  });

  it('knows no call that two disjoint rules match', () => {
    let told = 0;
    fc.assert(
      fc.property(pair, calls, (texts, asked) => {
        const [a, b] = parsed(texts) ?? [];
        const [first, second] = [a?.policy.rules[0], b?.policy.rules[0]];
        if (a === undefined || b === undefined || first === undefined || second === undefined) return;
        if (areConditionsDisjoint(first, second, { inner: 'possible', outer: 'possible' }))
          expect(areRulesDisjoint(first, second)).toBe(true);
        if (!areRulesDisjoint(first, second)) return;
        told += 1;
        const matches = (policy: CompiledPolicy, of: Call, where: World): boolean => {
          // A NUL byte is no match.
          return !JSON.stringify(of).includes('\\u0000') && takes(policy, of, where);
        };
        expect(asked.filter(([of, where]) => matches(a, of, where) && matches(b, of, where))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(told).toBeGreaterThan(leastHits(RUNS / 20));
  });
});
