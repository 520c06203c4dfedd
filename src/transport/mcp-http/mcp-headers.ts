import type { IncomingHttpHeaders } from 'node:http';

/** Visible ASCII, as the specification has it (MCP 2025-03-26, session management); and no honest server's is longer. */
const SESSION = /^[\x21-\x7e]{1,1024}$/;

export const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';
const CONTENT_TYPE = 'content-type';

/**
 * The type of a body, in lower case and without parameters; empty where none is said. Several are all named, so that they are none that is
 * known: who sends two has two readers see two bodies.
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

/** Nothing, or the one encoding in which JSON and events are judged (RFC 8259 8.1; the specification of server-sent events, 9.2.5). */
const PARAMETERS = /^[^;]*(?:;\s*charset=("?)utf-?8\1\s*)?$/i;

/**
 * A Content-Type under which nobody reads anything else than what was judged: without parameters other than UTF-8's. Some readers decode by
 * the charset that they are told, and in UTF-7 or EBCDIC the same bytes are other messages; some look for a type's name anywhere in the header.
 */
export function asJudged(value: string): string {
  if (value === JSON_TYPE) return value;
  return PARAMETERS.test(value) ? value : (value.split(';')[0] ?? '').trim();
}

/** Does a Content-Type name a charset other than UTF-8? */
export function namesOtherCharset(value: string): boolean {
  if (value === JSON_TYPE) return false;
  return /charset/i.test(value) && !PARAMETERS.test(value);
}

/** The session that a request or response says it is of; undefined where it says none. */
export function sessionOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' && SESSION.test(id) ? id : undefined;
}
