import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import {
  isUnknownMethod,
  LEGACY,
  type Listed,
  type ListingEars,
  listServer,
  MODERN,
  type Peer,
  type Reply,
} from './server-lister.ts';
import { type Answer, readAnswer } from './read-answer.ts';

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
  readonly ears?: ListingEars;
}

/** Lists everything that a remote server declares, as a client of either era would. Never rejects. */
export async function listRemote(options: ListOptions): Promise<Listed> {
  const peer = new RemotePeer(options);
  try {
    return await listServer(peer, options.version, options.ears);
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    await peer.leave();
  }
}

class RemotePeer implements Peer {
  readonly #options: ListOptions;
  #session: string | undefined;
  #revision = LEGACY;
  #id = 0;

  constructor(options: ListOptions) {
    this.#options = options;
  }

  async ask(method: string, params: JsonObject): Promise<Reply> {
    const answer = await this.#send('POST', { jsonrpc: '2.0', id: `clawai-${++this.#id}`, method, params });
    if (answer.status === 401 || answer.status === 403) return { kind: 'needs_login' };
    const result = answer.message?.['result'];
    if (!isJsonObject(result))
      return { kind: 'failed', why: problemOf(answer), isUnknownMethod: isUnknownMethod(answer.message?.['error']) };
    if (method === 'initialize') this.#session = answer.session;
    return { kind: 'result', result };
  }

  async notify(method: string): Promise<void> {
    await this.#send('POST', { jsonrpc: '2.0', method });
  }

  settle(revision: string): void {
    this.#revision = revision;
  }

  /** Ends the session, if there is one. */
  async leave(): Promise<void> {
    // The server may ignore this.
    if (this.#session !== undefined) await this.#send('DELETE', undefined).catch(() => {});
  }

  #send(verb: 'POST' | 'DELETE', message: JsonObject | undefined): Promise<Answer> {
    const { url, headers, signal, isOurs } = this.#options;
    const body = message === undefined ? undefined : JSON.stringify(message);
    const all: Record<string, string> = {
      ...headers,
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(message?.['method'] === 'initialize' ? {} : { 'mcp-protocol-version': this.#revision }),
      ...(this.#revision === MODERN ? { 'mcp-method': String(message?.['method']) } : {}),
    };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    const isTls = url.startsWith('https:');
    return new Promise((resolve, reject) => {
      const request = (isTls ? requestTls : requestPlain)(url, {
        method: verb,
        headers: all,
        signal: deadline,
        agent: false,
        ...(isTls && isOurs ? { rejectUnauthorized: false } : {}),
      });
      request.on('error', reject);
      request.on('response', (response) => readAnswer(response, message?.['id']).then(resolve, reject));
      request.end(body);
    });
  }
}

function problemOf({ status, message }: Answer): string {
  const error = message?.['error'];
  const why = isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  return why ?? `it answered with HTTP status ${status}`;
}
