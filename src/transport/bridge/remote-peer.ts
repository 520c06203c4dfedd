import { setTimeout } from 'node:timers/promises';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { idText, INTERNAL_ERROR, readLine } from '../../protocol/jsonrpc.ts';
import { looksModern } from '../../protocol/mcp/http-headers.ts';
import type { Message } from '../../protocol/message.ts';
import { SseSplitter } from '../../protocol/sse/splitter.ts';
import { decodeStream, readBody } from '../http/read-body.ts';
import type { Upstream } from '../http/upstream.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import { sendOn } from '../mcp-http/ask.ts';
import { toOneLine } from '../mcp-http/body-lines.ts';
import { contentTypeOf, EVENT_STREAM, mayBeOlder, sessionOf } from '../mcp-http/mcp-headers.ts';
import type { Credentials } from '../mcp-http/route-parts.ts';
import { readEndpoint } from '../mcp-http/endpoint.ts';
import { MirroredHeaders } from './mirrored-headers.ts';

export interface RemotePeerOptions {
  /** The server's name, for messages to people. */
  readonly name: string;
  readonly url: URL;
  /** Its connections, which whoever made them closes after `leave`. */
  readonly upstream: Upstream;
  /** Returns the headers of the next request. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Set if clawai logs in to the server itself. */
  readonly credentials?: Credentials | undefined;
  readonly limits: { readonly message: number; readonly frame: number; readonly depth: number };
  readonly warn: (line: string) => void;
  /** Takes a message of the server's, on one line. Resolves when there is room for more. */
  readonly write: (line: Buffer) => Promise<void>;
  /** Called when the server has ended a session that cannot go on. */
  readonly lost: () => void;
}

/** Milliseconds before a stream that has ended is asked for again: unless the server says otherwise, at least and at most; and how often, without an event. */
const RETRY = { usual: 1000, least: 100, most: 60_000 } as const;
const MOST_RETRIES = 5;

/** Milliseconds for a server to take the end of a session. */
const FAREWELL = 500;

/**
 * The client's side of one conversation with a remote server: streamable HTTP of both eras, or HTTP+SSE if the server has only that. It
 * passes messages as they are, and decides nothing.
 */
export class RemotePeer {
  readonly #options: RemotePeerOptions;
  readonly #scanner: JsonScanner;
  readonly #mirrored = new MirroredHeaders();
  readonly #ended = new AbortController();
  #session: string | undefined;
  #revision: string | undefined;
  /** Path and query for messages over HTTP+SSE; undefined over streamable HTTP. */
  #endpoint: string | undefined;
  /** The client's greeting, to begin another session if the server has forgotten this one. */
  #greeting: { readonly line: Buffer; readonly message: Message } | undefined;
  /** Resolves when the server has taken all messages up to now, as far as one waits for the other. */
  #taken: Promise<void> = Promise.resolve();
  /** Requests of the modern era that wait for their answers, by id as JSON text: there, whoever takes one back ends its connection. */
  readonly #cancellable = new Map<string, Cancellable>();
  readonly #cancelled = new WeakSet<Message>();
  #open = 0;
  #whenAnswered = (): void => {};

  constructor(options: RemotePeerOptions) {
    this.#options = options;
    this.#scanner = new JsonScanner(options.limits.depth);
  }

  taken(): Promise<void> {
    return this.#taken;
  }

