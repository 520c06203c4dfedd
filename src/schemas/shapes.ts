/** The parts of JSON Schema draft-07 that we use; editors' extensions for TOML and JSON support it best. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly title?: string;
  /** The text that an editor shows on hover. */
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly contains?: JsonSchema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

export const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** The documentation of a value. */
export type Annotations = Pick<JsonSchema, 'description' | 'default' | 'examples'>;

export function flag(description: string, usual: boolean): JsonSchema {
  return { type: 'boolean', description, default: usual };
}

/** A choice of words. */
export function word(words: readonly string[], annotations: Annotations): JsonSchema {
  return { enum: words, ...annotations };
}

/** A text that is not blank. */
export function text(annotations: Annotations): JsonSchema {
  return { type: 'string', pattern: '\\S', ...annotations };
}

const NUMBER = String.raw`\d{1,15}(?:\.\d{1,15})?`;
const UNITS = '(?:ms|s|m|h|d|w)';

/** Matches a number with its unit. */
const DURATION = `^${NUMBER} ?${UNITS}$`;

/** Matches a duration or a sum of them: `1m30s`. */
export const DURATIONS = `^(?:${NUMBER} ?${UNITS}|(?:${NUMBER}${UNITS})+)$`;

export function duration(annotations: Annotations): JsonSchema {
  return { type: 'string', pattern: DURATION, ...annotations };
}

/** A size with its unit, or a number of bytes. */
export function size(bounds: { readonly minimum: number; readonly maximum: number }, annotations: Annotations): JsonSchema {
  return {
    anyOf: [
      { type: 'string', pattern: `^${NUMBER} ?(?:B|KiB|MiB|GiB|TiB)$` },
      { type: 'integer', ...bounds },
    ],
    ...annotations,
  };
}

/** A table with these keys and no others. */
export function table(properties: Readonly<Record<string, JsonSchema>>, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', ...more, properties, additionalProperties: false };
}

export function ref(name: string, annotations: Annotations = {}): JsonSchema {
  // Draft-07 ignores the siblings of a `$ref`.
  return Object.keys(annotations).length === 0
    ? { $ref: `#/definitions/${name}` }
    : { allOf: [{ $ref: `#/definitions/${name}` }], ...annotations };
}
