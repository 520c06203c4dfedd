import type { OwnNames, ToolNames } from './engine/read-clauses.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import type { Detection, ServerContext } from './types.ts';
import { nameProblem } from '../registry/deceptive-names.ts';

/** Shorter names without a mark between words could be any word of a sentence. */
const SHORTEST_PLAIN_NAME = 10;

const NO_NAMES: ToolNames = new Map();

/** One context serves many slices of a long list. */
const known = new WeakMap<ServerContext, ToolNames>();

/** The owners of tool names, as they stand in texts in lower case. A context must not change once it was passed. */
export function namesOf(context: ServerContext | undefined): ToolNames {
  if (context === undefined) return NO_NAMES;
  const names = known.get(context) ?? readNames(context);
  known.set(context, names);
  return names;
}

function readNames({ tools, others }: ServerContext): ToolNames {
  const names = new Map<string, 'sibling' | 'foreign'>();
  for (const foreign of others.values())
    for (const name of foreign) if (isTelling(name)) names.set(name.toLowerCase(), 'foreign');
  for (const name of tools) if (isTelling(name)) names.set(name.toLowerCase(), 'sibling');
  return names;
}

/** The names for one definition: adds its own name, and those of its parameters. */
export function namesFor(names: ToolNames, name: string, value: JsonValue): OwnNames {
  const parameters = new Set(parametersOf(value).flatMap((key) => (key.includes('_') ? [key.toLowerCase()] : [])));
  const own = isTelling(name) ? name.toLowerCase() : undefined;
  return {
    own: own === undefined ? parameters : new Set(parameters).add(own),
    get(word) {
      if (word === own) return 'own';
      return names.get(word) ?? (parameters.has(word) ? 'parameter' : undefined);
    },
  };
}

function isTelling(name: string): boolean {
  return name.includes('_') || name.length >= SHORTEST_PLAIN_NAME || /[a-z][A-Z]/.test(name);
}

function parametersOf(value: JsonValue): readonly string[] {
  const schema = isJsonObject(value) ? value['inputSchema'] : undefined;
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/**
 * Reports a tool or prompt whose name nearly equals another: its calls are refused, and a person who is asked about it sees no difference.
 */
export function findDressedName({ kind, name }: { readonly kind: string; readonly name: string }): readonly Detection[] {
  const problem = kind === 'tool' || kind === 'prompt' ? nameProblem(name) : undefined;
  if (problem === undefined) return [];
  const description = `${problem}, so it can be taken for another; clawai denies calls of it`;
  return [{ rule: 'obfuscation.dressed_name', family: 'obfuscation', severity: 'high', description, field: 'name', matches: [] }];
}
