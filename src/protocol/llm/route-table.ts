import type { ApiRoute } from './model-api.ts';
import { plainPath } from './plain-path.ts';

/** What requests ask for, by method and path; the first that fits counts. The path is one that `plainPath` made, with any base path in front. */
export type RouteTable = readonly (readonly [method: RegExp, path: RegExp, route: ApiRoute])[];

/** What other APIs ask the same models by: Vertex's and Gemini's, Bedrock's. */
export const OTHER_WORDS: RouteTable = [
  [/^POST$/, /:(?:stream)?(?:raw_?predict|generate_?content)$/, 'unguarded'],
  [/^POST$/, /\/model\/[^/]+\/(?:invoke|converse)[a-z-]*$/, 'unguarded'],
];

/** A path counts as what the most lenient server takes it for. @param path a query behind it does not count */
export function findRoute(table: RouteTable, method: string, path: string): ApiRoute {
  const plain = plainPath(path);
  return table.find(([methods, paths]) => methods.test(method.toUpperCase()) && paths.test(plain))?.[2] ?? 'other';
}
