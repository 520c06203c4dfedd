import type { JsonSchema } from '../../src/schemas/shapes.ts';
import { escapeCell } from './command-reference.ts';

type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * Makes a table of a schema's keys: name, default, meaning. Keys of tables inside of it are in it too, by their full names; `NAME` stands for names
 * that the user chooses, `[]` for a table of which there may be several.
 *
 * @param definitions what `$ref` in it refers to
 */
export function formatKeys(schema: JsonSchema, definitions: Definitions = {}): string {
  return ['| key | default | meaning |', '| --- | --- | --- |', ...rowsOf(schema, '', definitions)].join('\n');
}

function rowsOf(schema: JsonSchema, prefix: string, definitions: Definitions): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, key]) => {
    const full = `${prefix}${name}`;
    const inner = isRepeated(key, schema) ? [] : [...rowsOf(key, `${full}.`, definitions), ...rowsOfMany(key, full, definitions)];
    return inner.length > 0 ? inner : [formatRow(full, key, definitions)];
  });
}

/** The table has only keys of the one around it, which are explained there. */
function isRepeated({ properties = {} }: JsonSchema, { properties: around = {} }: JsonSchema): boolean {
  const keys = Object.entries(properties);
  return keys.length > 0 && keys.every(([name, key]) => around[name] === key);
}

function rowsOfMany(
  { additionalProperties: named, items }: JsonSchema,
  full: string,
  definitions: Definitions,
): readonly string[] {
  if (typeof named === 'object') return rowsOf(named, `${full}.NAME.`, definitions);
  return items === undefined ? [] : rowsOf(items, `${full}[].`, definitions);
}

function formatRow(name: string, key: JsonSchema, definitions: Definitions): string {
  const usual = key.default === undefined ? '' : show(key.default);
  return `| \`${name}\` | ${escapeCell(usual)} | ${escapeCell(meaningOf(key, definitions))} |`;
}

function meaningOf(key: JsonSchema, definitions: Definitions): string {
  const { description = '', enum: words = [], minimum, maximum } = key;
  const referred = definitions[key.$ref?.replace('#/definitions/', '') ?? '']?.description ?? '';
  const isExplained = words.every((word) => word === key.default || description.includes(JSON.stringify(word)));
  const values = isExplained ? '' : `Values: ${words.map(show).join(', ')}.`;
  const range = minimum === undefined || maximum === undefined ? '' : `From ${minimum} to ${maximum}.`;
  return [description, referred, values, range].filter((sentence) => sentence !== '').join(' ');
}

function show(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
