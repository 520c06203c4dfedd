import type { ServerResponse } from 'node:http';

/** Bytes that are copied to go out in one system call along with the head; more are not worth it. */
const MOST_COPIED = 16 * 1024;

/**
 * Sends head and body. A small body goes out together with its head: as Latin-1 text, which stands for the same bytes, Node joins the two.
 *
 * @param headers name, value, name, value; with the body's length
 */
export function sendWhole(
  response: ServerResponse,
  { status, headers, body }: { readonly status: number; readonly headers: string[]; readonly body: Buffer },
): void {
  response.writeHead(status, headers);
  if (body.length === 0) response.end();
  else if (body.length > MOST_COPIED) response.end(body);
  else response.end(body.toString('latin1'), 'latin1');
}
