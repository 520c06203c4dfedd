import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, parseJson } from '../../../src/core/json.ts';
import { canonicalText, combineDefinitions, instructionsDefinition } from '../../../src/core/registry/fingerprint.ts';
import { diffDefinitions } from '../../../src/core/registry/diff.ts';
import { tool } from './definitions.ts';

function diff(previous: string, next: string) {
  return diffDefinitions(canonicalText(parseJson(previous)), canonicalText(parseJson(next)));
}

describe('diffDefinitions', () => {
  it.each<[previous: string, next: string, changes: [field: string, previous: string | undefined, next: string | undefined][]]>([
    ['{"a":1}', '{"a":1.0}', []],
    ['{"description":"a"}', '{"description":"b"}', [['description', 'a', 'b']]],
    [
      '{"inputSchema":{"properties":{"path":{"description":"Where","default":1}}}}',
      '{"inputSchema":{"properties":{"path":{"description":"There","default":9007199254740993}}}}',
      [
        ['inputSchema.properties.path.default', '1', '9007199254740993'],
        ['inputSchema.properties.path.description', 'Where', 'There'],
      ],
    ],
    ['{"d":9007199254740992}', '{"d":9007199254740993}', [['d', '9007199254740992', '9007199254740993']]],
    ['{"annotations":{"readOnlyHint":true}}', '{}', [['annotations', '{"readOnlyHint":true}', undefined]]],
    ['{}', '{"_meta":null}', [['_meta', undefined, 'null']]],
    ['{"a":{}}', '{"a":[]}', [['a', '{}', '[]']]],
    ['{"a":"1"}', '{"a":1}', [['a', '"1"', '1']]],
    ['{"a":"1"}', '{"a":"true"}', [['a', '1', 'true']]],
    ['{"a":"x"}', '{"a":["x"]}', [['a', '"x"', '["x"]']]],
    ['{"a":""}', '{}', [['a', '', undefined]]],
    ['{"a":"\\"q\\"\\n\\u001b[2J"}', '{"a":"\\u202e"}', [['a', '"q"\n\u001b[2J', '\u202e']]],
    ['{"a":null}', '{"a":{"b":1}}', [['a', 'null', '{"b":1}']]],
    // One item more or less does not make all that follow others.
    ['{"required":["a","b"]}', '{"required":["x","a","b"]}', [['required[0]', undefined, 'x']]],
    ['{"required":["a","x","b"]}', '{"required":["a","b"]}', [['required[1]', 'x', undefined]]],
    ['{"required":["a","a"]}', '{"required":["a"]}', [['required[1]', 'a', undefined]]],
    [
      '{"required":["a","b"]}',
      '{"required":["b","a"]}',
      [
        ['required[0]', 'a', 'b'],
        ['required[1]', 'b', 'a'],
      ],
    ],
    [
      '{"icons":[{"src":"a"}]}',
      '{"icons":[{"src":"b"},{"src":"c"}]}',
      [
        ['icons[0].src', 'a', 'b'],
        ['icons[1]', undefined, '{"src":"c"}'],
      ],
    ],
    [
      '{"p":{"a.b":1,"":1,"c d":1,"$ref":1,"x-y":1}}',
      '{"p":{}}',
      [
        ['p[""]', '1', undefined],
        ['p.$ref', '1', undefined],
        ['p["a.b"]', '1', undefined],
        ['p["c d"]', '1', undefined],
        ['p.x-y', '1', undefined],
      ],
    ],
    [
      '{"__proto__":{"a":1},"toString":1}',
      '{"__proto__":{"a":2}}',
      [
        ['__proto__.a', '1', '2'],
        ['toString', '1', undefined],
      ],
    ],
  ])('%s → %s', (previous, next, changes) => {
    const told = diff(previous, next).map(({ field, previous: before, next: after }) => [field, before, after]);
    expect(told).toEqual(changes);
  });

  it('of instructions says what the text was', () => {
    const [before, after] = [instructionsDefinition('Be kind.\n'), instructionsDefinition('Be rude.\n')];
    expect(diffDefinitions(before.text, after.text)).toEqual([
      { field: 'instructions', previous: 'Be kind.\n', next: 'Be rude.\n', isPlain: true },
    ]);
  });

  it('of several of one name says which', () => {
    const [a, b] = [tool('t'), tool('t', { title: 'b' })];
    expect(diffDefinitions(a.text, combineDefinitions([a, b]).text)).toEqual([
      { field: '[1]', previous: undefined, next: b.text },
    ]);
    expect(diffDefinitions(combineDefinitions([a, a]).text, combineDefinitions([a, b]).text)).toEqual([
      { field: '[1].title', previous: undefined, next: 'b', isPlain: true },
    ]);
  });

  it('tells fifty changes and how many more there are', () => {
    const many = (value: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`m${index}`, value])));
    const changes = diff(many(1), many(2));
    expect(changes).toHaveLength(51);
    expect(changes[50]).toEqual({ field: '(70 more)', previous: undefined, next: undefined });
    expect(diff(many(1), '{}').at(-1)?.field).toBe('(70 more)');
  });

  it('is bounded, however long a name, a text, or the way to it', () => {
    const long = 'x'.repeat(100_000);
    const nest = (value: JsonValue) => {
      let text = JSON.stringify(value);
      for (let level = 0; level < 1000; level += 1) text = `{"${level % 2 === 0 ? 'property' : 'a b'}":[${text}]}`;
      return text;
    };
    for (const [previous, next] of [
      [`{"${long}":1}`, `{"${long}":2}`],
      [`{"a":"${long}1"}`, `{"a":"2${long}"}`],
      [nest('a'), nest('b')],
      [`{"a":"${'x'.repeat(3_000_000)}"}`, `{"a":"${'x'.repeat(3_000_000)}y"}`],
    ] as const) {
      const changes = diff(previous, next);
      expect(changes).toHaveLength(1);
      expect(JSON.stringify(changes).length).toBeLessThan(2000);
    }
    expect(diff(nest('a'), nest('b'))[0]?.field).toMatch(/^….*\.property\[0\]$/);
  });

  it('cuts a text as it is, and no character of it in two', () => {
    const text = (end: string) => `{"description":${JSON.stringify(`${'\u{1F600}"'.repeat(300)}${end}`)}}`;
    const [change] = diff(text('a'), text('b'));
    expect(change?.next).toMatch(/^…(\u{1F600}"|"|\u{1F600})+b$/u);
    expect(change?.next?.isWellFormed()).toBe(true);
  });

  it('says something of every change, and nothing where there is none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [before, after] = [one, other].map((value) => canonicalText(parseJson(JSON.stringify({ value }))));
        const changes = diffDefinitions(before ?? '', after ?? '');
        expect(changes.length > 0).toBe(before !== after);
        for (const { previous, next } of changes) expect(previous).not.toBe(next);
      }),
    );
  });

  it('says the very members that were changed', () => {
    const names = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(names, fc.func(fc.constantFrom('same', 'changed', 'added', 'removed')), (all, fate) => {
        const of = (value: string, without: string) =>
          Object.fromEntries(
            all.filter((name) => fate(name) !== without).map((name) => [name, { v: fate(name) === 'changed' ? value : 0 }]),
          );
        const fields = diffDefinitions(canonicalText(of('1', 'added')), canonicalText(of('2', 'removed'))).map(
          ({ field }) => field,
        );
        const expected = all
          .filter((name) => fate(name) !== 'same')
          .map((name) => (fate(name) === 'changed' ? `${name}.v` : name));
        expect(fields.toSorted()).toEqual(expected.toSorted());
      }),
    );
  });
});
