import type { Call } from '../../core/call.ts';
import type { DetectionFacts, RegistryFacts } from '../../core/facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { pinStatus } from '../../core/registry/trust.ts';
import type { KnownServer } from '../../protocol/llm/tool-names/read-tool-name.ts';
import { findingsOf, isApproved } from '../detection/findings.ts';
import type { Clock } from '../ports/ports.ts';
import type { Registry } from '../ports/registry-port.ts';

/** Matches a text that no reader takes for a path or a command. */
const WORD = /^[\w -]{0,64}$/;

const CLOSED_TYPES: ReadonlySet<JsonValue | undefined> = new Set(['number', 'integer', 'boolean', 'null']);

/** Deeper schemas are not checked. */
const MOST_DEPTH = 16;

/** Facts for tools without a definition, such as the agent's own. */
export const NO_DEFINITION: RegistryFacts = {
  status: 'pinned',
  fingerprint: undefined,
  definition: () => undefined,
  isServerChanged: false,
};

/** Milliseconds for which the list of servers and tools is cached. */
const KNOWN_FOR = 250;

/**
 * The cache lasts at least this many times as long as reading took: tens of thousands of tools block this process for tens of milliseconds.
 */
const CACHE_FACTOR = 50;

const NO_SERVERS: readonly KnownServer[] = [];

/** The known servers and tools, for the names by which models call them. */
export class KnownTools {
  readonly #registry: Pick<Registry, 'tools'>;
  readonly #clock: Pick<Clock, 'elapsed'>;
  #servers: readonly KnownServer[] = NO_SERVERS;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #seen = '';

  constructor({ registry, clock }: { readonly registry: Pick<Registry, 'tools'>; readonly clock: Pick<Clock, 'elapsed'> }) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /** Returns the same array until something changes. Call it while the recorder is open; throws if the store fails. */
  servers(): readonly KnownServer[] {
    const now = this.#clock.elapsed() / 1000;
    if (now < this.#freshUntil) return this.#servers;
    const servers = Array.from(this.#registry.tools(), ([name, tools]) => ({ name, tools }));
    const seen = JSON.stringify(servers);
    const end = this.#clock.elapsed() / 1000;
    this.#freshUntil = end + Math.max(KNOWN_FOR, CACHE_FACTOR * (end - now));
    if (seen === this.#seen) return this.#servers;
    this.#seen = seen;
    this.#servers = servers;
    return servers;
  }
}

/** The registry's facts about a called tool when no connection to its server is at hand. Throws if the store fails. */
export function readToolFacts(
  registry: Pick<Registry, 'pin' | 'scopeOf' | 'text'>,
  { server, tool = '' }: Pick<Call, 'server' | 'tool'>,
): RegistryFacts {
  const scope = registry.scopeOf(server, tool);
  const pin = registry.pin(scope, 'tool', tool);
  return {
    status: pinStatus(pin),
    fingerprint: pin?.seen,
    definition: () => registry.text(scope, 'tool', tool, 'seen'),
    isServerChanged: false,
  };
}

/**
 * The kept findings in a called tool when no connection to its server is at hand. Undefined if it was not scanned, or the policy does not
 * decide by them. Throws if the store fails.
 */
export function readToolFindings(
  registry: Pick<Registry, 'pin' | 'scanResult' | 'scopeOf'>,
  policy: CompiledPolicy,
  { server, tool = '' }: Pick<Call, 'server' | 'tool'>,
): DetectionFacts | undefined {
  const { enabled, onDefinition, requireApproval } = policy.policy.detection;
  if (!enabled || (onDefinition === 'alert' && !requireApproval)) return undefined;
  const scope = registry.scopeOf(server, tool);
  const pin = registry.pin(scope, 'tool', tool);
  const result = pin === undefined ? undefined : registry.scanResult(scope, 'tool', tool, pin.seen);
  if (result === undefined) return undefined;
  return { findings: findingsOf(policy, result, { server, tool }), ofServer: [], isApproved: isApproved(pin) };
}

/** The type and address of a server, from the text of its launch identity; undefined if unknown. */
export function serverAddressOf(identity: string | undefined): {
  readonly type: string | undefined;
  readonly address: string | undefined;
} {
  const url = identity === undefined ? undefined : urlIn(identity);
  if (url === undefined) return { type: identity === undefined ? undefined : 'stdio', address: undefined };
  return { type: 'http', address: URL.parse(url)?.host };
}

function urlIn(identity: string): string | undefined {
  try {
    const value: unknown = JSON.parse(identity);
    const url = typeof value === 'object' && value !== null && 'url' in value ? value.url : undefined;
    return typeof url === 'string' ? url : undefined;
  } catch {
    // Only an edit of the store makes it so.
    return undefined;
  }
}

/**
 * Tells whether a tool takes no text that could hold a path or a command: only numbers, booleans, and words from a list. True only if its
 * schema is closed.
 *
 * @param definition source text of the tool's definition, as a request of any API has it
 */
export function takesNoTexts(definition: string): boolean {
  let tool: JsonValue;
  try {
    tool = JSON.parse(definition) as JsonValue;
  } catch {
    // Its input is unknown.
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
