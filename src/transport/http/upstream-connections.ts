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

/** A connection, and the one after it where it is gone. */
interface Lane extends RequestPlace {
  readonly client: HttpClient;
  /** Of the request that is on its way. */
  handler: UpstreamHandler | undefined;
  /** Has its last response ended in this very turn? */
  isFresh: boolean;
}

/**
 * Connections to one server, as many as there are requests at a time. Undici's Pool would do, but counts a connection as busy for a
 * turn after its response, so that who asks again at once gets a second one; here that request waits for the turn to end.
 */
export class UpstreamConnections {
  readonly #options: UpstreamConnectionsOptions;
  readonly #lanes = new Set<Lane>();
  /** The one used last is used next, so that those too many can close. */
  #free: Lane[] = [];
  /** Those whose last response has ended in this turn. */
  readonly #fresh: Lane[] = [];

  constructor(options: UpstreamConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Sends a request. Where the connection turns out to be closed before a byte is written, it goes over another one; after that never.
   * Whatever comes of it, the handler hears.
   */
  dispatch(request: HttpRequest, handler: UpstreamHandler): void {
    const lane = this.#take();
    lane.handler = handler;
    handler.place = lane;
    if (!lane.isFresh) lane.client.dispatch(request, handler);
    // Some servers close after a response without having said so: what they do in the next turn is looked at before anything is written.
    else setImmediate(() => void lane.client.dispatch(request, handler));
  }

  /** Closes all connections, also those with a request on its way. Later requests get new ones. */
  close(fault: UpstreamFault): void {
    const lanes = [...this.#lanes];
    this.#lanes.clear();
    this.#free = [];
    for (const { client } of lanes) void client.destroy(fault);
  }

  #take(): Lane {
    const settled = this.#free.findLastIndex(({ isFresh }) => !isFresh);
    // Where there is none, that is -1, and counts from the end: one of this turn, or nothing.
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

/** A body that lasts until the connection ends has not come to its end where the connection breaks; undici takes one for the other. */
function watch(socket: Socket, lane: Lane): void {
  socket.on('error', (error) => lane.handler?.breakResponse(error));
}
