import type { Socket } from 'node:net';
import { connect } from './connect.ts';
import { type HttpClient, type HttpRequest, createHttpClient } from './http-client.ts';
import type { UpstreamFault } from './upstream-fault.ts';
import type { RequestPlace, UpstreamHandler } from './upstream-handler.ts';

export interface UpstreamConnectionsOptions {
  readonly url: URL;
  readonly tlsFingerprint: string | undefined;
  /** Milliseconds. */
  readonly connectTimeout: number;
}

/** A connection, and its successors once it is gone. */
interface Lane extends RequestPlace {
  readonly client: HttpClient;
  /** The handler of the request in flight. */
  handler: UpstreamHandler | undefined;
  /** True if its last response ended in this turn. */
  isFresh: boolean;
}

/**
 * Connections to one server, as many as there are concurrent requests. Undici's Pool counts a connection as busy for a turn after its
 * response, so an immediate next request would open a second one; here that request waits for the turn to end.
 */
export class UpstreamConnections {
  readonly #options: UpstreamConnectionsOptions;
  readonly #lanes = new Set<Lane>();
  /** Free lanes; the last used is reused first, so that surplus ones can close. */
  #free: Lane[] = [];
  /** Lanes whose last response ended in this turn. */
  readonly #fresh: Lane[] = [];

  constructor(options: UpstreamConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Sends a request. If the connection turns out to be closed before a byte is written, another one is used; after that never. The handler
   * receives every outcome.
   */
  dispatch(request: HttpRequest, handler: UpstreamHandler): void {
    const lane = this.#take();
    lane.handler = handler;
    handler.place = lane;
    if (!lane.isFresh) lane.client.dispatch(request, handler);
    // Some servers close after a response without announcing it, so the next turn's events are awaited before anything is written.
    else setImmediate(() => void lane.client.dispatch(request, handler));
  }

  /** Closes all connections, even those with a request in flight. Later requests get new ones. */
  close(fault: UpstreamFault): void {
    const lanes = [...this.#lanes];
    this.#lanes.clear();
    this.#free = [];
    for (const { client } of lanes) void client.destroy(fault);
  }

  #take(): Lane {
    const settled = this.#free.findLastIndex(({ isFresh }) => !isFresh);
    // -1 takes the last element: a lane of this turn, or nothing.
    return this.#free.splice(settled, 1)[0] ?? this.#open();
  }

  #release(lane: Lane): void {
    lane.handler = undefined;
    if (!this.#lanes.has(lane)) return;
    this.#free.push(lane);
    lane.isFresh = true;
    this.#fresh.push(lane);
    if (this.#fresh.length > 1) return;
    setImmediate(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    for (const lane of this.#fresh) lane.isFresh = false;
    this.#fresh.length = 0;
  };

  #open(): Lane {
    const { url, tlsFingerprint, connectTimeout } = this.#options;
    const lane: Lane = {
      client: createHttpClient(url.origin, (done) => {
        connect({ url, tlsFingerprint, timeout: connectTimeout }, (fault, socket) => {
          if (socket !== undefined) watch(socket, lane);
          done(fault, socket);
        });
      }),
      handler: undefined,
      isFresh: false,
      release: () => this.#release(lane),
    };
    const forget = (): void => {
      if (lane.handler !== undefined) return;
      this.#lanes.delete(lane);
      this.#free = this.#free.filter((free) => free !== lane);
    };
    lane.client.on('disconnect', forget).on('connectionError', forget);
    this.#lanes.add(lane);
    return lane;
  }
}

/** Reports a broken socket to its response: undici takes the break for the end of a body that lasts until the connection closes. */
function watch(socket: Socket, lane: Lane): void {
  socket.on('error', (error) => lane.handler?.breakResponse(error));
}
