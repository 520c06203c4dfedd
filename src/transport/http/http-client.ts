import type { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
// Imports the client alone: the package's index is twice as large, and replaces the dispatcher of Node's fetch.
// @ts-expect-error The types are those of the index.
import UntypedClient from 'undici/lib/dispatcher/client.js';

/**
 * Milliseconds that an idle connection is kept; fewer if the server says so. Some servers close theirs after five seconds without saying
 * so.
 */
const IDLE = 4_000;
/** Most bytes of a response's headers. */
const MAX_HEADER_BYTES = 32 * 1024;

const OnlyClient = UntypedClient as typeof Client;

/**
 * Sends requests one after the other over one connection, and opens a new one when it is gone. A request is sent again only if no byte of
 * it was written.
 */
export type HttpClient = Client;
export type HttpRequest = Dispatcher.DispatchOptions;
/** Receives the events of a request. The errors are Node's and undici's. */
export type HttpHandler = Dispatcher.DispatchHandler;
/** Controls a request in flight: pauses and resumes its response, and aborts both. */
export type HttpControl = Dispatcher.DispatchController;

/**
 * @param origin scheme, host and port
 * @param connect opens a connection for HTTP/1.1 and calls back once, with an error or the socket
 */
export function createHttpClient(
  origin: string,
  connect: (done: (error: Error | null, socket: Socket | undefined) => void) => void,
): HttpClient {
  return new OnlyClient(origin, {
    connect: (_options, done) => {
      connect((error, socket) => {
        if (socket === undefined) done(error ?? new Error('no connection'), null);
        else done(null, socket);
      });
    },
    pipelining: 1,
    allowH2: false,
    // Calls may take any time, and streams last for hours.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE,
    keepAliveMaxTimeout: IDLE,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}
