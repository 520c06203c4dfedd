import { describe, expect, it } from 'vitest';
import { takesNoTexts } from '../../../src/gate/model/known-tools.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, additionalProperties: false, ...more });

describe('a tool takes no texts', () => {
  it.each([
    ['nothing', object({})],
    ['numbers and yes or no', object({ n: { type: 'number' }, i: { type: 'integer' }, b: { type: 'boolean' } })],
    ['words of a list', object({ a: { type: 'string', enum: ['on', 'off', null] }, b: { const: 'x' } })],
    [
      'lists and objects of such',
      object({ a: { type: 'array', items: { type: 'number' } }, b: object({ c: { type: 'null' } }) }),
    ],
  ])('that takes %s', (_what, schema) => {
    for (const tool of [
      { input_schema: schema },
      { function: { parameters: schema } },
      { parametersJsonSchema: schema },
      { parameters: schema },
    ])
      expect(takesNoTexts(JSON.stringify({ name: 't', ...tool }))).toBe(true);
  });

  it.each([
    ['a text', object({ a: { type: 'string' } })],
    ['a text of a format, which nobody holds', object({ a: { type: 'string', format: 'date' } })],
    ['whatever it is given', { type: 'object', properties: {} }],
    ['anything', object({ a: {} })],
    ['one of several', object({ a: { type: ['number', 'string'] } })],
    ['paths of a list', object({ a: { enum: ['~/.config/clawai'] } })],
    ['what is elsewhere', object({ a: { $ref: '#/$defs/x' } })],
    ['what fits a pattern', object({}, { patternProperties: { '^a': { type: 'string' } } })],
    ['an open object', object({ a: { type: 'object' } })],
    ['a list of anything', object({ a: { type: 'array' } })],
    ['a list of what is first and then', object({ a: { type: 'array', prefixItems: [{}], items: { type: 'null' } } })],
    ['no object', { type: 'string' }],
  ])('but not one that takes %s', (_what, schema) => {
    expect(takesNoTexts(JSON.stringify({ input_schema: schema }))).toBe(false);
  });

  it.each(['', '[]', '{}', '{"input_schema":1}'])('nor one of which nobody knows: %s', (definition) => {
    expect(takesNoTexts(definition)).toBe(false);
  });
});
