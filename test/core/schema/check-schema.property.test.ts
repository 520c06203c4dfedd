import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import { checkSchema } from '../../../src/core/schema/check-schema.ts';
import { leastHits, runs } from '../../support/runs.ts';

const name = fc.constantFrom('a', 'b', 'c', 'ab');
const text = fc.constantFrom('', 'a', 'ab', 'abc', '😀');
const number = fc.constantFrom(-1, 0, 0.5, 1, 2, 3, 10);

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const size = fc.nat({ max: 3 });
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');

const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const members = fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true });
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.constant({ $ref: '#/$defs/d' }),
      fc.record(
        {
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
          enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: (each) => JSON.stringify(each) }),
          const: value,
          minLength: size,
          maxLength: size,
          minimum: number,
          maximum: number,
          exclusiveMinimum: number,
          exclusiveMaximum: number,
          multipleOf: fc.constantFrom(0.5, 1, 2, 3),
          items: inner,
          prefixItems: list,
          contains: inner,
          minContains: size,
          maxContains: size,
          minItems: size,
          maxItems: size,
          uniqueItems: fc.boolean(),
          properties: members,
          additionalProperties: inner,
          propertyNames: inner,
          required: fc.uniqueArray(name, { maxLength: 2 }),
          minProperties: size,
          maxProperties: size,
          dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true }),
          dependentSchemas: members,
          allOf: list,
          anyOf: list,
          not: inner,
          if: inner,
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          then: inner,
          else: inner,
        },
        { requiredKeys: [] },
      ),
    ),
  };
});

describe('checkSchema', () => {
  it('agrees with Ajv', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, ownProperties: true });
    const outcomes = { fits: 0, differs: 0 };
    const values = fc.dictionary(name, value, { noNullPrototype: true });
    fc.assert(
      fc.property(schema, schema, fc.array(values, { minLength: 5, maxLength: 8 }), (main, d, several) => {
        const whole = { $defs: { d: deref(d) }, allOf: [main] };
        const validate = ajv.compile(whole);
        for (const args of several) {
          const { faults, unchecked } = checkSchema(whole as JsonObject, args, false);
          expect(unchecked).toBeUndefined();
          const expected = validate(args);
          outcomes[expected ? 'fits' : 'differs']++;
          expect(faults.length === 0).toBe(expected);
        }
      }),
      { numRuns: runs(100) },
    );
    // Both outcomes are common.
    expect(Math.min(outcomes.fits, outcomes.differs)).toBeGreaterThan(leastHits(100));
  });
});

/** The schema without references, so that none leads in a circle. */
function deref(whole: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(whole).replaceAll('{"$ref":"#/$defs/d"}', 'true')) as JsonValue;
}
