import type { ToolNames } from './engine/read-clauses.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import type { ServerContext } from './types.ts';

/** A name of fewer characters, without a mark between words, could be any word of a sentence. */
const SHORTEST_PLAIN_NAME = 10;

/** Names of tools by whose they are, as they stand in texts in lower case. */
export function namesOf(context: ServerContext | undefined): ToolNames {
  const names = new Map<string, 'sibling' | 'foreign'>();
  for (const tools of context?.others.values() ?? [])
    for (const name of tools) if (isTelling(name)) names.set(name.toLowerCase(), 'foreign');
  for (const name of context?.tools ?? []) if (isTelling(name)) names.set(name.toLowerCase(), 'sibling');
  return names;
}

/** The same for one definition of them: its own name, and those of its parameters. */
export function namesFor(names: ToolNames, name: string, value: JsonValue): ToolNames {
  const parameters = parametersOf(value).filter((key) => key.includes('_'));
  if (parameters.length === 0 && !isTelling(name)) return names;
  const all = new Map(names);
  for (const key of parameters) if (!all.has(key.toLowerCase())) all.set(key.toLowerCase(), 'parameter');
  if (isTelling(name)) all.set(name.toLowerCase(), 'own');
  return all;
}

function isTelling(name: string): boolean {
  return name.includes('_') || name.length >= SHORTEST_PLAIN_NAME || /[a-z][A-Z]/.test(name);
}

function parametersOf(value: JsonValue): readonly string[] {
  const schema = isJsonObject(value) ? value['inputSchema'] : undefined;
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}
