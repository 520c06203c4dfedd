import type { Met } from '../../protocol/eras/meeting.ts';
import { findMember, replaceSpan } from '../../protocol/eras/splice.ts';
import { errorLine, requestLine } from '../../protocol/eras/translation.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { idText, INTERNAL_ERROR, readBatch, readLine } from '../../protocol/jsonrpc.ts';
import { SUBSCRIPTION_ID_KEY } from '../../protocol/mcp/methods.ts';
import type { Message, Span } from '../../protocol/message.ts';
import type { UpstreamRequest } from '../http/upstream.ts';
import { type UpstreamResponse, wholeResponse } from '../http/upstream-response.ts';
import { createIds } from './era-question.ts';
import { TranslatedPeer, type TranslatedPeerOptions } from './translated-peer.ts';
import { WrittenResponse } from './written-response.ts';

export interface TranslatedServerOptions extends Omit<
  TranslatedPeerOptions,
  'headers' | 'toClient' | 'lost' | 'scanner' | 'newId'
> {
  /** The session that the client of the legacy era gets; undefined for clients of the modern era, which have none. */
  readonly session: string | undefined;
  /** Called when the conversation is over: the server has ended it, or speaks another era by now. */
  readonly onEnd: () => void;
}

/** Most messages that wait for a client to listen. */
const MOST_EARLY = 100;

/** Headers of a client's request that are not for the server's other era. */
const OF_ONE_MESSAGE = new Set(['host', 'accept', 'accept-encoding', 'content-type', 'content-length', 'last-event-id']);

/** A request of the client's, or a batch of them, while it is answered. */
interface Exchange {
  readonly response: WrittenResponse;
  /** Ids of the requests without an answer, as the translation knows them, as JSON text. */
  readonly waiting: Set<string>;
  /** The token of its progress, as the translation knows it, as JSON text. */
  readonly token: string | undefined;
  /** The client's own id and token, if the translation knows others. */
  readonly own: { readonly id: string; readonly token: string | undefined } | undefined;
}

/**
 * A remote server as it would be if it spoke the era of its client: takes the client's HTTP requests, and translates. All clients of the
 * modern era for whom it stands are one to the server, so their ids are replaced.
 */
export class TranslatedServer {
  readonly host: string;
  readonly #options: TranslatedServerOptions;
  readonly #peer: TranslatedPeer;
  readonly #scanner: JsonScanner;
  readonly #newId = createIds();
  #headers: Readonly<Record<string, string>> = {};
  readonly #exchanges = new Map<string, Exchange>();
  /** The stream of a legacy client on which it listens to what answers nothing; and what came before there was one. */
  #ears: WrittenResponse | undefined;
  #early: Buffer[] = [];
  #isOver = false;

