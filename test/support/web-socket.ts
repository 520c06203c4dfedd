import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket as UntypedSocket, WebSocketServer as UntypedServer } from 'ws';
import type { WebSocket } from '../../src/transport/http/web-socket.ts';
import type { Item, WireEvent } from './response-events.ts';
import { begun, completed, itemEvents } from './response-events.ts';

/** What the package can do besides what the program uses of it. */
export interface TestSocket extends WebSocket {
  send(
    data: Buffer | string,
    options?: { readonly binary?: boolean; readonly fin?: boolean },
    done?: (error?: Error) => void,
  ): void;
}

const Socket = UntypedSocket as unknown as new (url: string, options: object) => TestSocket;
const SocketServer = UntypedServer as unknown as new (options: object) => {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (socket: TestSocket) => void): void;
};

export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

/** A response of a WebSocket in the Responses API: the events of one answer with these items. */
export function answer(items: readonly Item[], more: object = {}, id = 'resp_1', piece = 7): readonly WireEvent[] {
  const events = [...begun(), ...items.flatMap((item, index) => itemEvents(item, index, piece)), completed(items)];
  return events.map((event, sequence_number) => ({
    ...event,
    sequence_number,
    ...('response' in event ? { response: { ...(event['response'] as object), id } } : {}),
    ...more,
  }));
}

/** Stands in for a provider with a WebSocket for its Responses API. */
export class SocketModel {
  /** What each connection was opened with. */
  readonly opened: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** What it was sent. */
  readonly frames: Frame[] = [];
  readonly closed: { readonly code: number; readonly reason: string }[] = [];
  readonly sockets: TestSocket[] = [];
  /** Further headers of the answer that opens a connection. */
  headers: readonly string[] = [];
  /** Answers a request for a WebSocket in place of one. */
  refusal: ((socket: Duplex) => void) | undefined;
  /** Called with each frame. */
  onFrame: (frame: Frame, socket: TestSocket) => void = () => {};
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';

  private constructor(tls: { readonly key: Buffer; readonly cert: Buffer } | undefined) {
    const notFound = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(404).end('{}');
    this.#server = tls === undefined ? createServer(notFound) : createTlsServer(tls, notFound);
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  static async start(tls?: { readonly key: Buffer; readonly cert: Buffer }): Promise<SocketModel> {
    const model = new SocketModel(tls);
    const sockets = new SocketServer({ noServer: true, maxPayload: 1 << 26 });
    (sockets as unknown as EventEmitter).on('headers', (lines: string[]) => lines.push(...model.headers));
    model.#server.on('upgrade', (request, socket: Duplex, head) => {
      socket.on('error', () => {});
      model.opened.push({ url: request.url ?? '', headers: request.headers });
      if (model.refusal !== undefined) return model.refusal(socket);
      sockets.handleUpgrade(request, socket, head, (accepted) => model.#accept(accepted));
    });
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get origin(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers each request for one with the next of these lists of items, and then with none. */
  say(...answers: readonly (readonly Item[])[]): void {
    let at = 0;
    this.onFrame = (frame, socket) => {
      if (frame.type !== 'response.create') return;
      const lane = frame['stream_id'] === undefined ? {} : { stream_id: frame['stream_id'] };
      for (const event of answer(answers[at] ?? [], lane, `resp_${at + 1}`)) socket.send(JSON.stringify(event));
      at++;
    };
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: TestSocket): void {
    this.sockets.push(socket);
    socket.on('error', () => {});
    socket.on('close', (code, reason) => this.closed.push({ code, reason: reason.toString() }));
    socket.on('message', (data) => {
      const frame = JSON.parse(data.toString()) as Frame;
      this.frames.push(frame);
      this.onFrame(frame, socket);
    });
  }
}

/** A client of a WebSocket that keeps what comes. */
export class SocketClient {
  readonly socket: TestSocket;
  readonly frames: Frame[] = [];
  readonly headers: IncomingHttpHeaders;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #came = new EventEmitter();

  private constructor(socket: TestSocket, headers: IncomingHttpHeaders) {
    this.socket = socket;
    this.headers = headers;
    this.closed = new Promise((resolve) => socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })));
    socket.on('error', () => {});
    socket.on('message', (data) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      this.#came.emit('frame');
    });
  }

  /** @param url of http, which becomes one of ws */
  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SocketClient> {
    const beta = { 'openai-beta': 'responses_websockets=2026-02-06' };
    const socket = new Socket(url.replace(/^http/, 'ws'), { headers: { ...beta, ...headers }, perMessageDeflate: true });
    let opened: IncomingHttpHeaders = {};
    socket.on('upgrade', (response) => (opened = response.headers));
    const client = new SocketClient(socket, opened);
    await once(socket, 'open');
    Object.assign(client.headers, opened);
    return client;
  }

  /** Asks for a WebSocket where none is to be had, and returns the answer. */
  static async refused(
    url: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
    const socket = new Socket(url.replace(/^http/, 'ws'), { headers });
    socket.on('error', () => {});
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    let body = '';
    for await (const part of response) body += String(part);
    return { status: response.statusCode, headers: response.headers, body };
  }

  send(frame: object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Asks for an answer. */
  create(more: object = {}): void {
    this.send({ type: 'response.create', model: 'm', input: 'Do it.', ...more });
  }

  /** Returns what came up to a frame of this type, which did not come before. */
  async until(type: string): Promise<readonly Frame[]> {
    for (;;) {
      const at = this.frames.findIndex((frame) => frame.type === type);
      if (at !== -1) return this.frames.splice(0, at + 1);
      await once(this.#came, 'frame');
    }
  }

  /** Asks for an answer, and returns its events. */
  ask(more: object = {}): Promise<readonly Frame[]> {
    this.create(more);
    return this.until('response.completed');
  }
}

/** The items of an answer as each event shows them: at their beginnings, their ends, and in the whole answer. */
export function itemsIn(frames: readonly Frame[]): { begun: readonly Item[]; done: readonly Item[]; whole: readonly Item[] } {
  const items = (type: string): readonly Item[] => frames.filter((frame) => frame.type === type).map(({ item }) => item as Item);
  const whole = frames.findLast(({ type }) => type === 'response.completed')?.['response'] as {
    readonly output: readonly Item[];
  };
  return { begun: items('response.output_item.added'), done: items('response.output_item.done'), whole: whole.output };
}
