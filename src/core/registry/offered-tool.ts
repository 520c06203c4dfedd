import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** The compared parts of a definition that a client has rewritten for a model. */
export type OfferedField = 'description' | 'properties';

/** Members that hold the schema of a tool's arguments, in MCP and in requests to models. */
const SCHEMAS = ['inputSchema', 'input_schema', 'parameters', 'parametersJsonSchema', 'parameters_json_schema'] as const;

/** Most characters that a client may add to a description, such as the server's name, and most characters of its mark for a cut. */
const MOST_ADDED = 120;
const MOST_MARK = 40;

/** Most characters of a description that are compared; the longest honest ones have half as many. */
const MOST_COMPARED = 16_384;

/**
 * Finds differences between a tool that is offered to a model and its server's listing. Clients rewrite definitions: they cut descriptions,
 * add a few words in front or behind, drop members, and express types differently. None of that counts. Another description counts, one
 * with much more text, and an argument that the server does not have.
 *
 * @param offered the definition in a request, whatever the API
 * @param listed the definition as the server listed it
 */
export function findOfferedDifferences(offered: JsonObject, listed: JsonObject): readonly OfferedField[] {
  const fields: OfferedField[] = [];
  if (!isSameDescription(descriptionOf(offered), descriptionOf(listed))) fields.push('description');
  const known = new Set(propertiesOf(listed));
  if (propertiesOf(offered).some((name) => !known.has(name))) fields.push('properties');
  return fields;
}

/** The description of a definition, empty without one. */
export function descriptionOf(definition: JsonObject): string {
  const { description } = innerOf(definition);
  return typeof description === 'string' ? description : '';
}

function isSameDescription(offered: string, listed: string): boolean {
  const [one, other] = [plain(offered), plain(listed)];
  if (one === '' || other.includes(one)) return true;
  if (one.includes(other)) return one.length - other.length <= MOST_ADDED;
  // A marked cut: all but the first and the last words are from the listed one.
  for (let added = 0; added <= Math.min(MOST_ADDED, one.length); added += 1) {
    const shared = sharedFrom(one.slice(added), other);
    if (shared > MOST_MARK && one.length - added - shared <= MOST_MARK) return true;
  }
  return false;
}

/** Length of the common beginning of two texts. */
function sharedFrom(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

/** Normalises white space, which clients rewrite too. */
function plain(text: string): string {
  return text.slice(0, MOST_COMPARED).replaceAll(/\s+/g, ' ').trim();
}

function propertiesOf(definition: JsonObject): readonly string[] {
  const inner = innerOf(definition);
  const schema = SCHEMAS.map((name) => inner[name]).find((value) => isJsonObject(value));
  const properties: JsonValue | undefined = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** The tool itself: OpenAI's Chat Completions nest it one level deeper. */
function innerOf(definition: JsonObject): JsonObject {
  const inner = definition['function'];
  return isJsonObject(inner) ? inner : definition;
}
