import { isObject, type JsonObject } from './json-object.ts';
import { findKeyProblem } from './json-text.ts';

/**
 * The object that the body of a request is, of which all readers know the same keys.
 *
 * @param text the body, decoded
 * @returns what is wrong, where it is none or readers may differ on it
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

/** Is one of these members something that only some readers take for a list? */
export function hasOtherThanList(body: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => (body[name] ?? null) !== null && !Array.isArray(body[name]));
}

/** A URL as it may be shown and recorded: without user, query and fragment, where secrets are. @param url as a request has it, which need not be one */
export function urlWithoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}
