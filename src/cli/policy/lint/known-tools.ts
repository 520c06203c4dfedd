import type { KnownTool } from '../../../core/policy/lint/finding.ts';
import { isJsonObject, type JsonValue } from '../../../core/json.ts';
import type { RegistryReader } from '../../../store/registry-reader.ts';

/** The tools that servers have listed, also those that have gone from their lists, with the arguments that they say they take. */
export function readKnownTools(reader: RegistryReader): readonly KnownTool[] {
  return reader.definitions({ kind: 'tool' }).map(({ server, name }) => {
    const args = argumentsIn(reader.definition(server, 'tool', name)?.seenText);
    return { server, name, ...(args === undefined ? {} : { args }) };
  });
}

/** Undefined where a tool does not say, or takes others besides. */
function argumentsIn(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const definition = parseText(text);
  const schema = isJsonObject(definition) ? definition['inputSchema'] : undefined;
  if (!isJsonObject(schema)) return undefined;
  const isClosed = Object.keys(schema).every((key) => !/^(?:patternProperties|allOf|anyOf|oneOf|\$ref|if)$/.test(key));
  const { properties, additionalProperties = false } = schema;
  return isClosed && isJsonObject(properties) && additionalProperties === false ? Object.keys(properties) : undefined;
}

function parseText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A damaged text says nothing of arguments, and the rest of the registry is as good as before.
    return undefined;
  }
}
