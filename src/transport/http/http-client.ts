import type { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
// The client alone: the package's index has twice as much, and puts a dispatcher of its own in place of the one of Node's fetch.
// @ts-expect-error The types are of the index.
import UntypedClient from 'undici/lib/dispatcher/client.js';

/** Milliseconds that a connection is kept for the next request; fewer where the server says so. Some servers close theirs after five seconds, unsaid. */
const IDLE = 4_000;
/** Of a response. */
const MAX_HEADER_BYTES = 32 * 1024;

const OnlyClient = UntypedClient as typeof Client;

/**
 * Sends requests over one connection at a time, one after the other, and opens the next one where the last is gone. A request of which
 * no byte was written goes over that; no other is sent twice.
 */
export type HttpClient = Client;
export type HttpRequest = Dispatcher.DispatchOptions;
/** What is told about a request. The errors are Node's and undici's. */
export type HttpHandler = Dispatcher.DispatchHandler;
/** A request on its way: its response is paused and resumed here, and both are given up. */
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
    // Calls take as long as they take, and streams last for hours.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE,
    keepAliveMaxTimeout: IDLE,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}
