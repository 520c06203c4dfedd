import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** A text that is no path and no command, whoever reads it. */
const WORD = /^[\w -]{0,64}$/;

const CLOSED_TYPES: ReadonlySet<JsonValue | undefined> = new Set(['number', 'integer', 'boolean', 'null']);

/** Deeper schemas are not looked into. */
const MOST_DEPTH = 16;

/**
 * Does a tool take nothing in which a path or a command has room: numbers, yes or no, and words of a list? So it is only where its schema says
 * all that it takes.
 *
 * @param definition source text of the tool's definition, as a request of whichever API has it
 */
export function takesNoTexts(definition: string): boolean {
  let tool: JsonValue;
  try {
    tool = JSON.parse(definition) as JsonValue;
  } catch {
    // Nobody knows what it takes.
    return false;
  }
  if (!isJsonObject(tool)) return false;
  const inner = tool['function'];
  const named = isJsonObject(inner) ? inner : tool;
  const schema = named['input_schema'] ?? named['parameters'] ?? named['parametersJsonSchema'];
  return isJsonObject(schema) && schema['type'] === 'object' && isClosed(schema, 0);
}

function isClosed(schema: JsonValue | undefined, depth: number): boolean {
  if (!isJsonObject(schema) || depth > MOST_DEPTH || '$ref' in schema) return false;
  const { type, enum: words, const: only, properties, items } = schema;
  if (words !== undefined) return Array.isArray(words) && words.every(isWord);
  if (only !== undefined) return isWord(only);
  if (type === 'array') return isClosed(items, depth + 1) && !('prefixItems' in schema);
  if (type !== 'object') return CLOSED_TYPES.has(type);
  return (
    schema['additionalProperties'] === false &&
    !('patternProperties' in schema) &&
    Object.values(isJsonObject(properties) ? properties : ({} satisfies JsonObject)).every((each) => isClosed(each, depth + 1))
  );
}

function isWord(value: JsonValue): boolean {
  return typeof value === 'string' ? WORD.test(value) : typeof value !== 'object' || value === null;
}