  /** Resolves when no request waits for its answer. */
  async answered(): Promise<void> {
    await this.#taken;
    if (this.#open > 0) await new Promise<void>((resolve) => (this.#whenAnswered = resolve));
  }

  /** Sends a message, behind those that came before. */
  send(line: Buffer): void {
    const message = readLine(this.#scanner, line);
    if (message.kind === 'blank') return;
    this.#taken = this.#taken.then(() => this.#send(line, message)).catch(() => {});
  }

  /** Ends the session. */
  async leave(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    const session = this.#session;
    if (session !== undefined && this.#endpoint === undefined) {
      const leaving = this.#request('DELETE', undefined, []).then(({ answer }) => answer.destroy());
      await Promise.race([leaving.catch(() => {}), setTimeout(FAREWELL, undefined, { ref: false })]);
    }
  }

  /** Resolves when the next message may be sent: behind an answer to the greeting, and where it has no answer, when it has arrived. */
  #send(line: Buffer, message: Message): Promise<void> {
    if (message.method === 'initialize') this.#greeting = { line, message };
    if (message.method === 'notifications/cancelled' && this.#cancel(line)) return Promise.resolve();
    this.#open++;
    const exchanged = this.#exchange(line, message)
      .catch((error: unknown) => this.#fail(message, error instanceof Error ? error.message : String(error)))
      .finally(() => {
        this.#open--;
        if (this.#cancellable.get(idText(message))?.message === message) this.#cancellable.delete(idText(message));
        if (this.#open === 0) this.#whenAnswered();
      });
    return message.kind === 'request' && message.method !== 'initialize' ? Promise.resolve() : exchanged;
  }

  /** Takes back a request of the modern era. False if it is none: then the server must be told. */
  #cancel(line: Buffer): boolean {
    const { params } = JSON.parse(line.toString()) as { readonly params?: { readonly requestId?: unknown } };
    const found = this.#cancellable.get(JSON.stringify(params?.requestId));
    if (found === undefined) return false;
    this.#cancelled.add(found.message);
    found.abort();
    return true;
  }

  async #exchange(line: Buffer, message: Message): Promise<void> {
    if (this.#endpoint !== undefined) return this.#postToEndpoint(line, message);
    const answer = await this.#post(line, message);
    const status = answer.statusCode;
    const isGreeting = message.method === 'initialize';
    if (isGreeting && mayBeOlder(status) && (await this.#openStream())) {
      answer.destroy();
      return this.#postToEndpoint(line, message);
    }
    // The server has forgotten the session, e.g. since it was started again.
    if (status === 404 && !isGreeting && this.#session !== undefined && (await this.#beginAgain())) {
      answer.destroy();
      await this.#take(message, await this.#post(line));
    } else await this.#take(message, answer);
    if (message.method === 'notifications/initialized') void this.#listen();
  }

  async #take(message: Message, answer: UpstreamResponse): Promise<void> {
    const status = answer.statusCode;
    if (message.method === 'initialize' && status < 300) this.#session = sessionOf(answer.headers);
    if (status < 300 && contentTypeOf(answer) === EVENT_STREAM) return this.#takeStream(message, answer);
    const read = await readBody(answer, { limit: this.#options.limits.message });
    const isSettled = read.kind === 'ok' && (await this.#pass(read.body, message, status));
    if (!isSettled) await this.#fail(message, this.#whyNot(status));
  }

  #whyNot(status: number): string {
    const { name } = this.#options;
    if (status === 401 || status === 403) return `${name} wants a login (HTTP ${status})`;
    return status < 300 ? `${name} did not answer it` : `${name} did not take it (HTTP ${status})`;
  }

  /**
   * Passes a body that is a message. With an error status, it must be the answer: other texts are not for a client.
   *
   * @returns whether nobody waits any more
   */
  async #pass(body: Buffer, asked: Message, status: number): Promise<boolean> {
    const line = toOneLine(body);
    const message = readLine(this.#scanner, line);
    const { kind, id } = message;
    if (kind === 'blank') return asked.kind !== 'request';
    if (status >= 300 && (kind !== 'response' || id === undefined)) return false;
    const isAnswer = kind === 'batch' || (kind === 'response' && idText(message) === idText(asked));
    await this.#write(line, asked.method);
    return isAnswer || asked.kind !== 'request';
  }

  async #takeStream(message: Message, answer: UpstreamResponse): Promise<void> {
    const isRequest = message.kind === 'request';
    const seen: Seen = { isAnswered: !isRequest, awaited: idText(message), id: undefined, retry: RETRY.usual };
    await this.#read(answer, seen, message.method);
    // A server may end a stream early, and have its client ask for the rest.
    for (let tries = 0; !seen.isAnswered && seen.id !== undefined && tries < MOST_RETRIES; tries++) {
      if (this.#cancelled.has(message)) return;
      await setTimeout(seen.retry, undefined, { signal: this.#ended.signal });
      const { answer: rest } = await this.#request('GET', undefined, ['last-event-id', seen.id]);
      if (rest.statusCode !== 200) rest.destroy();
      else if (await this.#read(rest, seen, message.method)) tries = -1;
    }
    if (!seen.isAnswered) await this.#fail(message, this.#whyNot(200));
  }

  /** Listens to what a server of the legacy era sends by itself. */
  async #listen(): Promise<void> {
    const seen: Seen = { isAnswered: true, awaited: undefined, id: undefined, retry: RETRY.usual };
    const session = this.#session;
    for (let tries = 0; tries < MOST_RETRIES && session === this.#session; tries++) {
      try {
        const { answer } = await this.#request('GET', undefined, seen.id === undefined ? [] : ['last-event-id', seen.id]);
        const isStream = answer.statusCode === 200 && contentTypeOf(answer) === EVENT_STREAM;
        if (!isStream) return void answer.destroy();
        if (await this.#read(answer, seen, undefined)) tries = 0;
        await setTimeout(seen.retry, undefined, { signal: this.#ended.signal });
      } catch {
        // The server is away, or we are.
        if (this.#ended.signal.aborted) return;
      }
    }
  }

  /** Reads a stream of messages to its end. @returns whether there were any; false also if it broke */
  async #read(answer: UpstreamResponse, seen: Seen, method: string | undefined): Promise<boolean> {
    const source = decodeStream(answer);
    const splitter = new SseSplitter({ maxFrame: this.#options.limits.frame });
    let count = 0;
    try {
      for await (const chunk of (source ?? answer) as AsyncIterable<Buffer>) {
        const lines: Buffer[] = [];
        const isWhole = splitter.push(chunk, ({ data, dataStart, dataEnd, id, retry, event }) => {
          if (id !== undefined) seen.id = id;
          if (retry !== undefined) seen.retry = Math.min(Math.max(Number(retry), RETRY.least), RETRY.most);
          const isMessage = data !== undefined && dataEnd > dataStart && (event === undefined || event === 'message');
          if (isMessage) lines.push(toOneLine(Buffer.from(data.subarray(dataStart, dataEnd))));
        });
        for (const line of lines) {
          count++;
          const message = readLine(this.#scanner, line);
          if (message.kind === 'response' && idText(message) === seen.awaited) seen.isAnswered = true;
          await this.#write(line, method);
        }
        if (isWhole) continue;
        this.#options.warn(`${this.#options.name} sent an event that is longer than clawai accepts (limits.frame in its config)`);
        break;
      }
    } catch {
      // It broke: the rest may be asked for.
    }
    answer.destroy();
    return count > 0;
  }

  /** Begins another session in place of one that the server has forgotten. */
  async #beginAgain(): Promise<boolean> {
    const greeting = this.#greeting;
    if (greeting === undefined) return false;
    this.#session = undefined;
    const answer = await this.#post(greeting.line);
    const session = answer.statusCode < 300 ? sessionOf(answer.headers) : undefined;
    answer.destroy();
    if (session === undefined) return false;
    this.#session = session;
    const noted = await this.#post(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
    noted.destroy();
    void this.#listen();
    return noted.statusCode < 300;
  }

  /** Opens the stream of HTTP+SSE. False if the server has none, or would have messages sent elsewhere. */
  async #openStream(): Promise<boolean> {
    const { answer, path } = await this.#request('GET', undefined, []);
    const source = answer.statusCode === 200 && contentTypeOf(answer) === EVENT_STREAM ? decodeStream(answer) : undefined;
    if (source === undefined) {
      answer.destroy();
      return false;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const splitter = new SseSplitter({ maxFrame: this.#options.limits.frame });
    const lines: Buffer[] = [];
    const visit: Parameters<SseSplitter['push']>[1] = ({ data, dataStart, dataEnd, event }) => {
      if (data === undefined || dataEnd === dataStart) return;
      const text = data.subarray(dataStart, dataEnd);
      if (event === 'endpoint') {
        this.#endpoint = readEndpoint(text.toString(), this.#options.url.origin + path);
        resolve(this.#endpoint !== undefined);
      } else if (event === undefined || event === 'message') lines.push(toOneLine(Buffer.from(text)));
    };
    void (async () => {
      try {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          if (!splitter.push(chunk, visit)) break;
          for (const line of lines.splice(0)) await this.#write(line, undefined);
        }
      } catch {
        // It broke.
      }
      resolve(false);
      answer.destroy();
      // Another stream would be another session, which the client has not begun.
      if (this.#endpoint !== undefined) this.#options.lost();
    })();
    return promise;
  }

  async #postToEndpoint(line: Buffer, message: Message): Promise<void> {
    const { answer } = await this.#request('POST', line, ['content-type', 'application/json'], { endpoint: this.#endpoint });
    answer.destroy();
    if (answer.statusCode >= 300) await this.#fail(message, this.#whyNot(answer.statusCode));
  }

  async #post(line: Buffer, message?: Message): Promise<UpstreamResponse> {
    const isModern = looksModern({}, line);
    const own = isModern ? this.#mirrored.of(line) : [];
    const onStart = (abort: () => void): void => {
      if (isModern && message?.kind === 'request') this.#cancellable.set(idText(message), { message, abort });
    };
    const { answer } = await this.#request('POST', line, ['content-type', 'application/json', ...own], { onStart });
    return answer;
  }

  #request(
    method: string,
    body: Buffer | undefined,
    own: readonly string[],
    { endpoint, onStart: started }: RequestOptions = {},
  ): ReturnType<typeof sendOn> {
    const { name, url, upstream, headers, credentials } = this.#options;
    const accept = method === 'GET' ? EVENT_STREAM : `application/json, ${EVENT_STREAM}`;
    const isMirrored = own.includes('mcp-protocol-version');
    const rawHeaders = [
      'accept',
      accept,
      ...own,
      ...(this.#session === undefined || isMirrored ? [] : ['mcp-session-id', this.#session]),
      ...(this.#revision === undefined || isMirrored ? [] : ['mcp-protocol-version', this.#revision]),
    ];
    const path = endpoint ?? url.pathname + url.search;
    const onStart = (abort: (reason: Error) => void): void => started?.(() => abort(new Error('the client has cancelled it')));
    // Only the end of the session is told to the server when it is over.
    const signal = method === 'DELETE' ? undefined : this.#ended.signal;
    return sendOn(
      { name, upstream, headers: headers(), credentials, path, origin: url.origin },
      { request: { rawHeaders }, query: '', leaving: { onStart, signal } },
      { method, body },
    );
  }

  /** Passes a line of the server's. @param method of the request that it may answer */
  async #write(line: Buffer, method: string | undefined): Promise<void> {
    if (method === 'initialize' && this.#revision === undefined) this.#revision = revisionIn(line);
    if (method === 'tools/list') this.#mirrored.learn(line);
    await this.#options.write(line);
  }

  /** Answers a request in the server's place. */
  async #fail(message: Message, why: string): Promise<void> {
    if (message.kind !== 'request' || message.id === undefined || this.#ended.signal.aborted) return;
    if (this.#cancelled.has(message)) return;
    const error = { code: INTERNAL_ERROR, message: why };
    await this.#options.write(Buffer.from(`{"jsonrpc":"2.0","id":${idText(message)},"error":${JSON.stringify(error)}}`));
  }
}

interface Cancellable {
  readonly message: Message;
  readonly abort: () => void;
}

interface RequestOptions {
  /** Path and query, if not those of the server's URL. */
  readonly endpoint?: string | undefined;
  /** Called at once with the function that aborts it. */
  readonly onStart?: (abort: () => void) => void;
}

interface Seen {
  isAnswered: boolean;
  /** Id of the request that the stream answers, as JSON text. */
  readonly awaited: string | undefined;
  /** Id of the last event, from which a stream can be asked for again. */
  id: string | undefined;
  /** Milliseconds. */
  retry: number;
}

function revisionIn(line: Buffer): string | undefined {
  const { result } = JSON.parse(line.toString()) as { readonly result?: { readonly protocolVersion?: unknown } };
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : undefined;
}
