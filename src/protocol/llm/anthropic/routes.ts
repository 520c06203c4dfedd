import { plainPath } from '../plain-path.ts';

/** What a request asks of the Messages API. */
export type AnthropicRoute =
  | 'messages'
  | 'count_tokens'
  | 'batches'
  | 'batch_state'
  | 'batch_results'
  | 'complete'
  | 'other_dialect'
  | 'other';

/** By method and path behind the base path. */
const ROUTES: readonly (readonly [method: RegExp, path: RegExp, route: AnthropicRoute])[] = [
  [/^POST$/, /\/v1\/messages$/, 'messages'],
  [/^POST$/, /\/v1\/messages\/count_tokens$/, 'count_tokens'],
  [/^POST$/, /\/v1\/messages\/batches$/, 'batches'],
  [/^GET$/, /\/v1\/messages\/batches\/[^/]+\/results$/, 'batch_results'],
  [/^(GET|POST)$/, /\/v1\/messages\/batches(\/[^/]+(\/cancel)?)?$/, 'batch_state'],
  [/^POST$/, /\/v1\/complete$/, 'complete'],
  // The same models in the words of other APIs: OpenAI's, Vertex's and Gemini's, Bedrock's.
  [/^POST$/, /\/(?:chat\/completions|responses)$/, 'other_dialect'],
  [/^POST$/, /:(?:stream)?(?:raw_?predict|generate_?content)$/, 'other_dialect'],
  [/^POST$/, /\/model\/[^/]+\/(?:invoke|converse)[a-z-]*$/, 'other_dialect'],
];

/**
 * What a request asks for. A path counts as what the most lenient server takes it for.
 *
 * @param path with any base path before `/v1/`; a query behind it does not count
 */
export function routeOf(method: string, path: string): AnthropicRoute {
  const plain = plainPath(path);
  return ROUTES.find(([methods, paths]) => methods.test(method.toUpperCase()) && paths.test(plain))?.[2] ?? 'other';
}
