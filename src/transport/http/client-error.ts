import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { refusalBody } from './refuse.ts';

/** Milliseconds for which what still comes is thrown away, so that the sender gets to read our answer. */
const LINGER = 500;

/** What Node found wrong, as an HTTP status; undefined where there is nobody to tell. */
export function statusOf(error: NodeJS.ErrnoException): number | undefined {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    default:
      return error.code?.startsWith('HPE_') === true ? 400 : undefined;
  }
}

/** Writes an answer to something that is not a request, past Node's HTTP, and closes the connection. */
export function answerRaw(socket: Duplex, status: number, message: string): void {
  const body = refusalBody(status, message);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'content-type: application/json',
      'cache-control: no-store',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
}
