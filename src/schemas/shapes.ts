import type { JsonSchema } from './json-schema.ts';

/** What is said of a value besides its type. */
export type Said = Pick<JsonSchema, 'description' | 'default' | 'examples'>;

/** True or false. */
export function flag(description: string, usual: boolean): JsonSchema {
  return { type: 'boolean', description, default: usual };
}

/** One of these words. */
export function word(words: readonly string[], said: Said): JsonSchema {
  return { enum: words, ...said };
}

/** A text that says something. */
export function text(said: Said): JsonSchema {
  return { type: 'string', pattern: '\\S', ...said };
}

const NUMBER = String.raw`\d{1,15}(?:\.\d{1,15})?`;
const UNITS = '(?:ms|s|m|h|d|w)';

/** A number with its unit. */
const DURATION = `^${NUMBER} ?${UNITS}$`;

/** The same, or a sum of them: `1m30s`. */
export const DURATIONS = `^(?:${NUMBER} ?${UNITS}|(?:${NUMBER}${UNITS})+)$`;

export function duration(said: Said): JsonSchema {
  return { type: 'string', pattern: DURATION, ...said };
}

/** A size with its unit, or a number of bytes. */
export function size(bounds: { readonly minimum: number; readonly maximum: number }, said: Said): JsonSchema {
  return {
    anyOf: [
      { type: 'string', pattern: `^${NUMBER} ?(?:B|KiB|MiB|GiB|TiB)$` },
      { type: 'integer', ...bounds },
    ],
    ...said,
  };
}

/** A table that has these keys and no others. */
export function table(properties: Readonly<Record<string, JsonSchema>>, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', ...more, properties, additionalProperties: false };
}

export function ref(name: string, said: Said = {}): JsonSchema {
  // In draft-07, what stands beside a `$ref` is not looked at.
  return Object.keys(said).length === 0
    ? { $ref: `#/definitions/${name}` }
    : { allOf: [{ $ref: `#/definitions/${name}` }], ...said };
}
