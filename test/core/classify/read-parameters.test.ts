import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import { readParameters } from '../../../src/core/classify/read-parameters.ts';

const names = (schema: JsonObject): string => {
  const { parameters, isWhole } = readParameters(schema);
  return parameters.map(({ name }) => name).join(' ') + (isWhole ? '' : ' …');
};

const url = { properties: { url: { type: 'string' } } };

describe('parameters are found wherever they are', () => {
  it.each<[string, JsonObject, string]>([
    ['in an object', { properties: { options: { type: 'object', ...url } } }, 'options url'],
    ['in items', { properties: { jobs: { type: 'array', items: url } } }, 'jobs url'],
    ['in allOf', { allOf: [url] }, 'url'],
    ['in anyOf', { anyOf: [{}, url] }, 'url'],
    ['in oneOf', { oneOf: [url] }, 'url'],
    ['in else', { if: {}, else: url }, 'url'],
    ['behind a reference', { $defs: { 'a/b': url }, properties: { x: { $ref: '#/$defs/a~1b' } } }, 'x url'],
    ['behind a reference at the root', { $ref: '#/definitions/a', definitions: { a: url } }, 'url'],
    ['behind an escaped reference', { $ref: '#/$defs/a%20b', $defs: { 'a b': url } }, 'url'],
    ['behind a reference into a list', { $ref: '#/x/0', x: [url] }, 'url'],
    ['as a pattern', { patternProperties: { '^url$': {} } }, 'url'],
    ['only required', { required: ['webhookUrl', 7] }, 'webhook_url'],
    ['in no definition that nothing refers to', { $defs: { a: url } }, ''],
  ])('%s', (_where, schema, expected) => {
    expect(names(schema)).toBe(expected);
  });
});

describe('where it cannot see all, it says so', () => {
  const deep = (depth: number): JsonObject => {
    let schema: JsonObject = url;
    for (let at = 0; at < depth; at += 1) schema = { items: schema };
    return schema;
  };

  it.each<[string, JsonObject, string]>([
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, ' …'],
    ['a reference to nothing', { $ref: '#/$defs/gone' }, ' …'],
    ['a reference to what every object has', { $ref: '#/constructor' }, ' …'],
    ['a reference to an anchor', { $ref: '#args', $defs: { a: { $anchor: 'args', ...url } } }, ' …'],
    ['a reference that is no text', { $ref: 1 }, ' …'],
    ['a reference with a broken escape', { $ref: '#/%zz', '%zz': url }, 'url'],
    ['a reference to itself', { $ref: '#', ...url }, 'url'],
    ['two references to each other', { $ref: '#/a', a: { $ref: '#/b' }, b: { $ref: '#/a', ...url } }, 'url'],
    ['as deep as anyone goes', deep(20), 'url'],
    ['deeper', deep(100), ' …'],
    ['far deeper', deep(5000), ' …'],
    ['many alternatives', { anyOf: Array.from({ length: 100_000 }, (): JsonValue => ({})) }, ' …'],
  ])('%s', (_what, schema, expected) => {
    expect(names(schema)).toBe(expected);
  });

  it('alternatives in alternatives cost no more', () => {
    const branch = (depth: number): JsonObject =>
      depth === 0 ? {} : { anyOf: [branch(depth - 1), branch(depth - 1), branch(depth - 1)] };
    expect(readParameters(branch(8)).isWhole).toBe(false);
  });
});

describe('what may be any text', () => {
  it.each<[JsonValue, boolean]>([
    [{}, true],
    [true, true],
    [{ type: 'string' }, true],
    [{ type: ['string', 'null'] }, true],
    [{ type: 'array', items: { type: 'string' } }, true],
    [{ type: 'array', items: { type: 'integer' } }, false],
    [{ anyOf: [{ type: 'string' }] }, true],
    [{ type: 'boolean' }, false],
    [{ type: 'object' }, false],
    [{ type: 'string', enum: ['a', 'b'] }, false],
    [{ const: 'a' }, false],
  ])('%j: %s', (schema, isText) => {
    expect(readParameters({ properties: { x: schema } }).parameters.map((each) => each.isText)).toEqual([isText]);
  });
});
