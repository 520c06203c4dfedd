import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServedProvider } from '../../remote/served-provider.ts';
import type { Target } from '../../transport/http/target.ts';
import { GateMaker, type GateMakerOptions } from '../serve/gate-maker.ts';
import { handleLlm } from './llm-handler.ts';
import { LlmRoutes } from './llm-routes.ts';

/** How many requests for an answer of a model came by: those that were looked at, and those that nobody could look at. */
export interface Looked {
  readonly looked: number;
  readonly refused: number;
}

/** What decides for one run of an agent. */
export interface Guard {
  handle(request: IncomingMessage, response: ServerResponse, target: Target): void;
  looked(): Looked;
  /** To be called when no more requests come; resolves when all is on record. */
  close(): Promise<void>;
}

/** Nothing is opened before the first request. */
export function openGuard(providers: readonly ServedProvider[], options: GateMakerOptions): Guard {
  const maker = new GateMaker(options);
  const { config, warn } = options;
  const routes = new LlmRoutes({ providers, config, maker, warn });
  return {
    handle: (request, response, target) => handleLlm(routes, { request, response, target }),
    looked: () => {
      const all = routes.routes();
      const sum = (kind: keyof Looked): number => all.reduce((before, { route }) => before + route[kind], 0);
      return { looked: sum('looked'), refused: sum('refused') };
    },
    async close() {
      await routes.close();
      await maker.close();
    },
  };
}
