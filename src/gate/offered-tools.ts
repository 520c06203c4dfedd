import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { descriptionOf, findOfferedDifferences } from '../core/registry/offered-tool.ts';
import type { OfferedTool } from '../protocol/llm/model-api.ts';
import { readToolName } from '../protocol/llm/tool-names/read-tool-name.ts';
import type { KnownTools } from './known-tools.ts';
import type { ModelRequest } from './model-gate.ts';
import type { OfferedDiffersRecord } from './offered-record.ts';
import type { Ports } from './ports.ts';

/** Definitions that are known to have been compared; then all are forgotten, and compared anew. */
const MOST_KNOWN = 5000;

interface OfferedToolsOptions {
  readonly ports: Pick<Ports, 'clock' | 'registry' | 'session'>;
  readonly tools: Pick<KnownTools, 'servers'>;
  /** Does something, soon, in a transaction of its own. */
  readonly soon: (act: () => void) => void;
  /** To be called in that. */
  readonly record: (record: OfferedDiffersRecord) => void;
}

/**
 * Compares the tools that requests offer to a model with what their servers have listed, each definition once. Nobody waits for it and nothing is
 * denied because of it.
 */
export class OfferedTools {
  readonly #options: OfferedToolsOptions;
  /** Digests of what was compared. */
  readonly #known = new Set<string>();

  constructor(options: OfferedToolsOptions) {
    this.#options = options;
  }

  /** @param tools those that the client runs */
  note(request: ModelRequest, tools: readonly OfferedTool[]): void {
    const unknown = tools.flatMap((tool) => {
      const { name, group = '', definition } = tool;
      if (definition === undefined) return [];
      const digest = createHash('sha256')
        .update(JSON.stringify([name, group]))
        .update(definition)
        .digest('hex');
      return this.#known.has(digest) ? [] : [{ tool, definition, digest }];
    });
    if (unknown.length === 0) return;
    this.#options.soon(() => {
      for (const { tool, definition, digest } of unknown) {
        if (this.#known.size >= MOST_KNOWN) this.#known.clear();
        if (!this.#known.has(digest) && this.#compare(request, tool, definition)) this.#known.add(digest);
      }
    });
  }

  /** @returns whether there was something to compare with; else it is tried again with the next request */
  #compare(request: ModelRequest, { name, group }: OfferedTool, definition: string): boolean {
    const { ports, tools, record } = this.#options;
    const about = { client: request.client, servers: tools.servers(), requestTools: request.tools, group };
    const meaning = readToolName(name, about);
    if (meaning.kind !== 'mcp') return false;
    const offered = parseObject(definition);
    const found = meaning.candidates.flatMap(({ server, tool }) => {
      const listed = parseObject(ports.registry.text(server, 'tool', tool, 'seen') ?? '');
      return offered === undefined || listed === undefined
        ? []
        : [{ server, tool, fields: findOfferedDifferences(offered, listed) }];
    });
    const [first] = found;
    if (first === undefined || offered === undefined) return false;
    // Whichever of them it is, one has listed it so.
    if (found.some(({ fields }) => fields.length === 0)) return true;
    record({
      ...first,
      time: ports.clock.now(),
      session: ports.session(),
      request: request.id,
      name,
      listed: ports.registry.pin(first.server, 'tool', first.tool)?.seen,
      offered: `sha256:${createHash('sha256').update(definition).digest('hex')}`,
      description: descriptionOf(offered),
    });
    return true;
  }
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
