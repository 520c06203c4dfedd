import { toUpstreamHeaders } from '../http/headers.ts';
import { refuse } from '../http/respond.ts';
import { UpstreamFault } from '../http/upstream-fault.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import { answerInstead } from './answer.ts';
import type { Asked, Leaving } from './asked.ts';
import { headerIn, LoginNeeded } from './login-needed.ts';
import { type RouteParts, upstreamPath } from './route-parts.ts';

/** Most redirects within the server's own origin that are followed. */
const MOST_REDIRECTS = 3;

const NONE: ReadonlySet<string> = new Set();

/** A request to the remote server. */
interface ToSend {
  readonly method: string;
  readonly body: Buffer | undefined;
}

/** The server's response, and the path and query of the request that it answers, after redirects. */
export interface Answered {
  readonly answer: UpstreamResponse;
  readonly path: string;
}

/**
 * Asks the remote server in the client's place.
 *
 * @returns its response; undefined if there is none, and the client has been answered
 * @throws LoginNeeded if the request may begin a session of HTTP+SSE, whose client would not read our answer
 */
export async function ask(parts: RouteParts, asked: Asked, toSend: ToSend): Promise<Answered | undefined> {
  try {
    return await sendOn(parts, asked, toSend);
  } catch (error) {
    if (asked.leaving.isGone) return undefined;
    if (error instanceof LoginNeeded) {
      parts.counters.answered++;
      if (toSend.method === 'GET' && mayBeginSse(asked)) throw error;
      // Never 401: a client would begin a login of its own, for our address.
      if (answerInstead(parts, asked, { why: error.message, hasArrived: false, status: 200 })) return undefined;
      const isStream = toSend.method !== 'POST';
      refuse(asked.response, isStream ? 405 : 503, error.message, isStream ? { allow: 'POST' } : {});
      return undefined;
    }
    if (!(error instanceof UpstreamFault)) throw error;
    if (!answerInstead(parts, asked, { why: error.message, hasArrived: noteFault(parts, error) }))
      refuse(asked.response, 502, error.message);
    return undefined;
  }
}

/** Clients of streamable HTTP name their session or their revision by then, with few exceptions. */
function mayBeginSse({ session, request }: Asked): boolean {
  return session === undefined && request.headers['mcp-protocol-version'] === undefined;
}

/** Counts and tells of a failure to reach the server. @returns true if the server may have got the request */
export function noteFault({ counters, onFault }: Pick<RouteParts, 'counters' | 'onFault'>, fault: UpstreamFault): boolean {
  counters.failed++;
  onFault(fault);
  return fault.kind === 'reset' || fault.kind === 'protocol';
}

/**
 * Sends a client's request on, and follows redirects within the server's origin: a client that followed them would bypass us. If clawai logs in
 * to the server, the request carries its token; one that the server refuses (HTTP 401, so it was not processed) is sent once more with a new one.
 *
 * @throws UpstreamFault, LoginNeeded, or the reason of an abort
 */
export async function sendOn(
  parts: Pick<RouteParts, 'name' | 'upstream' | 'headers' | 'path' | 'origin' | 'credentials'>,
  {
    request,
    query,
    leaving,
  }: {
    readonly request: Pick<Asked['request'], 'rawHeaders'>;
    readonly query: string;
    readonly leaving: Pick<Leaving, 'onStart'> & { readonly signal?: AbortSignal | undefined };
  },
  { method, body }: ToSend,
): Promise<Answered> {
  const { upstream, name, credentials } = parts;
  let authorization = credentials === undefined ? undefined : headerIn(await credentials.current());
  let headers = headersFor(parts, request, authorization);
  let isRenewed = false;
  let path = upstreamPath(parts, query);
  for (let hops = 0; ; hops++) {
    const answer = await upstream.send({ method, path, headers, body, onStart: leaving.onStart, signal: leaving.signal });
    const status = answer.statusCode ?? 0;
    if (credentials !== undefined && authorization !== undefined && status === 401) {
      answer.destroy();
      if (isRenewed) throw new LoginNeeded(`${name} does not accept even a new token (HTTP 401)`);
      authorization = headerIn(await credentials.renew(authorization));
      headers = headersFor(parts, request, authorization);
      isRenewed = true;
      continue;
    }
    const challenge = credentials === undefined || status !== 403 ? undefined : answer.header('www-authenticate');
    if (credentials !== undefined && challenge !== undefined) {
      answer.destroy();
      throw new LoginNeeded(credentials.refused(challenge));
    }
    if (status < 300 || status === 304 || status >= 400) return { answer, path };
    answer.destroy();
    const next = hops < MOST_REDIRECTS ? follow(parts, path, { status, method, location: answer.headers.location }) : undefined;
    if (next === undefined)
      throw new UpstreamFault('protocol', `${name} redirects (${status}) to an address that clawai does not follow`);
    path = next;
  }
}

/** The headers of a client's request for the server. @param authorization of the login that clawai has */
export function headersFor(
  { upstream, headers }: Pick<RouteParts, 'upstream' | 'headers'>,
  { rawHeaders }: Pick<Asked['request'], 'rawHeaders'>,
  authorization: string | undefined,
): string[] {
  const set = authorization === undefined ? headers : { ...headers, authorization };
  return toUpstreamHeaders(rawHeaders, { host: upstream.host, set, drop: NONE });
}

interface Redirect {
  readonly status: number;
  readonly method: string;
  readonly location: string | undefined;
}

/** Returns path and query of a redirect's target; undefined if it leaves the origin, or would change the method. */
function follow(
  { origin }: Pick<RouteParts, 'origin'>,
  path: string,
  { status, method, location }: Redirect,
): string | undefined {
  if (location === undefined || (method === 'POST' && status !== 307 && status !== 308)) return undefined;
  if (!URL.canParse(location, origin + path)) return undefined;
  const next = new URL(location, origin + path);
  return next.origin === origin ? next.pathname + next.search : undefined;
}
