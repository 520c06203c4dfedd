import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestCounts } from '../../gate/body-record.ts';
import type { ServedProvider } from '../../remote/served-provider.ts';
import type { Target } from '../../transport/http/target.ts';
import { sumRequests } from '../../transport/llm/model-requests.ts';
import { GateMaker, type GateMakerOptions } from './gate-maker.ts';
import { handleLlm } from './llm-handler.ts';
import { LlmRoutes } from './llm-routes.ts';

/** What decides for one run of an agent. */
export interface Guard {
  handle(request: IncomingMessage, response: ServerResponse, target: Target): void;
  /** The fate of the requests for an answer of a model. */
  requests(): RequestCounts;
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
    requests: () => sumRequests(routes.routes().map(({ route }) => route.requests.report())),
    async close() {
      await routes.close();
      await maker.close();
    },
  };
}
