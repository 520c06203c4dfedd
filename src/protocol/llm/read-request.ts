import { isObject, type JsonObject } from './json-object.ts';
import { findKeyProblem } from './json-text.ts';

/**
 * Parses a request's body into an object that all readers read alike.
 *
 * @param text the body, decoded
 * @returns a description of the fault if it is not an object, or ambiguous
 */
export function readRequestBody(text: string): JsonObject | string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'the request is not JSON';
  }
  if (!isObject(body)) return 'the request is no object';
  const problem = findKeyProblem(text);
  if (problem === 'too_deep') return 'the request is nested too deeply';
  return problem === undefined ? body : 'a key occurs twice in the request';
}

/** Tells whether one of these members is not a list, which only some readers accept. */
export function hasOtherThanList(body: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => (body[name] ?? null) !== null && !Array.isArray(body[name]));
}

/**
 * Redacts a URL for people and records: it removes user, query and fragment, which may contain secrets. @param url as in a request, perhaps
 * invalid
 */
export function urlWithoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}
