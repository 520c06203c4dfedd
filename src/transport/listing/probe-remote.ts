import { type IncomingMessage, request as requestPlain, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';
import type { JsonObject } from '../../core/json.ts';
import { LEGACY_REVISION } from '../../protocol/mcp/methods.ts';
import { agentFor } from '../http/env-proxy.ts';
import { mayBeOlder } from '../mcp-http/mcp-headers.ts';
import { OWN_NAME } from './server-lister.ts';
import { readAnswer } from './read-answer.ts';
import { SseStream } from './sse-stream.ts';

/** Headers of one message on one connection, which we set ourselves. */
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A server's reaction to a greeting. `why` is a phrase without the server's own words, which may be anything. */
export type Probed =
  /** It answers as streamable HTTP or HTTP+SSE, the transport of 2024-11-05, requires. */
  | { readonly kind: 'mcp' }
  /** It requires a login. */
  | { readonly kind: 'login' }
  /** It does not answer, or not as an MCP server. */
  | { readonly kind: 'unreachable'; readonly why: string }
  /** Its kind is unclear. */
  | { readonly kind: 'unknown'; readonly why: string };

export interface ProbeOptions {
  readonly url: string;
  /** Headers of each request, sent to the URL's own origin only: redirects are not followed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Our version, for the server. */
  readonly version: string;
  /** Aborts when time is up. */
  readonly signal: AbortSignal;
}

/** Greets a server as a client of the legacy era would, and classifies its answer. Never rejects. */
export async function probeRemote(options: ProbeOptions): Promise<Probed> {
  try {
    return await probe(options);
  } catch (error) {
    return faultOf(error, options.signal);
  }
}

async function probe(options: ProbeOptions): Promise<Probed> {
  const clientInfo = { name: OWN_NAME, version: options.version };
  const params = { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo };
  const id = 'clawai-1';
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
  const response = await send(options, 'POST', body);
  const { status, session, message } = await readAnswer(response, id);
  const isMcp = isMessage(message);
  const wantsLogin = status === 401 || status === 403 || (isMcp && status < 300 && (await isListRefused(options, session)));
  // The server may ignore this.
  if (session !== undefined) await send(options, 'DELETE', undefined, { 'mcp-session-id': session }).catch(() => {});
  if (wantsLogin) return { kind: 'login' };
  if (status >= 300 && status < 400) return judgeRedirect(options.url, status, response.headers.location);
  if (mayBeOlder(status)) {
    const other = await probeStream(options, isMcp);
    if (other !== undefined) return other;
  }
  if (isMcp) return { kind: 'mcp' };
  const how = status >= 200 && status < 300 ? 'with something that is not an MCP message' : `with HTTP status ${status}`;
  return { kind: 'unreachable', why: `it answers ${how}` };
}

/** Tells whether a server that has greeted us wants a login for what comes next, as some do. */
async function isListRefused(options: ProbeOptions, session: string | undefined): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'clawai-2', method: 'tools/list', params: {} });
  const own = session === undefined ? {} : { 'mcp-session-id': session };
  try {
    const response = await send(options, 'POST', body, { ...own, 'mcp-protocol-version': LEGACY_REVISION });
    response.destroy();
    return response.statusCode === 401;
  } catch {
    // It has greeted us, so it is there.
    return false;
  }
}

/** Asks for the stream of HTTP+SSE. @param isMcp true if it has answered with a message, so that a missing stream is conclusive too */
async function probeStream(options: ProbeOptions, isMcp: boolean): Promise<Probed | undefined> {
  try {
    const response = await send(options, 'GET');
    const { statusCode, headers } = response;
    if (statusCode === 401 || statusCode === 403) {
      response.destroy();
      return isMcp ? undefined : { kind: 'login' };
    }
    const isStream = statusCode === 200 && /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
    const stream = isStream ? await SseStream.open(response) : undefined;
    response.destroy();
    return stream === undefined ? undefined : { kind: 'mcp' };
  } catch (error) {
    return isMcp ? undefined : faultOf(error, options.signal);
  }
}

/** Judges a redirect: `clawai serve` follows only those within the origin. */
function judgeRedirect(url: string, status: number, location: string | undefined): Probed {
  const isWithin = location !== undefined && URL.canParse(location, url) && new URL(location, url).origin === new URL(url).origin;
  return isWithin
    ? { kind: 'unknown', why: `it redirects (HTTP status ${status})` }
    : { kind: 'unreachable', why: `it redirects to another origin (HTTP status ${status})` };
}

function isMessage(message: JsonObject | undefined): boolean {
  return message?.['jsonrpc'] === '2.0' && (message['result'] !== undefined || message['error'] !== undefined);
}

function send(
  { url, headers, version, signal }: ProbeOptions,
  verb: 'POST' | 'GET' | 'DELETE',
  body?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const own = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()));
  const options: RequestOptions = {
    method: verb,
    signal,
    agent: agentFor(new URL(url)),
    headers: {
      'user-agent': `clawai/${version}`,
      ...Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value])),
      accept: verb === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...more,
    },
  };
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? requestTls : requestPlain)(url, options);
    request.on('error', reject);
    request.on('response', resolve);
    request.end(body);
  });
}

function faultOf(error: unknown, signal: AbortSignal): Probed {
  if (signal.aborted) return { kind: 'unreachable', why: 'it did not answer in time' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection';
  // HTTP can't send these headers; a client may still make something of them.
  if (code.startsWith('ERR_INVALID') || code.startsWith('ERR_HTTP')) {
    return { kind: 'unknown', why: 'its entry has headers that HTTP cannot send' };
  }
  return { kind: 'unreachable', why: `it cannot be reached (${code})` };
}
