import type { IncomingMessage, ServerResponse } from 'node:http';
import { upstreamPaths } from '../../protocol/llm/routes/upstream-paths.ts';
import { toDownstreamHeaders, toUpstreamHeaders } from '../http/headers.ts';
import { UpstreamFault } from '../http/upstream-fault.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import type { LlmParts } from './llm-parts.ts';

const NONE: ReadonlySet<string> = new Set();

/** Of what is looked at, a part that begins or ends anywhere can't be. */
const RANGES: ReadonlySet<string> = new Set(['range', 'if-range']);

/** Says where the content of a file is to be sent. Clients of Gemini's that were told a base URL put its host there, which is ours. */
const UPLOAD_PLACE = 'x-goog-upload-url';

/** A request on its way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path behind the route's secret, as it was sent; empty, or with a slash in front. */
  readonly rest: string;
  /** What takes the place of the provider's base URL, as the client has it. */
  readonly ours: string;
  /** Path and query at the provider. */
  readonly path: string;
  /** To ask by where there is nothing at `path`. */
  readonly otherPath: string | undefined;
  readonly signal: AbortSignal;
}

/** Asks one LLM provider, by the paths that it has. */
export class ProviderClient {
  readonly #parts: Pick<LlmParts, 'api' | 'name' | 'path' | 'query' | 'upstream'>;
  /** It was found to have its API at the root, without a version. */
  #isAtRoot = false;

  constructor(parts: Pick<LlmParts, 'api' | 'name' | 'path' | 'query' | 'upstream'>) {
    this.#parts = parts;
  }

  /** @param rest path behind the route's secret, as it was sent; `query` with its question mark, or empty */
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
    return {
      ...of,
      rest,
      ours: ourUrl(of.request, rest),
      path: `${known === '' ? '/' : known}${search}`,
      otherPath: isKnown ? undefined : `${second}${search}`,
    };
  }

  /** @param body undefined where there is none */
  async send({ request, path, otherPath, signal }: Exchange, body: Buffer | undefined): Promise<UpstreamResponse> {
    const { upstream, name } = this.#parts;
    const { method = 'GET' } = request;
    const headers = toUpstreamHeaders(request.rawHeaders, { host: upstream.host, set: {}, drop: RANGES });
    let answer = await upstream.send({ method, path, headers, body, signal });
    if (answer.statusCode === 404 && otherPath !== undefined) {
      answer.destroy();
      answer = await upstream.send({ method, path: otherPath, headers, body, signal });
      this.#isAtRoot ||= answer.statusCode < 300;
    }
    const { statusCode: status } = answer;
    if (status < 300 || status === 304 || status >= 400) return answer;
    answer.destroy();
    // A client that follows goes past us.
    throw new UpstreamFault('protocol', `${name} redirects (${status}): set its base URL to the one that it redirects to`);
  }

  /** Sends a request as it comes. */
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

  /** The headers of an answer that goes on as it came. */
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
