import type { ApiRoute } from '../model-api.ts';
import { findRoute, OTHER_WORDS, type RouteTable } from '../route-table.ts';

const ROUTES: RouteTable = [
  [/^POST$/, /\/v1\/messages$/, 'answer'],
  [/^POST$/, /\/v1\/messages\/count_tokens$/, 'count'],
  [/^POST$/, /\/v1\/messages\/batches$/, 'batch'],
  [/^GET$/, /\/v1\/messages\/batches\/[^/]+\/results$/, 'answer_lines'],
  [/^(GET|POST)$/, /\/v1\/messages\/batches(\/[^/]+(\/cancel)?)?$/, 'batch_state'],
  // What agents that the provider runs have clients call.
  [/./, /\/v1\/sessions\/[^/]+\/(?:threads\/[^/]+\/)?(?:events|stream|events\/stream)$/, 'unguarded'],
  // The same models in the words of OpenAI's APIs.
  [/^POST$/, /\/(?:chat\/completions|responses)$/, 'unguarded'],
  ...OTHER_WORDS,
];

/**
 * What a request asks for.
 *
 * @param path with any base path before `/v1/`; a query behind it does not count
 */
export function routeOf(method: string, path: string): ApiRoute {
  return findRoute(ROUTES, method, path);
}
