import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket as UntypedSocket, WebSocketServer as UntypedServer } from 'ws';
import { hasForbiddenCharacter, OF_HANDSHAKE, toDownstreamHeaders } from './headers.ts';
import type { UpgradeResponse } from './upgrade-response.ts';
import { toConnectFault, UpstreamFault } from './upstream-fault.ts';
import type { Upstream } from './upstream.ts';

/** Milliseconds for the other side's part of a handshake: at the beginning, and at the end. */
const LIMITS = { opening: 30_000, closing: 2_000 } as const;

/** Most bytes that wait for a reader before it counts as behind. */
const MOST_UNSENT = 1024 * 1024;

/** The part of a WebSocket that is used here. It is paused until its user resumes it. */
export interface WebSocket extends EventEmitter<SocketEvents> {
  readonly readyState: 0 | 1 | 2 | 3;
  /** Bytes that were sent here and not yet by the system. */
  readonly bufferedAmount: number;
  readonly isPaused: boolean;
  send(data: Buffer | string, options: { readonly binary: boolean }, done?: (error?: Error) => void): void;
  ping(data: Buffer): void;
  pong(data: Buffer): void;
  close(code?: number, reason?: string | Buffer): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}

interface SocketEvents {
  message: [data: Buffer, isBinary: boolean];
  ping: [data: Buffer];
  pong: [data: Buffer];
  /** The code is 1005 if the frame had none, and 1006 if none came. */
  close: [code: number, reason: Buffer];
  error: [error: Error & { readonly code?: string }];
  open: [];
  upgrade: [response: IncomingMessage];
  'unexpected-response': [request: { destroy(): void }, response: IncomingMessage];
}

const Socket = UntypedSocket as unknown as new (url: URL, options: object) => WebSocket;
const Server = UntypedServer as unknown as new (options: object) => EventEmitter<{ headers: [headers: string[]] }> & {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (socket: WebSocket) => void): void;
};

/** Common options of both sides. Pings are passed on, so that each side's pongs come from the other one. */
const COMMON = { perMessageDeflate: false, autoPong: false, closeTimeout: LIMITS.closing } as const;

interface OpenOptions {
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Name, value, name, value, without those of the handshake. */
  readonly headers: readonly string[];
  /** Most bytes of a message. */
  readonly maxMessage: number;
  readonly signal: AbortSignal;
}

/** An open connection with the headers of the answer that opened it, or any other answer. */
export type OpenedSocket =
  | { readonly socket: WebSocket; readonly rawHeaders: readonly string[] }
  | { readonly refusal: IncomingMessage };

/** Opens a WebSocket at a remote server. Rejects with an UpstreamFault, or with the reason of the abort. */
export function openWebSocket(upstream: Upstream, { path, headers, maxMessage, signal }: OpenOptions): Promise<OpenedSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenedSocket>();
  if (hasForbiddenCharacter(headers)) {
    reject(new UpstreamFault('protocol', `cannot reach ${upstream.origin}: a header has a character that HTTP does not allow`));
    return promise;
  }
  const socket = new Socket(new URL(path, upstream.origin.replace(/^http/, 'ws')), {
    ...COMMON,
    headers: toRecord(headers),
    handshakeTimeout: LIMITS.opening,
    maxPayload: maxMessage,
    createConnection: (_options: object, done: (error: Error | null, connection?: Duplex) => void) => upstream.connect(done),
  });
  let rawHeaders: readonly string[] = [];
  const give = (reason: unknown): void => {
    reject(reason);
    socket.terminate();
  };
  const abort = (): void => give(signal.reason);
  signal.addEventListener('abort', abort);
  const isTls = upstream.origin.startsWith('https:');
  socket.on('upgrade', (answer) => (rawHeaders = answer.rawHeaders));
  socket.on('error', (error) => {
    // Only the package's own errors have no code.
    if ('code' in error || error instanceof UpstreamFault) reject(toConnectFault(error, upstream.origin, isTls));
    else reject(new UpstreamFault('protocol', `cannot open a WebSocket at ${upstream.origin}: ${error.message}`));
  });
  socket.on('unexpected-response', (_request, refusal) => resolve({ refusal }));
  socket.on('open', () => {
    // Frames may be there already, and nobody reads them yet.
    socket.pause();
    resolve({ socket, rawHeaders });
  });
  if (signal.aborted) abort();
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

/**
 * Makes the connection of a request a WebSocket. If the request is no valid handshake it is answered, and the result is undefined.
 *
 * @param of `rawHeaders`: of the answer that opened the other side
 */
export function acceptWebSocket(
  request: IncomingMessage,
  response: UpgradeResponse,
  { rawHeaders, maxMessage }: { readonly rawHeaders: readonly string[]; readonly maxMessage: number },
): WebSocket | undefined {
  const server = new Server({ ...COMMON, noServer: true, clientTracking: false, maxPayload: maxMessage });
  const added = toDownstreamHeaders(rawHeaders, { isRewritten: true });
  server.on('headers', (lines) => {
    for (let at = 0; at + 1 < added.length; at += 2) {
      if (!OF_HANDSHAKE.has(added[at]?.toLowerCase() ?? '')) lines.push(`${added[at]}: ${added[at + 1]}`);
    }
  });
  let accepted: WebSocket | undefined;
  server.handleUpgrade(request, response.takeSocket(), response.head, (socket) => {
    socket.pause();
    accepted = socket;
  });
  return accepted;
}

/** Tells whether the other side is behind, so that further messages pile up. */
export function isBehind({ bufferedAmount }: WebSocket): boolean {
  return bufferedAmount > MOST_UNSENT;
}

export function isOpen({ readyState }: WebSocket): boolean {
  return readyState === 1;
}

/** Tells whether an endpoint may send a close frame with this code (RFC 6455, 7.4). */
export function isClosingCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
}

function toRecord(headers: readonly string[]): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const known = record[name];
    const value = headers[at + 1] ?? '';
    record[name] = known === undefined ? value : [known, value].flat();
  }
  return record;
}
