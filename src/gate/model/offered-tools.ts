import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { descriptionOf, findOfferedDifferences } from '../../core/registry/offered-tool.ts';
import type { OfferedTool } from '../../protocol/llm/model-api.ts';
import { type KnownServer, readToolName } from '../../protocol/llm/tool-names/read-tool-name.ts';
import type { KnownTools } from './known-tools.ts';
import type { ModelRequest } from './model-gate.ts';
import type { OfferedDiffersRecord } from '../ports/records.ts';
import type { Ports } from '../ports/ports.ts';

/** Definitions that are known to have been compared; then all are forgotten, and compared anew. */
const MOST_KNOWN = 5000;

/**
 * Definitions that are compared in one go, in which others wait for the store, and characters of them, of which a single one may have more: those of a
 * request that are left come with the next ones.
 */
const MOST_AT_ONCE = { definitions: 32, characters: 256 * 1024 } as const;

interface OfferedToolsOptions {
  readonly ports: Pick<Ports, 'clock' | 'registry' | 'session'>;
  readonly tools: Pick<KnownTools, 'servers'>;
  /** Does something, soon, in a transaction of its own. */
  readonly soon: (act: () => void) => void;
  /** To be called in that. */
  readonly record: (record: OfferedDiffersRecord) => void;
}

interface Unknown {
  readonly tool: OfferedTool;
  readonly definition: string;
  /** Of its name and its definition. */
  readonly digest: string;
}

/**
 * Compares the tools that requests offer to a model with what their servers have listed, each definition once. Nobody waits for it and nothing is
 * denied because of it.
 */
export class OfferedTools {
  readonly #options: OfferedToolsOptions;
  /** Digests of what was compared, or is of no server, as long as there are the same servers. */
  readonly #known = new Set<string>();
  #servers: readonly KnownServer[] | undefined;
  /** Digests of what was told. */
  readonly #told = new Set<string>();
  /** Where the next go begins among those that are unknown. */
  #next = 0;

  constructor(options: OfferedToolsOptions) {
    this.#options = options;
  }

  /** @param tools those that the client runs */
  note(request: ModelRequest, tools: readonly OfferedTool[]): void {
    const unknown = tools.flatMap((tool): Unknown[] => {
      const { name, group = '', definition } = tool;
      if (definition === undefined) return [];
      const digest = createHash('sha256')
        .update(JSON.stringify([name, group]))
        .update(definition)
        .digest('hex');
      return this.#known.has(digest) ? [] : [{ tool, definition, digest }];
    });
    if (unknown.length === 0) return;
    const start = this.#next % unknown.length;
    const some = firstOf(unknown.slice(start, start + MOST_AT_ONCE.definitions));
    this.#options.soon(() => {
      const servers = this.#options.tools.servers();
      if (servers !== this.#servers || this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#servers = servers;
      for (const each of some) if (!this.#known.has(each.digest) && this.#compare(request, each)) this.#known.add(each.digest);
      // Those that are known are none of the next ones.
      this.#next = start + some.filter(({ digest }) => !this.#known.has(digest)).length;
    });
  }

  /** @returns whether that is settled; else its server has listed nothing to compare it with, and it is tried again with a later request */
  #compare(request: ModelRequest, { tool: { name, group }, definition, digest }: Unknown): boolean {
    const { ports, record } = this.#options;
    const { client, tools: requestTools } = request;
    const meaning = readToolName(name, { client, servers: this.#servers ?? [], requestTools, group });
    if (meaning.kind !== 'mcp') return meaning.kind === 'native';
    const offered = parseObject(definition);
    const found = meaning.candidates.flatMap(({ server, tool }) => {
      const { registry } = ports;
      const listed = parseObject(registry.text(registry.scopeOf(server, tool), 'tool', tool, 'seen') ?? '');
      return offered === undefined || listed === undefined
        ? []
        : [{ server, tool, fields: findOfferedDifferences(offered, listed) }];
    });
    const [first] = found;
    if (first === undefined || offered === undefined) return false;
    // Whichever of them it is, one has listed it so.
    if (found.some(({ fields }) => fields.length === 0) || this.#told.has(digest)) return true;
    if (this.#told.size >= MOST_KNOWN) this.#told.clear();
    this.#told.add(digest);
    record({
      ...first,
      time: ports.clock.now(),
      session: ports.session(),
      request: request.id,
      name,
      listed: ports.registry.pin(ports.registry.scopeOf(first.server, first.tool), 'tool', first.tool)?.seen,
      offered: `sha256:${createHash('sha256').update(definition).digest('hex')}`,
      description: descriptionOf(offered),
    });
    return true;
  }
}

/** As many as may be compared in one go; one in any case. */
function firstOf(unknown: readonly Unknown[]): readonly Unknown[] {
  let room: number = MOST_AT_ONCE.characters;
  const end = unknown.findIndex(({ definition }, index) => {
    room -= definition.length;
    return room < 0 && index > 0;
  });
  return end === -1 ? unknown : unknown.slice(0, end);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    // None was listed, or it was too large to keep.
    return undefined;
  }
}
