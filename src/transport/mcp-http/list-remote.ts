import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { createParser } from 'eventsource-parser';

/** The newest revision with a handshake, and the first one without. */
const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';

const META = 'io.modelcontextprotocol';

/** Pages of one list that are asked for; no honest server has more. */
const MOST_PAGES = 200;

/** Milliseconds for an answer, and bytes that one may have. */
const PATIENCE = 30_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Lists, and the capability that says that a server has them. */
const LISTS: readonly (readonly [method: string, capability: string])[] = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
];

/** What came of listing a server. */
export type Listed =
  | { readonly kind: 'listed' }
  /** It wants to know who asks; its clients tell it. */
  | { readonly kind: 'needs_login' }
  | { readonly kind: 'failed'; readonly why: string };

export interface ListOptions {
  /** Of the server at our own listener: what it answers goes through the gate, which remembers what it declares. */
  readonly url: string;
  /** Goes with each request, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** What we are called, for the server. */
  readonly version: string;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly session: string | undefined;
  readonly message: Readonly<Record<string, unknown>> | undefined;
}

/** Asks a remote server for everything that it declares, as a client of either era would. Never rejects. */
export async function listRemote(options: ListOptions): Promise<Listed> {
  try {
    return await new Lister(options).list();
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}

class Lister {
  readonly #options: ListOptions;
  #era: 'legacy' | 'modern' = 'legacy';
  #session: string | undefined;
  #revision = LEGACY;
  #id = 0;

  constructor(options: ListOptions) {
    this.#options = options;
  }

  async list(): Promise<Listed> {
    const clientInfo = { name: 'clawai', version: this.#options.version };
    const greeting = await this.#ask('initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo });
    if (greeting.status === 401 || greeting.status === 403) return { kind: 'needs_login' };
    let result = resultOf(greeting);
    if (result === undefined) {
      this.#era = 'modern';
      const discovered = await this.#ask('server/discover', {});
      result = resultOf(discovered);
      if (result === undefined) return { kind: 'failed', why: problemOf(greeting) };
    } else {
      this.#session = greeting.session;
      if (typeof result['protocolVersion'] === 'string') this.#revision = result['protocolVersion'];
      await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    }
    try {
      for (const [method, capability] of LISTS) {
        if (isObject(result['capabilities']) && result['capabilities'][capability] !== undefined) await this.#listAll(method);
      }
    } finally {
      if (this.#session !== undefined) await this.#send('DELETE', undefined).catch(() => {});
    }
    return { kind: 'listed' };
  }

  async #listAll(method: string): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page++) {
      const result = resultOf(await this.#ask(method, cursor === undefined ? {} : { cursor }));
      cursor = result?.['nextCursor'];
      if (typeof cursor !== 'string') return;
    }
  }

  #ask(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
    const id = `clawai-${++this.#id}`;
    const { version } = this.#options;
    const meta = {
      [`${META}/protocolVersion`]: MODERN,
      [`${META}/clientCapabilities`]: {},
      [`${META}/clientInfo`]: { name: 'clawai', version },
    };
    return this.#post({ jsonrpc: '2.0', id, method, params: this.#era === 'modern' ? { ...params, _meta: meta } : params });
  }

  async #post(message: Readonly<Record<string, unknown>>): Promise<Answer> {
    return this.#send('POST', message);
  }

  #send(verb: 'POST' | 'DELETE', message: Readonly<Record<string, unknown>> | undefined): Promise<Answer> {
    const { url, headers, signal } = this.#options;
    const body = message === undefined ? undefined : JSON.stringify(message);
    const isModern = this.#era === 'modern';
    const all: Record<string, string> = {
      ...headers,
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(message?.['method'] === 'initialize' ? {} : { 'mcp-protocol-version': isModern ? MODERN : this.#revision }),
      ...(isModern ? { 'mcp-method': String(message?.['method']) } : {}),
    };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    // Our own listener: its certificate may be made out to another name than the one by which we reach it.
    const tls = { rejectUnauthorized: false };
    return new Promise((resolve, reject) => {
      const request = (url.startsWith('https:') ? requestTls : requestPlain)(url, {
        method: verb,
        headers: all,
        signal: deadline,
        agent: false,
        ...(url.startsWith('https:') ? tls : {}),
      });
      request.on('error', reject);
      request.on('response', (response) => readAnswer(response, message?.['id']).then(resolve, reject));
      request.end(body);
    });
  }
}

/** Reads until the answer to the request is there; what else comes on the stream is not for us. */
function readAnswer(response: IncomingMessage, id: unknown): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const header = response.headers['mcp-session-id'];
  const session = typeof header === 'string' ? header : undefined;
  const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
  return new Promise((resolve, reject) => {
    let text = '';
    let length = 0;
    const settle = (message: Answer['message']): void => {
      resolve({ status, session, message });
      response.destroy();
    };
    const parser = createParser({
      onEvent: ({ data }) => {
        const message = parse(data);
        if (message?.['id'] === id && message?.['method'] === undefined) settle(message);
      },
    });
    response.setEncoding('utf8');
    response.on('error', reject);
    response.on('data', (chunk: string) => {
      length += chunk.length;
      if (length > MOST_BYTES) response.destroy(new Error('its answer is too long'));
      else if (isStream) parser.feed(chunk);
      else text += chunk;
    });
    response.on('end', () => settle(isStream ? undefined : parse(text)));
  });
}

function resultOf({ message }: Answer): Readonly<Record<string, unknown>> | undefined {
  const result = message?.['result'];
  return isObject(result) ? result : undefined;
}

function problemOf({ status, message }: Answer): string {
  const error = message?.['error'];
  const said = isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  return said ?? `it answered the greeting with HTTP status ${status}`;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // Not a message.
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
