import type { Key, Keys } from '../core/policy/keys.ts';
import { formatDuration } from '../core/quantity.ts';
import { duration, flag, type JsonSchema, ref, table, word } from './shapes.ts';

type OwnOf<K extends Keys> = { [Name in keyof K]: K[Name] extends { readonly kind: 'own' } ? Name : never }[keyof K];

/**
 * Builds the schema of a table from the description of its keys.
 *
 * @param own schemas of the keys that describe themselves
 */
export function tableSchema<K extends Keys>(
  { keys, said }: { readonly keys: K; readonly said?: string },
  own: Readonly<Record<OwnOf<K> & string, JsonSchema>>,
  more: JsonSchema = {},
): JsonSchema {
  const written: Readonly<Record<string, JsonSchema>> = own;
  return table(Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, written[name] ?? keySchema(key)])), {
    ...(said === undefined ? {} : { description: said }),
    ...more,
  });
}

function globsSchema(description: string, examples: readonly (readonly string[])[] = []): JsonSchema {
  return { type: 'array', items: ref('glob'), description, ...(examples.length === 0 ? {} : { examples }) };
}

function keySchema(key: Key): JsonSchema {
  switch (key.kind) {
    case 'flag':
      return flag(key.said, key.usual);
    case 'word':
      return word(key.words, { description: key.said, ...(key.follows === true ? {} : { default: key.usual }) });
    case 'duration': {
      const examples = key.examples.length > 1 ? { examples: key.examples } : {};
      return duration({ description: key.said, default: formatDuration(key.usual), ...examples });
    }
    case 'integer':
      return { type: 'integer', minimum: key.least, maximum: key.most, description: key.said, default: key.usual };
    case 'amount': {
      const bounds: JsonSchema = key.isWhole ? { type: 'integer', minimum: 1 } : { type: 'number', exclusiveMinimum: 0 };
      return { ...bounds, maximum: key.most, description: key.said, ...(key.usual === undefined ? {} : { default: key.usual }) };
    }
    case 'globs':
      return globsSchema(key.said, key.examples);
    case 'own':
      return {};
  }
}
