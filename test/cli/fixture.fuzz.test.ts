import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluateFixtures } from '../../src/cli/evaluate-fixtures.ts';
import { parseFixtures } from '../../src/cli/fixture.ts';
import { ClawaiError } from '../../src/errors.ts';
import { policyFrom } from '../support/policy.ts';
import { ROOT } from '../support/run-cli.ts';
import { runs } from '../support/runs.ts';

/** Valid ones, with everything that fixtures may have in them. */
const TEXTS = [
  ...['detection.json', 'pinning.json', 'flow-shadow-tool.json', 'resources-with-secrets.json'].map((file) =>
    readFileSync(join(ROOT, 'fixtures', file), 'utf8'),
  ),
  '{"method":"prompts/get","params":{"name":"p"},"context":{"servers":["a"],"category":["send"]},"expectedFlow":["burst"]}',
  '{"tools":{"a":["t"]},"steps":[{"at":"1m30s","server":"a","method":"tools/call","params":{"name":"t"},"turn":"1","approved":true,"result":{"content":[]},"expectedResult":"pass"}]}',
];

const POLICY = policyFrom(
  '[flow]\naction = "deny"\n[rate_limits]\nenabled = true\n[[rule]]\naction = "deny"\ntool = "**"\nargs."**" = "**/.ssh/**"',
);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What is put in the place of something else. */
const OTHER: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '5s',
  '-1s',
  'deny',
  'tools/call',
  'native',
  '\0',
  '\ud800',
  [],
  [[]],
  {},
  { a: {} },
  { '': 1 },
  ['a', 'a'],
  [null],
);
const KEY = fc.constantFrom(
  '',
  'x',
  'name',
  'steps',
  'context',
  'expected',
  'expectedRule',
  '__proto__',
  'constructor',
  'a/b~c',
  'tools',
  'result',
);

/** Every place in a value, as keys. */
function placesIn(value: Json): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, each]) => placesIn(each as Json).map((path) => [key, ...path]));
  return [[], ...inner];
}

/** Puts a value somewhere, takes what is there away, or calls it otherwise. */
function change(
  value: Json,
  [key, ...path]: (string | number)[],
  by: { how: 'put' | 'drop' | 'rename'; other: Json; name: string },
): Json {
  if (key === undefined || typeof value !== 'object' || value === null) return by.other;
  const isHere = path.length === 0;
  const entries = Object.entries(value).flatMap(([name, each]): [string, Json][] => {
    if (name !== String(key)) return [[name, each as Json]];
    if (isHere && by.how === 'drop') return [];
    return [
      [
        isHere && by.how === 'rename' ? by.name : name,
        isHere && by.how === 'rename' ? (each as Json) : change(each as Json, path, by),
      ],
    ];
  });
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

const CHANGED = fc
  .record({
    text: fc.constantFrom(...TEXTS),
    changes: fc.array(
      fc.record({
        at: fc.nat(),
        how: fc.constantFrom('put' as const, 'drop' as const, 'rename' as const),
        other: OTHER,
        name: KEY,
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ text, changes }) => {
    let value = JSON.parse(text) as Json;
    for (const { at, ...by } of changes) {
      const places = placesIn(value);
      value = change(value, places[at % places.length] ?? [], by);
    }
    return JSON.stringify(value, null, 1);
  });

/** It is decided, or the mistake has a place in the file and says what was expected. */
function isReadOrPlaced(text: string): void {
  try {
    const fixtures = parseFixtures(text, 'f.json');
    evaluateFixtures(POLICY, fixtures);
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    expect([error.code, error.place?.file, error.place?.line !== undefined, error.place?.column !== undefined]).toEqual([
      'fixture_invalid',
      'f.json',
      true,
      true,
    ]);
    const lines = text.split(/\r\n|\r|\n/);
    expect(error.place?.line).toBeLessThanOrEqual(lines.length);
    expect(error.message.length).toBeGreaterThan(10);
  }
}

it('a value that is another, missing or called otherwise: it is read, or told with its place', () => {
  fc.assert(fc.property(CHANGED, isReadOrPlaced), { numRuns: runs(1500) });
});

it('a text that is cut or has something in it: likewise', () => {
  const noise = fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', '\0', '\n', 'x', '0', '\u2028', '\ud800'),
    maxLength: 3,
  });
  const cut = fc
    .record({ text: fc.constantFrom(...TEXTS), at: fc.nat(), length: fc.nat(5), noise })
    .map(({ text, at, length, noise: put }) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + length));
  fc.assert(fc.property(cut, isReadOrPlaced), { numRuns: runs(1000) });
});

it.each([
  ['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['lists in an argument', `{"method":"ping","params":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`],
  ['objects in an argument', `{"method":"ping","params":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
  ['a long path', JSON.stringify({ method: 'tools/call', params: { name: 't', arguments: { path: '/a'.repeat(500_000) } } })],
])(
  '%s that are very deep or long: told or decided, and soon',
  (_case, text) => {
    expect(() => isReadOrPlaced(text)).not.toThrow();
  },
  5000,
);
