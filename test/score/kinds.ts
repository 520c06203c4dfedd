import { classify, classifyArguments } from '../../src/core/classify/classify.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import { RUNNING_TOOLS } from '../core/classify/running-tools.ts';
import type { CorpusRow } from './corpus.ts';
import { formatShare, formatTable } from './table.ts';

/** How many tools are of a kind that `default` asks about, by what is known of them. */
export interface KindsScore {
  readonly benign: number;
  /** Names of benign tools that are asked about by their names alone, and those by their definitions too. */
  readonly byName: readonly string[];
  readonly byDefinition: readonly string[];
  /** Those that are asked about once they are called with what they require, by that too. */
  readonly byCall: readonly string[];
  /** Of the tools that run commands, and of each third one of them, those that are not taken for that. */
  readonly running: number;
  readonly missed: readonly string[];
  readonly heldOut: number;
  readonly missedHeldOut: readonly string[];
}

/** Asks of all benign definitions of a corpus what kinds of tools they are, and of the tests' table of tools that run commands. */
export function scoreKinds(rows: readonly CorpusRow[]): KindsScore {
  const definitions = new Map<string, JsonObject>();
  for (const { kind, isMalicious, payload } of rows) {
    if (isMalicious || kind !== 'tool_definition' || !isJsonObject(payload as JsonValue)) continue;
    const definition = payload as JsonObject;
    const { name } = definition;
    if (typeof name === 'string') definitions.set(name, definition);
  }
  const asks = (name: string, definition?: JsonObject): boolean => {
    const kinds = classify({ name, ...(definition === undefined ? {} : { definition }), isPinned: true });
    return kinds.includes('execute') || kinds.includes('destroy');
  };
  const asksCalled = ([name, definition]: readonly [string, JsonObject]): boolean => {
    const kinds = classifyArguments(name, requiredArguments(definition), () => definition);
    return kinds.has('execute') || kinds.has('destroy') || asks(name, definition);
  };
  const missed = RUNNING_TOOLS.filter(({ name, parameter }) => {
    const inputSchema = { properties: { [parameter ?? 'x']: { type: 'string' } } };
    return !classify({ name, definition: { inputSchema }, isPinned: true }).includes('execute');
  });
  const isHeldOut = (tool: (typeof RUNNING_TOOLS)[number]): boolean => RUNNING_TOOLS.indexOf(tool) % 3 === 2;
  return {
    benign: definitions.size,
    byName: [...definitions.keys()].filter((name) => asks(name)),
    byDefinition: [...definitions].flatMap(([name, definition]) => (asks(name, definition) ? [name] : [])),
    byCall: [...definitions].flatMap((definition) => (asksCalled(definition) ? [definition[0]] : [])),
    running: RUNNING_TOOLS.length,
    missed: missed.map(({ name }) => name),
    heldOut: RUNNING_TOOLS.filter(isHeldOut).length,
    missedHeldOut: missed.filter(isHeldOut).map(({ name }) => name),
  };
}

/** What a call has to give, the first of several choices, and nothing that says more than its name does; a text where a tool requires nothing. */
function requiredArguments(definition: JsonObject): JsonObject {
  const { required, properties } = (definition['inputSchema'] ?? definition['parameters'] ?? {}) as Record<string, unknown>;
  const names = Array.isArray(required) ? required.map(String) : [];
  const schemas = (properties ?? {}) as Record<
    string,
    { readonly type?: unknown; readonly enum?: readonly JsonValue[] } | undefined
  >;
  const args = Object.fromEntries(names.map((name) => [name, schemas[name]?.enum?.[0] ?? sampleOf(schemas[name]?.type)]));
  return names.length === 0 ? { x: 'x' } : args;
}

function sampleOf(type: unknown): JsonValue {
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return false;
  if (type === 'array') return ['x'];
  return type === 'object' ? { x: 'x' } : 'x';
}

export function formatKindsScore(score: KindsScore): string {
  const { benign, byName, byDefinition, byCall, running, missed, heldOut, missedHeldOut } = score;
  const table = formatTable([
    ['tools', 'rows', 'asked about', 'share'],
    ['benign, by name', String(benign), String(byName.length), formatShare(byName.length, benign)],
    ['benign, by definition', String(benign), String(byDefinition.length), formatShare(byDefinition.length, benign)],
    ['benign, once called', String(benign), String(byCall.length), formatShare(byCall.length, benign)],
    ['run commands', String(running), String(running - missed.length), formatShare(running - missed.length, running)],
    [
      'of these held out',
      String(heldOut),
      String(heldOut - missedHeldOut.length),
      formatShare(heldOut - missedHeldOut.length, heldOut),
    ],
  ]);
  return `${table}\n\nbenign and asked about: ${byCall.join(' ')}\nnot known to run commands: ${missed.join(' ')}`;
}
