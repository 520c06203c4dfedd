import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseTarget, type Target } from './target.ts';

/** The names under which requests may address this listener. */
interface OwnNames {
  /** Values of the Host header, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Values of the Origin header, in lower case. */
  readonly origins: ReadonlySet<string>;
}

interface OwnNamesOptions {
  readonly scheme: 'http' | 'https';
  /** The listen address. */
  readonly host: string;
  readonly port: number;
  /** Further names, with or without a port. */
  readonly hosts: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Wildcard addresses: valid to listen on, but not to request. Browsers take the first one for this machine. */
const WILDCARDS = new Set(['0.0.0.0', '[::]']);
const DEFAULT_PORTS = { http: 80, https: 443 };
const WITH_PORT = /^(?:\[[^\]]*\]|[^:]*):\d+$/;

/** The reason for refusing a request. */
export interface Refusal {
  /** HTTP status. Never 401: clients would start a login. */
  readonly status: number;
  readonly message: string;
}

/** Decides from a request's head whether it is for us, and unambiguous to every parser. */
export type Admission = (request: IncomingMessage) => Target | Refusal;

/** Most header lines; no client sends more. Node would silently drop those beyond its own limit. */
const MOST_HEADERS = 256;

/** Headers that must not repeat, since it would be unclear which one counts. The same holds for MCP's (`mcp-*`). */
const SINGLE = new Set([
  'host',
  'content-length',
  'content-type',
  'origin',
  'authorization',
  'transfer-encoding',
  'expect',
  'x-clawai-token',
]);

/** The relevant lines of a request's head. */
interface Head {
  readonly hosts: string[];
  readonly origins: string[];
  readonly tokens: string[];
  readonly transferEncodings: string[];
  hasLength: boolean;
  expectation: string | undefined;
  /** The first forbidden duplicate. */
  duplicate: string | undefined;
}

/**
 * Creates the check that every request must pass: the Host is one of our names, the origin is ours, the token (if required) is right, the
 * target is unambiguous, and the headers have one meaning.
 */
export function createAdmission({ hosts, origins }: OwnNames, token: string | undefined): Admission {
  const digest = token === undefined ? undefined : hash('sha256', token, 'buffer');
  return (request) => {
    const head = readHead(request.rawHeaders);
    const [host] = head.hosts;
    if (host === undefined || head.hosts.length > 1 || !hosts.has(host.toLowerCase())) {
      return { status: 403, message: 'the Host header names a host that this listener does not serve' };
    }
    if (!head.origins.every((origin) => origins.has(origin.toLowerCase()))) {
      return { status: 403, message: 'pages of other origins may not send requests' };
    }
    if (digest !== undefined && !isToken(head.tokens, digest)) {
      return { status: 403, message: 'the X-Clawai-Token header is missing or wrong' };
    }
    const target = parseTarget(request.url ?? '');
    if (typeof target === 'string') return { status: 400, message: target };
    return findAmbiguity(request, head) ?? target;
  };
}

function readHead(raw: readonly string[]): Head {
  const head: Head = {
    hosts: [],
    origins: [],
    tokens: [],
    transferEncodings: [],
    hasLength: false,
    expectation: undefined,
    duplicate: undefined,
  };
  const seen: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const key = raw[index]?.toLowerCase() ?? '';
    if (!SINGLE.has(key) && !key.startsWith('mcp-')) continue;
    if (seen.includes(key)) head.duplicate ??= key;
    else seen.push(key);
    const value = raw[index + 1] ?? '';
    if (key === 'host') head.hosts.push(value);
    else if (key === 'origin') head.origins.push(value);
    else if (key === 'x-clawai-token') head.tokens.push(value);
    else if (key === 'transfer-encoding') head.transferEncodings.push(value);
    else if (key === 'content-length') head.hasLength = true;
    else if (key === 'expect') head.expectation = value;
  }
  return head;
}

/** Compares hashes, which have equal length, so that the time does not show how much of a guess was right. */
function isToken(tokens: readonly string[], digest: Buffer): boolean {
  const [token] = tokens;
  return token !== undefined && tokens.length === 1 && timingSafeEqual(hash('sha256', token, 'buffer'), digest);
}

function findAmbiguity(request: IncomingMessage, head: Head): Refusal | undefined {
  if (request.rawHeaders.length > 2 * MOST_HEADERS) return { status: 431, message: `more than ${MOST_HEADERS} headers` };
  if (head.duplicate !== undefined) return { status: 400, message: `the ${head.duplicate} header appears twice` };
  const [transferEncoding] = head.transferEncodings;
  if (transferEncoding !== undefined) {
    if (head.hasLength) return { status: 400, message: 'both Content-Length and Transfer-Encoding' };
    if (request.httpVersion !== '1.1') return { status: 400, message: 'Transfer-Encoding needs HTTP/1.1' };
    if (transferEncoding.toLowerCase() !== 'chunked')
      return { status: 501, message: 'the only Transfer-Encoding here is chunked' };
  }
  const { expectation } = head;
  if (expectation !== undefined && expectation.toLowerCase() !== '100-continue') {
    return { status: 417, message: 'the only expectation here is 100-continue' };
  }
  return undefined;
}

/**
 * Returns the names under which requests may address a listener. A site that makes a browser call us under its own name (DNS rebinding) is
 * refused by that name. The port is part of a name, and may be absent if it is the scheme's default; under TLS it may also be absent for
 * further names, since a proxy on another port may stand in front.
 */
export function ownNames({ scheme, host, port, hosts }: OwnNamesOptions): OwnNames {
  const names = new Set<string>();
  const add = (name: string): void => {
    names.add(`${name}:${port}`);
    if (port === DEFAULT_PORTS[scheme]) names.add(name);
  };
  for (const name of [...LOOPBACK, bracketed(host.toLowerCase())]) if (!WILDCARDS.has(name)) add(name);
  for (const further of hosts) {
    const name = bracketed(further.toLowerCase());
    if (WITH_PORT.test(name)) {
      names.add(name);
      continue;
    }
    add(name);
    if (scheme === 'https') names.add(name);
  }
  return { hosts: names, origins: new Set([...names].map((name) => `${scheme}://${name}`)) };
}

/** Puts an IPv6 address in brackets, as in URLs; returns anything else unchanged. */
export function bracketed(host: string): string {
  return host.split(':').length > 2 && !host.startsWith('[') ? `[${host}]` : host;
}
