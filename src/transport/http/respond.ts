import type { IncomingMessage, ServerResponse } from 'node:http';

/** Most bytes that are copied so as to go out in one system call with the head; copying more is not worthwhile. */
const MOST_COPIED = 16 * 1024;

/** JSON-RPC 2.0, 5.1: invalid request, and internal error. */
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;
/** Milliseconds for which the rest of a body is discarded, so that the sender reads our answer before it sees a closed connection. */
const LINGER = 500;

/**
 * Answers a request with a JSON-RPC error without id. Closes the connection if the request's body was not fully read. Does nothing if an
 * answer has begun.
 *
 * @param message for people; becomes part of the body
 * @param extraHeaders by name
 */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = refusalBody(status, message);
  const request = response.req;
  const isUnread = !request.complete && hasBody(request);
  if (isUnread) response.setHeader('connection', 'close');
  for (const [name, value] of Object.entries(extraHeaders)) response.setHeader(name, value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
  });
  if (!isUnread) {
    response.end(body);
    return;
  }
  // Closing a connection with unread bytes resets it, and the reset may overtake the answer.
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER);
  request.once('end', end).once('close', end).resume();
}

/** Formats the body of a refusal with this HTTP status: a JSON-RPC error. */
export function refusalBody(status: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: status < 500 ? INVALID_REQUEST : INTERNAL_ERROR, message } });
}

/** Tells whether a request announces a body of at least one byte. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Tells whether an answer has begun after which the connection is closed. */
export function isLastAnswer(response: ServerResponse): boolean {
  return response.headersSent && response.getHeader('connection') === 'close';
}

/**
 * Sends head and body. A small body goes out together with its head: Node joins it to the head if it is Latin-1 text, which stands for the
 * same bytes.
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

/** Sends our own JSON text. */
export function sendJson(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  sendWhole(response, { status, headers: ['content-type', 'application/json', 'content-length', String(body.length)], body });
}
