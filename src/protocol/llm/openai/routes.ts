import type { ApiRoute } from '../model-api.ts';
import { findRoute, OTHER_WORDS, type RouteTable } from '../route-table.ts';

const ROUTES: RouteTable = [
  [/^POST$/, /\/chat\/completions$/, 'answer'],
  // Completions that the provider has stored have their calls in them as they were made, and their bodies have many lines.
  [/^(?!DELETE$)/, /\/chat\/completions(?:\/[^/]+(?:\/messages)?)?$/, 'unguarded'],
  // Nor are those looked at that are made while nobody waits, and fetched later: of xAI, and of Z.ai.
  [/./, /\/(?:deferred-completion|async-result)(?:\/.*)?$/, 'unguarded'],
  // What came of a batch is a file, one answer a line.
  [/^GET$/, /\/files\/[^/]+\/content$/, 'answer_lines'],
  // What has calls in words of its own: the provider's other APIs…
  [/./, /\/(?:responses|conversations|interactions|assistants|threads|realtime|live|chatkit|agents)(?:\/.*)?$/, 'unguarded'],
  // …and what other APIs call the same models by: Anthropic's, Ollama's and Cohere's, those of whoever hosts them, and more.
  [/^POST$/, /\/messages(?:\/batches)?$/, 'unguarded'],
  [/^GET$/, /\/messages\/batches\/[^/]+\/results$/, 'unguarded'],
  [/^POST$/, /\/chat$/, 'unguarded'],
  [/^POST$/, /\/invocations(?:-response-stream)?$/, 'unguarded'],
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
