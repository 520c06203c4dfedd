import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** What of a definition is compared where a client has written it anew for a model. */
export type OfferedField = 'description' | 'properties';

/** Members that have the schema of a tool's arguments, in MCP and in what is sent to models. */
const SCHEMAS = ['inputSchema', 'input_schema', 'parameters', 'parametersJsonSchema', 'parameters_json_schema'] as const;

/** Characters that a client may add to a description, such as the server's name, and with which it may say that it has cut one. */
const MOST_ADDED = 120;
const MOST_MARK = 40;

/** Characters of a description that are compared; the longest honest ones have half as many. */
const MOST_COMPARED = 16_384;

/**
 * What of a tool that is offered to a model is not what its server listed. Clients write definitions anew: they cut descriptions, put some words
 * in front or behind, drop members, and say types otherwise. None of that is told. Told is another description, one with much more in it, and an
 * argument that the server does not have.
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

/** The description that a definition has, empty where there is none. */
export function descriptionOf(definition: JsonObject): string {
  const { description } = innerOf(definition);
  return typeof description === 'string' ? description : '';
}

function isSameDescription(offered: string, listed: string): boolean {
  const [one, other] = [plain(offered), plain(listed)];
  if (one === '' || other.includes(one)) return true;
  if (one.includes(other)) return one.length - other.length <= MOST_ADDED;
  // Cut, and said to be: all but the first and the last words are from the listed one.
  for (let added = 0; added <= Math.min(MOST_ADDED, one.length); added += 1) {
    const shared = sharedFrom(one.slice(added), other);
    if (shared > MOST_MARK && one.length - added - shared <= MOST_MARK) return true;
  }
  return false;
}

/** How many characters two texts have in common at their beginning. */
function sharedFrom(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

/** White space is written anew, too. */
function plain(text: string): string {
  return text.slice(0, MOST_COMPARED).replaceAll(/\s+/g, ' ').trim();
}

function propertiesOf(definition: JsonObject): readonly string[] {
  const inner = innerOf(definition);
  const schema = SCHEMAS.map((name) => inner[name]).find((value) => isJsonObject(value));
  const properties: JsonValue | undefined = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** OpenAI's Chat Completions have it one level down. */
function innerOf(definition: JsonObject): JsonObject {
  const inner = definition['function'];
  return isJsonObject(inner) ? inner : definition;
}
