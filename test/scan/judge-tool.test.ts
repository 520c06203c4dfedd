import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { judgeTool } from '../../src/scan/judge-tool.ts';

const FINE: JsonObject = { description: 'Says it.', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } };

function found(name: string, more: JsonObject): readonly string[] {
  return judgeTool(name, { ...FINE, ...more }).map(({ id, severity }) => `${id} ${severity}`);
}

describe('annotations beside the name', () => {
  it.each([
    ['delete_note', { readOnlyHint: true }, ['read-only-hint high']],
    ['removeUser', { readOnlyHint: true }, ['read-only-hint high']],
    ['drop_database', { readOnlyHint: true }, ['read-only-hint high']],
    ['run_command', { readOnlyHint: true }, ['read-only-hint high']],
    ['write_file', { readOnlyHint: true }, ['read-only-hint medium']],
    ['trigger-long-operation', { readOnlyHint: true }, ['read-only-hint low']],
    ['delete_note', { destructiveHint: false }, ['harmless-hint medium']],
    ['delete_note', { readOnlyHint: false, destructiveHint: true }, []],
    ['list_deleted_notes', { readOnlyHint: true }, []],
    ['get_file', { readOnlyHint: true, destructiveHint: false }, []],
    ['create_note', { destructiveHint: false }, []],
    ['delete_note', { readOnlyHint: 'yes' }, []],
  ])('%s with %j: %j', (name, annotations, expected) => {
    expect(found(name, { annotations })).toEqual(expected);
  });
});

describe('schema', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ['none', { inputSchema: null }, ['no-schema medium']],
    ['of no object', { inputSchema: { type: 'string' } }, ['invalid-schema medium']],
    ['of an unknown type', { inputSchema: { type: 'object', properties: { a: { type: 'text' } } } }, ['invalid-schema medium']],
    ['with properties that are none', { inputSchema: { properties: [] } }, ['invalid-schema medium']],
    ['with required that is no list', { inputSchema: { required: true } }, ['invalid-schema medium']],
    ['with several types', { inputSchema: { properties: { a: { type: ['string', 'null'] } } } }, []],
    ['without arguments', { inputSchema: { type: 'object' } }, []],
    ['that refers out', { inputSchema: { properties: { a: { $ref: 'https://x.example/s' } } } }, ['outside-schema medium']],
    ['that refers to itself', { inputSchema: { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } } }, []],
    ['with an argument of any kind', { inputSchema: { properties: { a: { description: 'x' } } } }, ['untyped-argument low']],
    ['with a choice', { inputSchema: { properties: { a: { anyOf: [{ type: 'string' }] }, b: { enum: [1] } } } }, []],
  ])('%s', (_, more, expected) => {
    expect(found('get_note', more)).toEqual(expected);
  });

  it('takes any depth and any size', () => {
    let deep: JsonObject = { $ref: 'x.json' };
    for (let i = 0; i < 50_000; i++) deep = { not: deep };
    expect(() => found('get_note', { inputSchema: { type: 'object', properties: { a: deep } } })).not.toThrow();
  });
});

it('a tool that does not say what it is for', () => {
  expect(found('get_note', { description: ' ' })).toEqual(['no-description low']);
  expect(found('get_note', { description: '', annotations: { title: 'Get it' } })).toEqual([]);
});
