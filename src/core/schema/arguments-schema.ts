import type { Call } from '../call.ts';
import type { RegistryFacts } from '../facts.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json.ts';
import type { SchemaFault } from '../finding.ts';
import { checkPlaces } from './check-places.ts';
import { checkSchema } from './check-schema.ts';

/** Longer definitions have no honest schema, and are not read. */
const LONGEST = 256 * 1024;

/** Read schemas that are kept, by fingerprint of their definition. Each call of a tool needs the same one. */
const MOST_KEPT = 64;
const kept = new Map<string, JsonValue | undefined>();

const NOTHING: readonly SchemaFault[] = [];
const NO_DEFINITION = (): undefined => undefined;

const TOO_LONG: readonly SchemaFault[] = [{ path: '', keyword: 'length', problem: 'cannot be checked: the schema is too long' }];
const COSTLY: readonly SchemaFault[] = [{ path: '', keyword: 'cost', problem: 'cannot be checked: the schema takes too long' }];

/**
 * The faults of a tool call by the schema that its server declared: what was seen last, which is what the model was shown; a changed one is
 * the pin's to judge. Without one, only what the names of the arguments say counts.
 */
export function findSchemaFaults(
  { method, tool, origin, args = {} }: Call,
  registry: RegistryFacts | undefined,
  { enabled, unknownArguments }: { readonly enabled: boolean; readonly unknownArguments: 'schema' | 'mismatch' },
): readonly SchemaFault[] {
  if (!enabled || method !== 'tools/call' || tool === undefined || origin === 'native') return NOTHING;
  const known = registry?.fingerprint;
  const schema = known === undefined ? undefined : schemaOf(known, registry?.definition ?? NO_DEFINITION);
  if (schema === undefined) return placesIn(args);
  if (schema === 'too long') return TOO_LONG;
  const { faults, unchecked } = checkSchema(schema, args, unknownArguments === 'mismatch');
  if (faults.length > 0) return faults;
  return unchecked === 'costly' ? COSTLY : placesIn(args);
}

/** Faults of arguments that were looked at: a decision asks twice, and one of very many arguments is read before others have to wait for it. */
const looked = new WeakMap<JsonObject, readonly SchemaFault[]>();

function placesIn(args: JsonObject): readonly SchemaFault[] {
  const known = looked.get(args) ?? checkPlaces(args);
  looked.set(args, known);
  return known;
}

function schemaOf(fingerprint: string, definition: () => string | undefined): JsonValue | undefined {
  if (kept.has(fingerprint)) return kept.get(fingerprint);
  const text = definition();
  // It may be kept later.
  if (text === undefined) return undefined;
  const schema = text.length > LONGEST ? 'too long' : readSchema(text);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(fingerprint, schema);
  return schema;
}

function readSchema(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text);
    const schema = isJsonObject(value) ? value['inputSchema'] : undefined;
    return isJsonObject(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

/** Names that are repeated to a model: the others may be a server's words. */
const PLAIN_NAME = /^[\w.-]{1,60}$/;

/** Half a sentence about the faults, whose subject is the call's arguments. */
export function describeFaults(faults: readonly SchemaFault[]): string {
  return faults
    .slice(0, 2)
    .map(({ path, problem }) => `${path === '' ? 'they' : PLAIN_NAME.test(path) ? `"${path}"` : 'an argument'} ${problem}`)
    .join(', ');
}
