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
 * What a request asks for. A path counts as what the most lenient server takes it for: in other letters, with escapes, with
 * slashes and dots too many.
 *
 * @param path with any base path before `/v1/`; a query behind it does not count
 */
export function routeOf(method: string, path: string): AnthropicRoute {
  const plain = plainPath(path);
  return ROUTES.find(([methods, paths]) => methods.test(method.toUpperCase()) && paths.test(plain))?.[2] ?? 'other';
}

function plainPath(path: string): string {
  const escaped = (path.split(/[?#]/, 1)[0] ?? '').replaceAll('\\', '/');
  const segments: string[] = [];
  for (const segment of decode(escaped).toLowerCase().split('/')) {
    if (segment === '..') segments.pop();
    // What is behind a semicolon is a parameter to some servers, and no part of the name.
    else if (segment !== '' && segment !== '.') segments.push(segment.replace(/;.*$/, ''));
  }
  return `/${segments.join('/')}`;
}

function decode(path: string): string {
  // Escapes of what is no UTF-8 stand for nothing that a route has.
  return path.replaceAll(/%([0-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
