import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';
import { createDeniedMemory } from '../../gate/model/denied-results.ts';
import type { RequestCounts } from '../../gate/ports/records.ts';
import { Rounds } from '../../gate/rounds.ts';
import { machineClock } from '../../host/machine.ts';
import { createHeapLimit } from '../../host/small-heap.ts';
import { providerUrl, type ServedProvider } from '../../remote/served-provider.ts';
import { createRecordIds } from '../../session/ids.ts';
import { PerCaller } from '../../transport/http/per-caller.ts';
import { refuse } from '../../transport/http/respond.ts';
import type { Target } from '../../transport/http/target.ts';
import { Upstream } from '../../transport/http/upstream.ts';
import { BodyKeeper } from '../../transport/llm/body-keeper.ts';
import { LlmGuard, sumRequests } from '../../transport/llm/llm-guard.ts';
import { LlmRoute } from '../../transport/llm/llm-route.ts';
import { createCounters } from '../../transport/http/counters.ts';
import { GateMaker, type GateMakerOptions } from './gate-maker.ts';
import type { Run } from './runs.ts';
import { anthropicApi } from '../../protocol/llm/anthropic/api.ts';
import { geminiApi } from '../../protocol/llm/gemini/api.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { openaiApi } from '../../protocol/llm/openai/api.ts';

interface LlmRoutesOptions {
  readonly providers: readonly ServedProvider[];
  readonly config: Config;
  readonly maker: GateMaker;
  readonly warn: (line: string) => void;
}

interface Entry {
  readonly provider: ServedProvider;
  /** Undefined where nothing is decided. */
  readonly guards: PerCaller<Run, LlmGuard> | undefined;
  readonly route: LlmRoute;
}

/** The routes to LLM providers, which stay the same as long as the process runs. */
export class LlmRoutes {
  readonly #denied = createDeniedMemory(machineClock);
  readonly #options: LlmRoutesOptions;
  readonly #heap = createHeapLimit();
  readonly #rounds = new Rounds();
  /** Entries by a hash of name and secret, so that the time of a look-up reveals nothing of the secrets. */
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(options: LlmRoutesOptions) {
    this.#options = options;
    this.#entries = new Map(options.providers.map((provider) => [keyOf(provider), this.#create(provider)]));
  }

  find(name: string, secret: string): LlmRoute | undefined {
    return this.#entries.get(keyOf({ name, secret }))?.route;
  }

  routes(): readonly Pick<Entry, 'provider' | 'route'>[] {
    return [...this.#entries.values()];
  }

  /** The URLs that replace the providers' base URLs. @param origin of our listener */
  urls(origin: string): readonly { readonly name: string; readonly url: string }[] {
    return Array.from(this.#entries.values(), ({ provider }) => ({
      name: provider.name,
      url: providerUrl(origin, provider),
    }));
  }

  /** Closes the routes when no more requests come; resolves when all is on record. */
  async close(): Promise<void> {
    for (const { route } of this.#entries.values()) route.close();
    // Questions that were taken back are recorded by what waits for their answers, and calls in the round that they came in.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await Promise.all(Array.from(this.#entries.values(), ({ guards }) => guards?.close()));
  }

  #create(provider: ServedProvider): Entry {
    const { config, warn } = this.#options;
    const { message, frame } = config.limits;
    const { name, dialect } = provider;
    const api = MODEL_APIS.find((known) => known.dialect === dialect);
    if (api === undefined) throw new Error(`the dialect ${dialect} is in no list`);
    const url = new URL(provider.baseUrl);
    const guards = config.llm.mode === 'disabled' ? undefined : this.#createGuards(provider);
    const reported = new Set<string>();
    const route = new LlmRoute({
      name,
      api,
      upstream: new Upstream({ url }),
      path: url.pathname.replace(/\/+$/, ''),
      query: url.search,
      guards,
      rounds: this.#rounds,
      limits: { message, frame },
      counters: createCounters(),
      requestId: createRecordIds(),
      heap: this.#heap,
      onFault: ({ message: fault }) => {
        if (!reported.has(fault)) warn(`${name}: ${fault}`);
        reported.add(fault);
      },
      warn,
    });
    return { provider, guards, route };
  }

  #createGuards(provider: ServedProvider): PerCaller<Run, LlmGuard> {
    const { config, maker } = this.#options;
    // A conversation may go on in another run, and its results at another provider.
    const memory = createDeniedMemory(machineClock, this.#denied);
    return new PerCaller({
      callerOf: (socket) => maker.callerOf(provider, socket),
      create: (run) => {
        const words = maker.createUserWords(run);
        return new LlmGuard({
          gate: maker.createModelGate(run, memory, { words }),
          offered: maker.createOfferedTools(run),
          secrets: config.llm.mode === 'embedded' ? maker.createModelSecrets(run) : undefined,
          words,
          recordRequests: (counts) => maker.recordModelRequests(run, counts),
          bodies: config.llm.bodies?.areStored === true ? this.#createKeeper(provider, run) : undefined,
        });
      },
    });
  }

  #createKeeper({ name, dialect }: ServedProvider, run: Run): BodyKeeper {
    const { maker, warn } = this.#options;
    return new BodyKeeper({
      now: () => Date.now(),
      finder: () => maker.secretFinder(),
      record: (body) => maker.recordBody(run, { ...body, provider: name, dialect }),
      warn: (line) => warn(`${name}: ${line}`),
    });
  }
}

function keyOf({ name, secret }: Pick<ServedProvider, 'name' | 'secret'>): string {
  return createHash('sha256').update(`${name}\0${secret}`).digest('base64');
}

/** Parts of a path in front of the one that is the provider's: the empty one, `llm`, name and secret. */
const OURS = 4;

/** Takes a request to `/llm/NAME/SECRET…`. What follows goes to the provider as it was sent. */
export function handleLlm(
  routes: LlmRoutes,
  {
    request,
    response,
    target,
  }: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly target: Target },
): void {
  const [, name = '', secret = ''] = target.segments;
  const route = routes.find(name, secret);
  if (route === undefined) {
    refuse(response, 404, 'there is no such LLM provider here: clawai status --json shows the URLs that there are');
    return;
  }
  const rest = target.path
    .split('/')
    .slice(OURS)
    .map((part) => `/${part}`)
    .join('');
  route.handle(request, response, { rest, query: target.query });
}

/** Decides on the requests of one run of an agent. */
export interface Guard {
  handle(request: IncomingMessage, response: ServerResponse, target: Target): void;
  /** The fate of the requests for an answer of a model. */
  requests(): RequestCounts;
  /** Closes the guard when no more requests come; resolves when all is on record. */
  close(): Promise<void>;
}

/** Creates the guard of a run; nothing is opened before the first request. */
export function openGuard(providers: readonly ServedProvider[], options: GateMakerOptions): Guard {
  const maker = new GateMaker(options);
  const { config, warn } = options;
  const routes = new LlmRoutes({ providers, config, maker, warn });
  return {
    handle: (request, response, target) => handleLlm(routes, { request, response, target }),
    requests: () => sumRequests(routes.routes().map(({ route }) => route.requests.report())),
    async close() {
      await routes.close();
      await maker.close();
    },
  };
}

/** All supported LLM APIs, one per dialect. */
export const MODEL_APIS: readonly ModelApi[] = [anthropicApi, openaiApi, geminiApi];
