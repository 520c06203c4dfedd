import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../../src/core/json.ts';
import { checkSchema } from '../../../src/core/schema/check-schema.ts';

/** As a message brings it. */
function read(json: string): JsonObject {
  const value = parseJson(json);
  if (!isJsonObject(value)) throw new Error('no object');
  return value;
}

function keywords(schema: string, args: string): readonly string[] {
  return checkSchema(read(schema), read(args), false).faults.map(({ keyword }) => keyword);
}

const deep = (open: string, close: string, times: number): string => `${open.repeat(times)}true${close.repeat(times)}`;

describe('checkSchema, with schemas of a hostile server', () => {
  it.each([
    ['a reference to itself', '{"$ref": "#"}'],
    ['references in a circle', '{"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"allOf": [{"$ref": "#/a"}]}}'],
    ['references that multiply', '{"$ref": "#/a", "a": {"anyOf": [{"$ref": "#/a"}, {"$ref": "#/a"}], "not": {"$ref": "#/a"}}}'],
    ['nesting', deep('{"allOf": [', ']}', 900)],
    ['nesting of conditions', deep('{"if": true, "then": ', '}', 900)],
    ['many alternatives', `{"anyOf": [${'false,'.repeat(100_000)}false]}`],
    ['many required names', `{"required": [${'"x",'.repeat(300_000)}"x"]}`],
  ])('%s end soon', (_, schema) => {
    const start = performance.now();
    checkSchema(read(schema), { x: 'y' }, true);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it.each([
    ['{"properties": {"__proto__": {"type": "string"}}}', '{"__proto__": 1}', ['type']],
    ['{"required": ["constructor", "toString", "__proto__"]}', '{}', ['required', 'required', 'required']],
    ['{"additionalProperties": false}', '{"constructor": 1}', ['additionalProperties']],
    ['{"properties": {}, "additionalProperties": false}', '{"__proto__": {}}', ['additionalProperties']],
    ['{"$ref": "#/constructor"}', '{}', []],
    ['{"$ref": "#/__proto__"}', '{"a": 1}', []],
    ['{"dependentRequired": {"toString": ["a"]}}', '{}', []],
    ['{"properties": {"a": true, "b": false}}', '{"a": {}, "b": 1}', ['false']],
    ['{"properties": {"a": {"maximum": 3, "exclusiveMaximum": true}}}', '{"a": 3}', ['exclusiveMaximum']],
    ['{"properties": {"a": {"maximum": 3, "exclusiveMaximum": false}}}', '{"a": 3}', []],
    ['{"properties": {"a": {"type": "string", "nullable": true}}}', '{"a": null}', []],
    ['{"properties": {"a": {"type": ["string", "null"]}}}', '{"a": null}', []],
    ['{"properties": {"a": {"type": ["string", "null"]}}}', '{"a": 1}', ['type']],
    ['{"properties": {"a": {"type": "object"}}}', '{"a": "{\\"b\\": 1}"}', []],
    ['{"properties": {"a": {"type": "object"}}}', '{"a": "b"}', ['type']],
    [
      '{"patternProperties": {"(a+)+$": {"type": "string"}}, "additionalProperties": false}',
      '{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!": 1}',
      [],
    ],
    ['{"$dynamicRef": "#x", "unevaluatedProperties": false}', '{"a": 1}', []],
    ['{"type": 7, "required": "x", "properties": [], "enum": {}, "items": null, "anyOf": {}, "minimum": "x"}', '{"a": 1}', []],
  ])('%s for %s', (schema, args, expected) => {
    expect(keywords(schema, args)).toEqual(expected);
  });
});
