import { lookup as lookUp } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import { connect } from '../http/connect.ts';
import { proxyFor } from '../http/env-proxy.ts';
import { maySendTo, type Reach, reachOf, widestReach } from './address-reach.ts';

/** Most bytes of an answer. */
const MOST_BYTES = 64 * 1024;

/** Milliseconds for a whole exchange. */
const PATIENCE_MS = 10_000;

/** Milliseconds to look up a host that is reached through a proxy: in such networks, names of the outside may have no answer. */
const LOOK_UP_MS = 1000;

/** An address that a server named and that is not asked. The OAuth client lets errors of this class through, and takes others for "not there". */
class RefusedAddress extends TypeError {
  override readonly name = 'RefusedAddress';
}

export interface SafeFetchOptions {
  /** The URL of the MCP server, which names all other addresses. */
  readonly server: string;
  /** The fingerprint of the server's key: `sha256:` and hexadecimal digits. It holds for its origin alone. */
  readonly tlsFingerprint?: string | undefined;
  readonly lookUp?: ((host: string) => Promise<readonly string[]>) | undefined;
  readonly patience?: number | undefined;
  readonly mostBytes?: number | undefined;
}

/**
 * Creates a `fetch` for addresses that a server names, for one login. It asks only by https, or by http on this machine if the server is on
 * it too; and no private address unless the server itself has one. It connects to the very address that it checked, and a name keeps its
 * addresses. It follows no redirect: the caller sees it. Like the server's other requests, these go by the proxy of the environment; the proxy looks up
 * names that have no address here, and such a host counts as a public one.
 *
 * It rejects with a RefusedAddress, or an Error if there is no whole answer in time.
 */
export function createSafeFetch(options: SafeFetchOptions): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const { tlsFingerprint, lookUp: find = findAddresses, patience = PATIENCE_MS, mostBytes = MOST_BYTES } = options;
  const server = new URL(options.server);
  const known = new Map<string, Promise<readonly string[] | undefined>>();
  const lookUpOf = async (url: URL): Promise<readonly string[] | undefined> => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) return [host];
    return proxyFor(url) === undefined ? find(host) : inTime(find(host), AbortSignal.timeout(LOOK_UP_MS)).catch(() => undefined);
  };
  const addressesOf = (url: URL): Promise<readonly string[] | undefined> => {
    const addresses = known.get(url.host) ?? lookUpOf(url);
    known.set(url.host, addresses);
    return addresses;
  };
  return async (input, init = {}) => {
    const url = new URL(input);
    const signal = AbortSignal.any([AbortSignal.timeout(patience), ...(init.signal instanceof AbortSignal ? [init.signal] : [])]);
    const addresses = await inTime(addressesOf(url), signal);
    const ofServer = reachIn(await inTime(addressesOf(server), signal));
    const usable = addresses?.filter((address) => maySendTo(ofServer, reachOf(address)));
    const problem = problemOf(url, usable, ofServer);
    if (problem !== undefined) throw new RefusedAddress(`${url.host} is not asked: ${problem}`);
    const pin = url.origin === server.origin ? tlsFingerprint : undefined;
    return inTime(send(url, { init, signal, addresses: usable, mostBytes, pin, patience }), signal);
  };
}

function reachIn(addresses: readonly string[] | undefined): Reach {
  return addresses === undefined ? 'public' : widestReach(addresses);
}

function problemOf(url: URL, usable: readonly string[] | undefined, ofServer: Reach): string | undefined {
  if (url.username !== '' || url.password !== '') return 'its URL has a user name or a password';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is neither https nor http';
  if (usable?.length === 0) return `it is at an address that a server at a ${ofServer} one may not send clawai to`;
  const isLocal = usable !== undefined && usable.every((address) => reachOf(address) === 'loopback');
  return url.protocol === 'http:' && !isLocal ? 'it is not https' : undefined;
}

async function findAddresses(host: string): Promise<readonly string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new Error('there was no answer in time'));
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, late]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

interface Sending {
  readonly init: RequestInit;
  readonly signal: AbortSignal;
  readonly addresses: readonly string[] | undefined;
  readonly mostBytes: number;
  readonly pin: string | undefined;
  readonly patience: number;
}

function send(url: URL, { init, signal, addresses, mostBytes, pin, patience }: Sending): Promise<Response> {
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = init.body === null || init.body === undefined ? undefined : textOf(init.body);
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (url.protocol === 'https:' ? requestTls : requestPlain)(url, {
      method: init.method ?? 'GET',
      signal,
      createConnection: (_options, done) => {
        connect({ url, tlsFingerprint: pin, timeout: patience, addresses }, (fault, socket) => {
          if (socket !== undefined) done(null, socket);
          else reject(fault?.kind === 'fingerprint' ? new RefusedAddress(fault.message) : new Error(fault?.message));
        });
        return undefined;
      },
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    request.on('error', (error) => reject(signal.aborted ? new Error(`${url.host} did not answer in time`) : error));
    request.on('response', (response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let length = 0;
      const isOpen = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
      const answer = (): void => {
        const hasBody = status !== 204 && status !== 205 && status !== 304;
        resolve(new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers: toHeaders(response.rawHeaders) }));
      };
      if (status < 200 || status > 599) return void request.destroy(new Error(`${url.host} answered with status ${status}`));
      // A stream has no end, and none of its events matter here.
      if (isOpen) {
        answer();
        return void response.destroy();
      }
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > mostBytes) request.destroy(new Error(`${url.host} answered with more than ${mostBytes / 1024} KiB`));
        else chunks.push(chunk);
      });
      response.on('end', answer);
    });
    request.end(body);
  });
}

function textOf(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('only texts and forms are sent');
}

function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  return headers;
}
