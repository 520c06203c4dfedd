import type { ApiRoute } from '../model-api.ts';
import { plainPath } from '../plain-path.ts';

/** By method and path behind the base path. */
const ROUTES: readonly (readonly [method: RegExp, path: RegExp, route: ApiRoute])[] = [
  [/^POST$/, /\/chat\/completions$/, 'answer'],
  // Completions that the provider has stored have their calls in them as they were made, and their bodies have many lines.
  [/^(?:GET|POST)$/, /\/chat\/completions(?:\/[^/]+(?:\/messages)?)?$/, 'unguarded'],
  // What came of a batch is a file, one answer a line.
  [/^GET$/, /\/files\/[^/]+\/content$/, 'answer_lines'],
  // What has calls in words of its own: the provider's other APIs…
  [/./, /\/(?:responses|conversations|assistants|threads|realtime|live|chatkit|agents)(?:\/.*)?$/, 'unguarded'],
  // …and what other APIs call the same models by: Anthropic's, Gemini's and Vertex's, Bedrock's, Ollama's.
  [/^POST$/, /\/messages(?:\/batches)?$/, 'unguarded'],
  [/^GET$/, /\/messages\/batches\/[^/]+\/results$/, 'unguarded'],
  [/^POST$/, /:(?:stream)?(?:raw_?predict|generate_?content)$/, 'unguarded'],
  [/^POST$/, /\/model\/[^/]+\/(?:invoke|converse)[a-z-]*$/, 'unguarded'],
  [/^POST$/, /\/api\/chat$/, 'unguarded'],
];

/**
 * What a request asks for. A path counts as what the most lenient server takes it for.
 *
 * @param path with any base path in front, whichever it is; a query behind it does not count
 */
export function routeOf(method: string, path: string): ApiRoute {
  const plain = plainPath(path);
  return ROUTES.find(([methods, paths]) => methods.test(method.toUpperCase()) && paths.test(plain))?.[2] ?? 'other';
}