  constructor(options: TranslatedServerOptions) {
    this.#options = options;
    this.host = options.url.host;
    this.#scanner = new JsonScanner(options.limits.depth);
    const ours = { scanner: this.#scanner, newId: this.#newId, headers: () => this.#headers };
    this.#peer = new TranslatedPeer({
      ...options,
      ...ours,
      toClient: (line) => this.#toClient(line),
      lost: () => void this.close(),
    });
  }

  /** True while a request waits for its answer, or a client listens. */
  get isBusy(): boolean {
    return this.#exchanges.size > 0 || this.#ears !== undefined;
  }

  /**
   * Asks the server what it speaks. `translated`: this one can stand for it.
   *
   * @param greeting the client's first request
   * @param headers as they would be sent with it
   */
  meet(greeting: Buffer, headers: readonly string[]): Promise<Met['kind']> {
    this.#headers = ownHeaders(headers);
    return this.#peer.meet(greeting);
  }

  /** Answers a client's request as a server of its era would; see `Upstream`. */
  async send({ method, headers, body, onStart }: UpstreamRequest): Promise<UpstreamResponse> {
    const { session } = this.#options;
    const own = session === undefined ? [] : ['mcp-session-id', session];
    this.#headers = ownHeaders(headers);
    // A client begins a new session then (MCP 2025-11-25, "Session Management").
    if (this.#isOver) return empty(404);
    if (method === 'POST' && Buffer.isBuffer(body)) return this.#post(body, own, onStart);
    if (session === undefined) return empty(405, 'allow', 'POST');
    if (method === 'GET') return this.#listen(own, onStart);
    await this.close();
    return empty(200);
  }

  /** Ends the conversation. Resolves when the server has heard of it. */
  close(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#isOver = true;
    for (const id of this.#exchanges.keys())
      void this.#toClient(errorLine(id, INTERNAL_ERROR, `${this.#options.name} did not answer it`));
    this.#ears?.end();
    this.#options.onEnd();
    return this.#peer.leave();
  }

  #listen(own: readonly string[], onStart: UpstreamRequest['onStart']): Promise<UpstreamResponse> {
    const ears = new WrittenResponse(own, () => {
      if (this.#ears === ears) this.#ears = undefined;
    });
    // A client that listens anew has lost the stream before.
    this.#ears?.end();
    this.#ears = ears;
    ears.open();
    onStart?.((reason) => ears.abort(reason));
    for (const line of this.#early.splice(0)) void ears.write(line, false);
    return ears.response;
  }

  #post(line: Buffer, own: readonly string[], onStart: UpstreamRequest['onStart']): Promise<UpstreamResponse> {
    const ids = this.#idsIn(line);
    if (ids.length === 0) {
      void this.#peer.fromClient(line);
      return Promise.resolve(empty(202));
    }
    const response = new WrittenResponse(own, () => this.#forget(exchange));
    const { exchange, renamed } = this.#exchangeFor(line, ids, response);
    for (const id of exchange.waiting) this.#exchanges.set(id, exchange);
    let isGone = false;
    onStart?.((reason) => {
      isGone = true;
      response.abort(reason);
    });
    if (!isGone) void this.#peer.fromClient(renamed);
    return response.response;
  }

  #exchangeFor(
    line: Buffer,
    ids: readonly string[],
    response: WrittenResponse,
  ): { readonly exchange: Exchange; readonly renamed: Buffer } {
    const { kind, params } = this.#read(line);
    const token = kind === 'request' ? this.#metaIn(line, params, 'progressToken') : undefined;
    const textOf = ({ start, end }: Span): string => line.toString('utf8', start, end);
    const known = { response, waiting: new Set(ids), token: token && textOf(token), own: undefined };
    if (this.#options.session !== undefined) return { exchange: known, renamed: line };
    // Several clients may use the same ids and tokens.
    const id = this.#newId();
    const tokenless = token === undefined ? line : replaceSpan(line, token, id);
    const { id: span } = this.#read(tokenless);
    return {
      exchange: { response, waiting: new Set([id]), token: id, own: { id: ids[0] ?? 'null', token: token && textOf(token) } },
      renamed: span === undefined ? tokenless : replaceSpan(tokenless, span, id),
    };
  }

  /** In the legacy era, leaving is not cancelling. */
  #forget({ waiting, own }: Exchange): void {
    for (const id of waiting) {
      this.#exchanges.delete(id);
      if (own !== undefined && !this.#isOver)
        void this.#peer.fromClient(requestLine('notifications/cancelled', `{"requestId":${id}}`));
    }
  }

  async #toClient(line: Buffer): Promise<void> {
    const message = this.#read(line);
    if (message.kind !== 'response') return this.#tell(line, message);
    const id = idText(message);
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return;
    this.#exchanges.delete(id);
    exchange.waiting.delete(id);
    const { own, response } = exchange;
    await response.write(restored(line, message.id, own?.id), exchange.waiting.size === 0);
  }

  /** Passes what is no answer by the stream on which its client expects it. */
  async #tell(line: Buffer, message: Message): Promise<void> {
    const isOfSession = this.#options.session !== undefined;
    const exchanges = [...new Set(this.#exchanges.values())];
    const named = this.#nameIn(line, message);
    if (named !== undefined) {
      const { span, kind } = named;
      const name = line.toString('utf8', span.start, span.end);
      const found = exchanges.find(({ token, waiting }) => (kind === 'token' ? token === name : waiting.has(name)));
      if (found !== undefined) return found.response.write(restored(line, span, found.own?.[kind]), false);
    }
    // Among clients without sessions, nobody must hear of another one's request.
    if (!isOfSession)
      return named === undefined && exchanges.length === 1 ? exchanges[0]?.response.write(line, false) : undefined;
    const listening = this.#ears ?? exchanges[0]?.response;
    if (listening !== undefined) return listening.write(line, false);
    if (this.#early.push(line) > MOST_EARLY) this.#early.shift();
  }

  /** Finds the token or the id by which a notification names the request that it belongs to. */
  #nameIn(line: Buffer, { method, params }: Message): { readonly kind: 'token' | 'id'; readonly span: Span } | undefined {
    const isProgress = method === 'notifications/progress';
    const span = isProgress ? this.#spanIn(line, params, 'progressToken') : this.#metaIn(line, params, SUBSCRIPTION_ID_KEY);
    return span === undefined ? undefined : { kind: isProgress ? 'token' : 'id', span };
  }

  #idsIn(line: Buffer): readonly string[] {
    const message = this.#read(line);
    if (message.kind === 'request') return [idText(message)];
    if (message.kind !== 'batch') return [];
    const elements = readBatch(this.#scanner, line, 0, line.length) ?? [];
    return elements.flatMap(({ start, end }) => this.#idsIn(line.subarray(start, end)));
  }

  #metaIn(line: Buffer, params: Span | undefined, key: string): Span | undefined {
    return line.includes(key) ? this.#spanIn(line, this.#spanIn(line, params, '_meta'), key) : undefined;
  }

  #spanIn(line: Buffer, object: Span | undefined, key: string): Span | undefined {
    return object === undefined ? undefined : findMember(this.#scanner, line, object, key);
  }

  #read(line: Buffer): Message {
    return readLine(this.#scanner, line);
  }
}

function empty(status: number, ...headers: readonly string[]): UpstreamResponse {
  return wholeResponse(status, [...headers, 'content-length', '0'], Buffer.alloc(0));
}

/** @param own the client's text in place of the one that the translation knows, if that is another */
function restored(line: Buffer, span: Span | undefined, own: string | undefined): Buffer {
  return own === undefined || span === undefined ? line : replaceSpan(line, span, own);
}

/** The headers that a client wants on every request: those of its login, for example. */
export function ownHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at]?.toLowerCase(), raw[at + 1]];
    if (OF_ONE_MESSAGE.has(name) || name.startsWith('mcp-')) continue;
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
