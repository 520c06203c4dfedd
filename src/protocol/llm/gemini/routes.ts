import type { ApiRoute } from '../model-api.ts';
import { plainPath } from '../plain-path.ts';

/** A model or what stands for one: of the Gemini API, of Vertex with a project or without, tuned, or deployed. */
const MODEL = String.raw`/(?:models|tunedmodels|endpoints|dynamic)/[^/]+:`;

/** By path behind the base path; a method says nothing, since a header may say another one. */
const ROUTES: readonly (readonly [path: RegExp, route: ApiRoute])[] = [
  // The same models in the words of other APIs: OpenAI's, Anthropic's, Google's own for steps, agents and what is spoken.
  [/\/openai\//, 'unguarded'],
  [/\/(?:chat\/completions|responses|messages)$/, 'unguarded'],
  [/\/publishers\/(?!google\/)[^/]+\/models\//, 'unguarded'],
  [/:(?:stream_?)?(?:direct_?)?raw_?predict$|:(?:server_?streaming_?|(?:stream_?)?direct_?)predict$/, 'unguarded'],
  // Whoever hosts a model may have it answer in words of its own, or in OpenAI's.
  [/\/endpoints\/[^/]+:predict$/, 'unguarded'],
  [/\/interactions(?:[/:]|$)/, 'unguarded'],
  [/\/reasoningengines\/[^/]+:/, 'unguarded'],
  [/bidigeneratecontent/, 'unguarded'],
  // By the names of methods, where the path is not that of a resource.
  [/\/[a-z0-9.]*(?:generative|prediction)service\//, 'unguarded'],
  // Many answers at once, which clients fetch elsewhere, and the files that they are in.
  [/:batchgeneratecontent$/, 'unguarded'],
  [/\/batch(?:es|predictionjobs)(?:[/:]|$)/, 'unguarded'],
  // Requests of any kind in one: what Google's discovery documents call `batchPath`.
  [/\/batch(?:\/|$)/, 'unguarded'],
  [/\/download\/|\/files\/[^/]+:download$/, 'unguarded'],
  [new RegExp(`${MODEL}(?:stream)?generatecontent$`), 'answer'],
  [new RegExp(`${MODEL}counttokens$`), 'count'],
  // Tools that later requests have without saying so.
  [/\/cachedcontents$/, 'count'],
  [/:(?:stream)?generatecontent$/, 'unguarded'],
];

const ARRAY_STREAM = /:streamgeneratecontent$/;

/**
 * What a request asks for. A path counts as what the most lenient server takes it for.
 *
 * @param path with any base path before its version; a query behind it does not count
 */
export function routeOf(path: string): ApiRoute {
  const plain = plainPath(path);
  return ROUTES.find(([paths]) => paths.test(plain))?.[1] ?? 'other';
}

/** Does the API stream its answers there as the elements of an array, where nothing else was asked for? */
export function isArrayStream(path: string): boolean {
  return ARRAY_STREAM.test(plainPath(path));
}
