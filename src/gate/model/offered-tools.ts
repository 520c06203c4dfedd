import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { descriptionOf, findOfferedDifferences } from '../../core/registry/offered-tool.ts';
import type { OfferedTool } from '../../protocol/llm/model-api.ts';
import { type KnownServer, readToolName } from '../../protocol/llm/tool-names/read-tool-name.ts';
import type { KnownTools } from './known-tools.ts';
import type { ModelRequest } from './call-targets.ts';
import type { OfferedDiffersRecord } from '../ports/records.ts';
import type { Ports } from '../ports/ports.ts';

/** Most definitions remembered as compared; then all are forgotten, and compared anew. */
const MOST_KNOWN = 5000;

/**
 * Most definitions, and characters of them, that are compared at once while others wait for the store; a single one may have more. The rest
 * of a request is compared with later requests.
 */
const MOST_AT_ONCE = { definitions: 32, characters: 256 * 1024 } as const;

interface OfferedToolsOptions {
  readonly ports: Pick<Ports, 'clock' | 'registry' | 'session'>;
  readonly tools: Pick<KnownTools, 'servers'>;
  /** Runs something soon, in a transaction of its own. */
  readonly soon: (act: () => void) => void;
  /** Records a difference within that transaction. */
  readonly record: (record: OfferedDiffersRecord) => void;
}

interface Unknown {
  readonly tool: OfferedTool;
  readonly definition: string;
  /** Digest of its name and its definition. */
  readonly digest: string;
}

/**
 * Compares the tools that requests offer to a model with the definitions that their servers have listed, each once. Nobody waits for it and
 * nothing is denied because of it.
 */
export class OfferedTools {
  readonly #options: OfferedToolsOptions;
  /** Digests of definitions that were compared, or belong to no server, while the servers stay the same. */
  readonly #known = new Set<string>();
  #servers: readonly KnownServer[] | undefined;
  /** Digests of differences that were told. */
  readonly #warnedOf = new Set<string>();
  /** Index of the next unknown definition to compare. */
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
      // Known ones are not among the next unknown ones.
      this.#next = start + some.filter(({ digest }) => !this.#known.has(digest)).length;
    });
  }

  /** @returns whether it is settled; otherwise its server has listed nothing to compare it with, and a later request tries again */
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
    // Whichever server it is, one of them has listed it like this.
    if (found.some(({ fields }) => fields.length === 0) || this.#warnedOf.has(digest)) return true;
    if (this.#warnedOf.size >= MOST_KNOWN) this.#warnedOf.clear();
    this.#warnedOf.add(digest);
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

/** As many as may be compared at once, and at least one. */
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
