import type { IncomingHttpHeaders } from 'node:http';

/** Matches a session id: visible ASCII, as specified (MCP 2025-03-26, session management), and no longer than any honest server's. */
const SESSION = /^[\x21-\x7e]{1,1024}$/;

export const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';

/** The method that begins a session, in JSON. */
export const GREETING = '"initialize"';

const CONTENT_TYPE = 'content-type';

/**
 * Returns the content type of a body, in lower case and without parameters; empty if there is none. Several types are joined, so that they
 * match no known one: two readers would read such a body differently.
 */
export function contentTypeOf({ rawHeaders }: { readonly rawHeaders: readonly string[] }): string {
  const types: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== CONTENT_TYPE.length || name.toLowerCase() !== CONTENT_TYPE) continue;
    types.push((rawHeaders[at + 1] ?? '').split(';')[0]?.trim().toLowerCase() ?? '');
  }
  return types.length === 1 ? (types[0] ?? '') : types.join(', ');
}

/**
 * Matches no parameters, or the one charset in which JSON and events are judged (RFC 8259 8.1; the specification of server-sent events,
 * 9.2.5).
 */
const PARAMETERS = /^[^;]*(?:;\s*charset=("?)utf-?8\1\s*)?$/i;

/**
 * Returns a Content-Type under which every reader reads what was judged: without parameters, except for UTF-8. Some readers decode by the
 * given charset, and in UTF-7 or EBCDIC the same bytes are other messages; some search for a type's name anywhere in the header.
 */
export function asJudged(value: string): string {
  if (value === JSON_TYPE) return value;
  return PARAMETERS.test(value) ? value : (value.split(';')[0] ?? '').trim();
}

/** Tells whether a Content-Type names a charset other than UTF-8. */
export function namesOtherCharset(value: string): boolean {
  if (value === JSON_TYPE) return false;
  return /charset/i.test(value) && !PARAMETERS.test(value);
}

/** Tells whether a status makes a client of both transports try the older one (MCP 2025-11-25, "Backwards Compatibility"). */
export function mayBeOlder(status: number): boolean {
  return status === 400 || status === 404 || status === 405;
}

/** Returns the session that a request or response names; undefined if there is none. */
export function sessionOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' && SESSION.test(id) ? id : undefined;
}
