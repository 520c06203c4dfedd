import { toUpstreamHeaders } from '../http/headers.ts';
import { refuse } from '../http/respond.ts';
import { UpstreamFault } from '../http/upstream-fault.ts';
import type { UpstreamResponse } from '../http/upstream-response.ts';
import { answerInstead } from './answer.ts';
import type { Asked } from './asked.ts';
import { type RouteParts, upstreamPath } from './route-parts.ts';

/** Most redirects within the server's own origin that are followed. */
const MOST_REDIRECTS = 3;

const NONE: ReadonlySet<string> = new Set();

/**
 * Asks the remote server, and follows redirects within its origin: a client that followed them would bypass us.
 *
 * @returns its response; undefined if there is none, and the client has been answered
 */
export async function ask(
  parts: RouteParts,
  asked: Asked,
  { method, body }: { readonly method: string; readonly body: Buffer | undefined },
): Promise<UpstreamResponse | undefined> {
  const { upstream, counters } = parts;
  const headers = toUpstreamHeaders(asked.request.rawHeaders, { host: upstream.host, set: parts.headers, drop: NONE });
  let path = upstreamPath(parts, asked.query);
  try {
    for (let hops = 0; ; hops++) {
      const answer = await upstream.send({ method, path, headers, body, onStart: asked.leaving.onStart });
      const status = answer.statusCode ?? 0;
      if (status < 300 || status === 304 || status >= 400) return answer;
      answer.destroy();
      const next = hops < MOST_REDIRECTS ? follow(parts, path, { status, method, location: answer.headers.location }) : undefined;
      if (next === undefined)
        throw new UpstreamFault('protocol', `${parts.name} redirects (${status}) to an address that clawai does not follow`);
      path = next;
    }
  } catch (error) {
    if (asked.leaving.isGone) return undefined;
    if (!(error instanceof UpstreamFault)) throw error;
    counters.failed++;
    parts.onFault(error);
    const hasArrived = error.kind === 'reset' || error.kind === 'protocol';
    if (!answerInstead(parts, asked, { why: error.message, hasArrived })) refuse(asked.response, 502, error.message);
    return undefined;
  }
}

interface Redirect {
  readonly status: number;
  readonly method: string;
  readonly location: string | undefined;
}

/** Returns path and query of a redirect's target; undefined if it leaves the origin, or would change the method. */
function follow({ origin }: RouteParts, path: string, { status, method, location }: Redirect): string | undefined {
  if (location === undefined || (method === 'POST' && status !== 307 && status !== 308)) return undefined;
  if (!URL.canParse(location, origin + path)) return undefined;
  const next = new URL(location, origin + path);
  return next.origin === origin ? next.pathname + next.search : undefined;
}
