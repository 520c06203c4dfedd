import { toUpstreamHeaders } from '../http/headers.ts';
import type { Asked } from './asked.ts';
import { toBody } from './one-line.ts';
import type { RouteParts } from './route-parts.ts';
import { upstreamPath } from './upstream-path.ts';

/** Of the client's request, those that are about it alone. */
const ABOUT_THE_REQUEST: ReadonlySet<string> = new Set(['content-type', 'accept', 'last-event-id', 'mcp-method', 'mcp-name']);

/** Sends the server the answers to what it asked, in the client's place and its session. What becomes of them nobody waits for. */
export function postBack(parts: RouteParts, { request, query }: Pick<Asked, 'request' | 'query'>, lines: string): void {
  const set = { ...parts.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const headers = toUpstreamHeaders(request.rawHeaders, { host: parts.upstream.host, set, drop: ABOUT_THE_REQUEST });
  void parts.upstream
    .send({ method: 'POST', path: upstreamPath(parts, query), headers, body: Buffer.from(toBody(lines, false)) })
    .then(
      (answer) => answer.resume().once('error', () => {}),
      (error: unknown) => parts.warn(`${parts.name} could not be told that its request was denied: ${String(error)}`),
    );
}
