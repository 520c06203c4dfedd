import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../../src/core/json.ts';
import { checkSchema } from '../../../src/core/schema/check-schema.ts';

function faults(schema: JsonObject, args: JsonObject, isClosed = false): string[] {
  return checkSchema(schema, args, isClosed).faults.map(({ path, problem }) => `${path} ${problem}`);
}

describe('what does not fit is told by its place', () => {
  const SCHEMA: JsonObject = {
    type: 'object',
    properties: {
      path: { type: 'string', maxLength: 3 },
      edits: { type: 'array', items: { $ref: '#/$defs/edit' } },
      mode: { enum: ['r', 'w'] },
      line: { type: 'integer', minimum: 1 },
      id: { type: 'string', format: 'uuid' },
    },
    required: ['path'],
    additionalProperties: false,
    $defs: { edit: { type: 'object', required: ['old'], properties: { old: { type: 'string' } } } },
  };

  it.each<[JsonObject, string[]]>([
    [{ path: 'a' }, []],
    [{}, ['path is missing']],
    [{ path: 1 }, ['path must be a text']],
    [{ path: '😀😀😀' }, []],
    [{ path: '😀😀😀😀' }, ['path must have at most 3 characters']],
    [{ path: 'a', edits: [{ old: 'x' }, { new: 'y' }] }, ['edits.1.old is missing']],
    [{ path: 'a', edits: '[{"old":"x"}]' }, []],
    [{ path: 'a', edits: '[{"new":"x"}]' }, ['edits.0.old is missing']],
    [{ path: 'a', edits: 'none' }, ['edits must be a list']],
    [{ path: 'a', mode: 'x' }, ['mode is not a listed value']],
    [{ path: 'a', line: 0.5 }, ['line must be an integer']],
    [{ path: 'a', other: 1 }, ['other is unknown to the schema']],
    [{ path: 'a', id: '../../etc/passwd' }, ['id has signs that no uuid has']],
    [{ path: 'a', id: 'no uuid, and harmless' }, []],
  ])('%j', (args, expected) => {
    expect(faults(SCHEMA, args)).toEqual(expected);
  });

  it('takes numbers as they were sent', () => {
    const schema = { properties: { n: { type: 'integer', maximum: 10 } } };
    expect(faults(schema, parseJson('{"n":1.0}') as JsonObject)).toEqual([]);
    expect(faults(schema, parseJson('{"n":12345678901234567890}') as JsonObject)).toEqual(['n must be at most 10']);
    expect(faults({ const: { n: 1 } }, parseJson('{"n":1.0}') as JsonObject)).toEqual([]);
  });

  it('takes an object whose names are described and not listed for a record, though a generator closed it', () => {
    const closed = { type: 'object', additionalProperties: false };
    const schema = (inner: JsonObject): JsonObject => ({ properties: { a: inner } });
    expect(faults(schema({ ...closed, propertyNames: { type: 'string' } }), { a: { x: 1 } })).toEqual([]);
    expect(faults(schema({ ...closed, propertyNames: { maxLength: 1 } }), { a: { xy: 1 } })).toEqual([
      'a.xy has an excluded name',
    ]);
    expect(faults(schema(closed), { a: { x: 1 } })).toEqual(['a.x is unknown to the schema']);
  });

  it('tells no name of a prototype from a member', () => {
    const schema = { properties: {}, additionalProperties: false, required: ['toString'] };
    expect(faults(schema, JSON.parse('{"__proto__":1}') as JsonObject)).toEqual([
      'toString is missing',
      '__proto__ is unknown to the schema',
    ]);
  });
});

describe('arguments that the schema does not name', () => {
  it.each<[string, JsonObject, string[]]>([
    ['are faults', { properties: { a: {} } }, ['b is unknown to the schema']],
    ['may be named in an alternative', { properties: { a: {} }, anyOf: [{ properties: { b: {} } }] }, []],
    ['may be named by reference', { $ref: '#/$defs/x', $defs: { x: { properties: { a: {}, b: {} } } } }, []],
    ['may be meant by a pattern', { properties: { a: {} }, patternProperties: { '^b': {} } }, []],
    ['may be allowed by a schema for all others', { properties: { a: {} }, additionalProperties: { type: 'number' } }, []],
    ['are unknown where the schema says nothing', {}, []],
    [
      'are all faults of a tool that takes none',
      { type: 'object', properties: {} },
      ['a is unknown to the schema', 'b is unknown to the schema'],
    ],
  ])('%s', (_what, schema, expected) => {
    expect(faults(schema, { a: 1, b: 2 }, true)).toEqual(expected);
    if (expected.length > 0) expect(faults(schema, { a: 1, b: 2 })).toEqual([]);
  });
});

describe('what is not checked forbids nothing', () => {
  it.each<JsonObject>([
    { properties: { a: { pattern: '^(a+)+$' } } },
    { properties: { a: { not: { pattern: 'x' } } } },
    { properties: { a: { $ref: 'https://example.com/schema' } } },
    { properties: { a: { $ref: '#/nowhere' } } },
    { properties: { a: { type: 'file' } } },
    JSON.parse('{"properties":{"a":{"if":{"pattern":"x"},"then":false,"else":false}}}') as JsonObject,
    { patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
    { unevaluatedProperties: false },
    { type: 5, required: 'a', properties: [], enum: {} },
  ])('%j', (schema) => {
    expect(checkSchema(schema, { a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' }, false).faults).toEqual([]);
  });
});

describe('a hostile schema', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`d${i}`, { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }]),
  );
  const list = Array.from({ length: 20_000 }, (_, i) => ({ i, long: 'x'.repeat(10) }));
  it.each<[string, JsonObject]>([
    ['refers to itself', { $ref: '#' }],
    ['refers in a circle', { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } }],
    ['doubles at each step', { $ref: '#/$defs/d0', $defs: doubling }],
    [
      'doubles at each level of the value',
      {
        $ref: '#/$defs/n',
        $defs: {
          n: {
            anyOf: [
              { properties: { a: { $ref: '#/$defs/n' } }, required: ['z'] },
              { properties: { a: { $ref: '#/$defs/n' } }, required: ['y'] },
            ],
          },
        },
      },
    ],
    [
      'compares with a long list again and again',
      {
        properties: { a: { allOf: Array.from({ length: 500 }, () => ({ not: { $ref: '#/$defs/e' } })) } },
        $defs: { e: { enum: list } },
      },
    ],
    ['is nested as deep as JSON can be', JSON.parse(`${'{"not":'.repeat(3000)}{}${'}'.repeat(3000)}`) as JsonObject],
  ])('that %s is given up, soon', (_what, schema) => {
    let args: JsonObject = {};
    for (let i = 0; i < 100; i++) args = { a: args };
    const start = process.cpuUsage();
    expect(checkSchema(schema, args, false).unchecked).toBe('costly');
    const { user } = process.cpuUsage(start);
    expect(user).toBeLessThan(2_000_000);
  });
});
