import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { LEGACY_REVISION, MODERN_REVISION } from '../../protocol/mcp/methods.ts';
import { agentFor } from '../http/env-proxy.ts';
import { isUnknownMethod, type Listed, type ListingEars, listServer, type Peer, type Reply } from './server-lister.ts';
import { mayBeOlder } from '../mcp-http/mcp-headers.ts';
import { readEndpoint } from '../mcp-http/endpoint.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { SseStream } from './sse-stream.ts';

/** Milliseconds to wait for an answer. */
const PATIENCE = 30_000;

export interface ListOptions {
  readonly url: string;
  /** Headers of each request, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Our version, for the server. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** True for our own listener: its certificate may be for another name than the one by which we reach it. */
  readonly isOurs: boolean;
  /** Characters that all of its answers may have. */
  readonly most?: number;
  readonly ears?: ListingEars;
}

/** Lists everything that a remote server declares, as a client of either era would. Never rejects. */
export async function listRemote(options: ListOptions): Promise<Listed> {
  const peer = new RemotePeer(options);
  try {
    return await listServer(peer, options.version, options.ears);
  } catch (error) {
    const { aborted, reason } = options.signal;
    const cause: unknown = aborted ? reason : error;
    return { kind: 'failed', why: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    await peer.leave();
  }
}

class RemotePeer implements Peer {
  readonly #options: ListOptions;
  #session: string | undefined;
  #revision = LEGACY_REVISION;
  /** Set if the server speaks HTTP+SSE: its stream, and the address for messages. */
  #older: { readonly stream: SseStream; readonly address: URL } | undefined;
  #id = 0;
  #left: number;

  constructor(options: ListOptions) {
    this.#options = options;
    this.#left = options.most ?? Infinity;
  }

  async ask(method: string, params: JsonObject): Promise<Reply> {
    const message = { jsonrpc: '2.0', id: `clawai-${++this.#id}`, method, params };
    let answer = await this.#exchange(message);
    const isOlder = mayBeOlder(answer.status) && !isUnknownMethod(answer.message?.['error']);
    if (method === 'initialize' && isOlder && (await this.#openStream())) answer = await this.#exchange(message);
    this.#left -= answer.length;
    if (this.#left < 0) throw new Error('it sends more than clawai reads');
    if (answer.status === 401 || answer.status === 403) return { kind: 'needs_login' };
    const result = answer.message?.['result'];
    if (!isJsonObject(result))
      return { kind: 'failed', why: problemOf(answer), isUnknownMethod: isUnknownMethod(answer.message?.['error']) };
    if (method === 'initialize') this.#session = answer.session;
    return { kind: 'result', result };
  }

  async notify(method: string): Promise<void> {
    await this.#exchange({ jsonrpc: '2.0', method });
  }

  settle(revision: string): void {
    this.#revision = revision;
  }

  /** Ends the session, if there is one. */
  async leave(): Promise<void> {
    // The server may ignore this.
    if (this.#session !== undefined) await this.#send('DELETE', undefined).catch(() => {});
    this.#older?.stream.close();
  }

  /** Sends a message, and reads the answer to a request. */
  async #exchange(message: JsonObject): Promise<Answer> {
    const { id } = message;
    if (this.#older === undefined) return readAnswer(await this.#send('POST', message), id);
    const { stream, address } = this.#older;
    const came = id === undefined ? undefined : stream.answerTo(id);
    const response = await this.#send('POST', message, address);
    response.resume();
    const status = response.statusCode ?? 0;
    if (came === undefined || status >= 400) return { status, session: undefined, message: undefined, length: 0 };
    const late = setTimeout(() => stream.close(), PATIENCE);
    return { status, session: undefined, message: await came.finally(() => clearTimeout(late)), length: 0 };
  }

  /** Opens the stream of HTTP+SSE. False if the server has none, or would have messages sent elsewhere. */
  async #openStream(): Promise<boolean> {
    const response = await this.#send('GET', undefined);
    if (response.statusCode !== 200 || !/^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')) {
      response.destroy();
      return false;
    }
    const late = setTimeout(() => response.destroy(), PATIENCE);
    const stream = await SseStream.open(response).finally(() => clearTimeout(late));
    if (stream === undefined) return false;
    const path = readEndpoint(stream.endpoint, this.#options.url);
    if (path === undefined) stream.close();
    else this.#older = { stream, address: new URL(path, this.#options.url) };
    return path !== undefined;
  }

  #send(
    verb: 'GET' | 'POST' | 'DELETE',
    message: JsonObject | undefined,
    target = new URL(this.#options.url),
  ): Promise<IncomingMessage> {
    const { headers, signal, isOurs } = this.#options;
    const body = message === undefined ? undefined : JSON.stringify(message);
    const all: Record<string, string> = {
      ...headers,
      accept: verb === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(message?.['method'] === 'initialize' ? {} : { 'mcp-protocol-version': this.#revision }),
      ...(this.#revision === MODERN_REVISION ? { 'mcp-method': String(message?.['method']) } : {}),
    };
    // A stream lasts as long as the session.
    const deadline = verb === 'GET' ? signal : AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    const isTls = target.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (isTls ? requestTls : requestPlain)(target, {
        method: verb,
        headers: all,
        signal: deadline,
        agent: isOurs ? false : agentFor(target),
        ...(isTls && isOurs ? { rejectUnauthorized: false } : {}),
      });
      request.on('error', reject);
      request.on('response', resolve);
      request.end(body);
    });
  }
}

function problemOf({ status, message }: Answer): string {
  const error = message?.['error'];
  const why = isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  const isSuccess = status >= 200 && status < 300;
  return why ?? (isSuccess ? 'its answer is no MCP message' : `it answered with HTTP status ${status}`);
}
