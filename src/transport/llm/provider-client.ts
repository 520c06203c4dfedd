import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { upstreamPaths } from '../../protocol/llm/routes/upstream-paths.ts';
import { OF_HANDSHAKE, toDownstreamHeaders, toUpstreamHeaders } from '../http/headers.ts';
import { UpstreamFault } from '../http/upstream-fault.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import type { OpenedSocket, openWebSocket } from '../http/web-socket.ts';
import type { LlmParts } from './llm-guard.ts';

const NONE: ReadonlySet<string> = new Set();

/** Range headers are dropped: an arbitrary part of an answer can't be checked. */
const RANGES: ReadonlySet<string> = new Set(['range', 'if-range']);

/** The header with the URL for a file's upload. Gemini's clients with a custom base URL put its host there, which is ours. */
const UPLOAD_PLACE = 'x-goog-upload-url';

/** A request in flight. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The API at this path. */
  readonly api: ModelApi;
  /** Path after the route's secret, as it was sent; empty, or with a leading slash. */
  readonly rest: string;
  /** Our URL in place of the provider's base URL, as the client uses it. */
  readonly ours: string;
  /** Path and query at the provider. */
  readonly path: string;
  /** The path to try if `path` gives 404. */
  readonly otherPath: string | undefined;
  readonly signal: AbortSignal;
}

/** Sends requests to one LLM provider, by its own paths. */
export class ProviderClient {
  readonly #parts: Pick<LlmParts, 'api' | 'name' | 'path' | 'query' | 'upstream'>;
  /** True once its API was found at the root, without a version. */
  #isAtRoot = false;

  constructor(parts: Pick<LlmParts, 'api' | 'name' | 'path' | 'query' | 'upstream'>) {
    this.#parts = parts;
  }

  /** @param rest path after the route's secret, as it was sent; `query` with its question mark, or empty */
  exchange(
    of: Pick<Exchange, 'request' | 'response' | 'signal'>,
    { rest, query }: { readonly rest: string; readonly query: string },
  ): Exchange {
    const { api, path: base, query: own } = this.#parts;
    const queries = [own, query].map((part) => part.replace(/^\?/, '')).filter((part) => part !== '');
    const search = queries.length === 0 ? '' : `?${queries.join('&')}`;
    const [first, second] = upstreamPaths(api.dialect, base, rest);
    const isKnown = second === undefined || this.#isAtRoot;
    const known = isKnown ? (second ?? first) : first;
    const path = `${known === '' ? '/' : known}${search}`;
    return {
      ...of,
      api: api.at?.(path) ?? api,
      rest,
      ours: ourUrl(of.request, rest),
      path,
      otherPath: isKnown ? undefined : `${second}${search}`,
    };
  }

  /** @param body undefined if there is none */
  async send({ request, path, otherPath, signal }: Exchange, body: Buffer | undefined): Promise<UpstreamResponse> {
    const { upstream } = this.#parts;
    const { method = 'GET' } = request;
    const headers = toUpstreamHeaders(request.rawHeaders, { host: upstream.host, set: {}, drop: RANGES });
    let answer = await upstream.send({ method, path, headers, body, signal });
    if (answer.statusCode === 404 && otherPath !== undefined) {
      answer.destroy();
      answer = await upstream.send({ method, path: otherPath, headers, body, signal });
      this.#isAtRoot ||= answer.statusCode < 300;
    }
    this.#refuseRedirect(answer);
    return answer;
  }

  /**
   * Opens a WebSocket. The provider's errors are results.
   *
   * @param open opens one at an upstream
   * @param maxMessage most bytes of a message
   */
  async openSocket(
    { request, path, otherPath, signal }: Exchange,
    open: typeof openWebSocket,
    maxMessage: number,
  ): Promise<OpenedSocket> {
    const { upstream, name } = this.#parts;
    const headers = toUpstreamHeaders(request.rawHeaders, { host: upstream.host, set: {}, drop: OF_HANDSHAKE });
    const openAt = (at: string): Promise<OpenedSocket> => open(upstream, { path: at, headers, maxMessage, signal });
    let opened = await openAt(path);
    if ('refusal' in opened && opened.refusal.statusCode === 404 && otherPath !== undefined) {
      opened.refusal.destroy();
      opened = await openAt(otherPath);
      this.#isAtRoot ||= 'socket' in opened;
    }
    if ('socket' in opened) return opened;
    const { statusCode: status = 0 } = opened.refusal;
    this.#refuseRedirect(opened.refusal);
    if (status >= 400) return opened;
    opened.refusal.destroy();
    throw new UpstreamFault('protocol', `${name} opens no WebSocket (status ${status})`);
  }

  /** A client that follows a redirect would bypass us. */
  #refuseRedirect(answer: { readonly statusCode?: number | undefined; destroy(): void }): void {
    const { statusCode: status = 0 } = answer;
    if (status < 300 || status === 304 || status >= 400) return;
    answer.destroy();
    const { name } = this.#parts;
    throw new UpstreamFault('protocol', `${name} redirects (${status}): set its base URL to the one that it redirects to`);
  }

  /** Sends a request unchanged. */
  async forward({ request, path, signal }: Exchange): Promise<UpstreamResponse> {
    const { upstream } = this.#parts;
    const headers = toUpstreamHeaders(request.rawHeaders, { host: upstream.host, set: {}, drop: NONE });
    for (const name of ['content-encoding', 'content-length', 'accept-encoding'] as const) {
      const value = request.headers[name];
      const at = headers.indexOf(name);
      if (at !== -1) headers.splice(at, 2);
      if (typeof value === 'string') headers.push(name, value);
    }
    return upstream.send({ method: request.method ?? 'GET', path, headers, body: request, signal });
  }

  /** Returns the headers of an answer that passes unchanged. */
  downstreamHeaders({ rawHeaders }: Pick<UpstreamResponse, 'rawHeaders'>, { ours }: Pick<Exchange, 'ours'>): string[] {
    const headers = toDownstreamHeaders(rawHeaders, { isRewritten: false });
    return headers.map((value, at) => {
      const isPlace = at % 2 === 1 && headers[at - 1]?.toLowerCase() === UPLOAD_PLACE;
      return isPlace ? this.#placeAt(ours, value) : value;
    });
  }

  #placeAt(ours: string, place: string): string {
    const { upstream, path } = this.#parts;
    const url = URL.parse(place);
    if (url === null || url.host !== upstream.host) return place;
    const front = path.replace(/\/v\d[^/]*$/, '');
    const rest = url.pathname.startsWith(`${front}/`) ? url.pathname.slice(front.length) : url.pathname;
    return `${ours}${rest}${url.search}`;
  }
}

function ourUrl({ url = '', headers, socket }: IncomingMessage, rest: string): string {
  const [path = ''] = url.split('?', 1);
  return `${'encrypted' in socket ? 'https' : 'http'}://${headers.host ?? ''}${path.slice(0, path.length - rest.length)}`;
}
