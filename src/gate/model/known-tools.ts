import type { Call } from '../../core/call.ts';
import type { DetectionFacts, RegistryFacts } from '../../core/facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { pinStatus } from '../../core/registry/trust.ts';
import type { KnownServer } from '../../protocol/llm/tool-names/read-tool-name.ts';
import { findingsOf, isApproved } from '../detection/findings.ts';
import type { Clock } from '../ports/ports.ts';
import type { Registry } from '../ports/registry-port.ts';

/** A text that is no path and no command, whoever reads it. */
const WORD = /^[\w -]{0,64}$/;

const CLOSED_TYPES: ReadonlySet<JsonValue | undefined> = new Set(['number', 'integer', 'boolean', 'null']);

/** Deeper schemas are not looked into. */
const MOST_DEPTH = 16;

/** Facts about what has no definition, such as a tool of the agent's own. */
export const NO_DEFINITION: RegistryFacts = {
  status: 'pinned',
  fingerprint: undefined,
  definition: () => undefined,
  isServerChanged: false,
};

/** Milliseconds for which is not asked again which servers and tools there are. */
const KNOWN_FOR = 250;

/** Tens of thousands of tools take tens of milliseconds, in which nothing else goes on: so many times as long is not asked again. */
const REST = 50;

const NO_SERVERS: readonly KnownServer[] = [];

/** The servers and tools that are known, for the names by which models call them. */
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

  /** The same array as long as nothing has changed. To be called while the recorder is open; throws where the store fails. */
  servers(): readonly KnownServer[] {
    const now = this.#clock.elapsed() / 1000;
    if (now < this.#freshUntil) return this.#servers;
    const servers = Array.from(this.#registry.tools(), ([name, tools]) => ({ name, tools }));
    const seen = JSON.stringify(servers);
    const end = this.#clock.elapsed() / 1000;
    this.#freshUntil = end + Math.max(KNOWN_FOR, REST * (end - now));
    if (seen === this.#seen) return this.#servers;
    this.#seen = seen;
    this.#servers = servers;
    return servers;
  }
}

/** What is known of the tool of a call that no connection to its server is about. Throws where the store fails. */
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
 * What is kept of what was found in the tool of a call, of one that no connection to its server is about. Undefined where nobody has looked, or
 * nothing is decided by it. Throws where the store fails.
 */
export function readToolFindings(
  registry: Pick<Registry, 'pin' | 'look' | 'scopeOf'>,
  policy: CompiledPolicy,
  { server, tool = '' }: Pick<Call, 'server' | 'tool'>,
): DetectionFacts | undefined {
  const { enabled, onDefinition, requireApproval } = policy.policy.detection;
  if (!enabled || (onDefinition === 'alert' && !requireApproval)) return undefined;
  const scope = registry.scopeOf(server, tool);
  const pin = registry.pin(scope, 'tool', tool);
  const look = pin === undefined ? undefined : registry.look(scope, 'tool', tool, pin.seen);
  if (look === undefined) return undefined;
  return { findings: findingsOf(policy, look, { server, tool }), ofServer: [], isApproved: isApproved(pin) };
}

/** How a server is reached, by the text of its launch identity; nothing where it is not known. */
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
