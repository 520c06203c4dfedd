import { finished } from 'node:stream/promises';
import { toUpstreamHeaders } from '../http/headers.ts';
import type { UpstreamRequest } from '../http/upstream.ts';
import type { Asked } from './asked.ts';
import { toBody } from './body-lines.ts';
import { headerIn } from './login-needed.ts';
import { type RouteParts, type StandIn, upstreamPath } from './route-parts.ts';

/** Headers of the client's request that describe it alone. */
const ABOUT_THE_REQUEST: ReadonlySet<string> = new Set(['content-type', 'accept', 'last-event-id', 'mcp-method', 'mcp-name']);

/**
 * Most answers in flight to a server, most that wait, and milliseconds for each. Asking costs a server nothing, and one that accepts no
 * answers would make us hold a connection for each.
 */
const MOST_OPEN = 32;
const MOST_WAITING = 1024;
const PATIENCE = 10_000;

interface Traffic {
  open: number;
  readonly waiting: (() => Promise<void>)[];
  hasWarned: boolean;
}

const traffic = new WeakMap<StandIn, Traffic>();

/**
 * Sends the server the answers to its own requests, in the client's place and session. Nobody waits for the outcome; a server with too many
 * pending answers gets no more.
 */
export function postBack(parts: RouteParts, { request, query }: Pick<Asked, 'request' | 'query'>, lines: string): void {
  const { upstream } = parts;
  const known = traffic.get(upstream) ?? { open: 0, waiting: [], hasWarned: false };
  traffic.set(upstream, known);
  const failed = (why: unknown): void => {
    parts.counters.failed++;
    if (!known.hasWarned) parts.warn(`${parts.name} never learned that its request was denied: ${String(why)}`);
    known.hasWarned = true;
  };
  if (known.waiting.length >= MOST_WAITING) {
    failed('it leaves too many answers unread');
    return;
  }
  const path = upstreamPath(parts, query);
  const body = Buffer.from(toBody(lines, false));
  const sendOne = async (): Promise<void> => {
    const { credentials } = parts;
    const own = credentials === undefined ? {} : { authorization: headerIn(await credentials.current()) };
    const set = { ...parts.headers, ...own, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const headers = toUpstreamHeaders(request.rawHeaders, { host: upstream.host, set, drop: ABOUT_THE_REQUEST });
    await send(upstream, { method: 'POST', path, headers, body });
  };
  known.waiting.push(() => sendOne().catch(failed));
  sendWaiting(known);
}

/** Drops the answers that wait for this server. */
export function dropWaiting(upstream: StandIn): void {
  traffic.get(upstream)?.waiting.splice(0);
}

function sendWaiting(known: Traffic): void {
  if (known.open >= MOST_OPEN) return;
  const next = known.waiting.shift();
  if (next === undefined) return;
  known.open++;
  void next().finally(() => {
    known.open--;
    sendWaiting(known);
  });
}

async function send(upstream: StandIn, asked: UpstreamRequest): Promise<void> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new Error('it takes too long to take the answer')), PATIENCE).unref();
  try {
    const answer = await upstream.send({ ...asked, signal: giveUp.signal });
    await finished(answer.resume());
  } finally {
    clearTimeout(timer);
  }
}
