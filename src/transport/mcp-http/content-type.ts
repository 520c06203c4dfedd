export const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';

/**
 * The type of a body, in lower case and without parameters; empty where none is said. Several are all named, so that they are none that is
 * known: who sends two has two readers see two bodies.
 */
export function contentTypeOf({ rawHeaders }: { readonly rawHeaders: readonly string[] }): string {
  const types: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'content-type') continue;
    types.push((rawHeaders[at + 1] ?? '').split(';')[0]?.trim().toLowerCase() ?? '');
  }
  return types.join(', ');
}
