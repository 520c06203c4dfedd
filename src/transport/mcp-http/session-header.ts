import type { IncomingHttpHeaders } from 'node:http';

/** Visible ASCII, as the specification has it (MCP 2025-03-26, session management); and no honest server's is longer. */
const SESSION = /^[\x21-\x7e]{1,1024}$/;

/** The session that a request or response says it is of; undefined where it says none. */
export function sessionOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' && SESSION.test(id) ? id : undefined;
}
