import type { ApiRoute } from '../model-api.ts';
import { findRoute, OTHER_WORDS, type RouteTable } from '../route-table.ts';

const ROUTES: RouteTable = [
  [/^POST$/, /\/chat\/completions$/, 'answer'],
  // Completions that the provider has stored have their calls in them as they were made, and their bodies have many lines.
  [/^(?:GET|POST)$/, /\/chat\/completions(?:\/[^/]+(?:\/messages)?)?$/, 'unguarded'],
  // What came of a batch is a file, one answer a line.
  [/^GET$/, /\/files\/[^/]+\/content$/, 'answer_lines'],
  // What has calls in words of its own: the provider's other APIs…
  [/./, /\/(?:responses|conversations|assistants|threads|realtime|live|chatkit|agents)(?:\/.*)?$/, 'unguarded'],
  // …and what other APIs call the same models by: Anthropic's, Ollama's, and more.
  [/^POST$/, /\/messages(?:\/batches)?$/, 'unguarded'],
  [/^GET$/, /\/messages\/batches\/[^/]+\/results$/, 'unguarded'],
  [/^POST$/, /\/api\/chat$/, 'unguarded'],
  ...OTHER_WORDS,
];

/**
 * What a request asks for.
 *
 * @param path with any base path in front, whichever it is; a query behind it does not count
 */
export function routeOf(method: string, path: string): ApiRoute {
  return findRoute(ROUTES, method, path);
}
