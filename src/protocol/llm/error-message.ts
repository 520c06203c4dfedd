import { isObject } from './json-object.ts';

/** Returns the message of an API's error. @returns undefined if the body is not such an error */
export function errorMessageIn(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The body may be a page for people.
    return undefined;
  }
  const error = isObject(value) ? value['error'] : undefined;
  const message = isObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : undefined;
}
