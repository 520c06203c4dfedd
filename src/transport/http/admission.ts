import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseTarget, type Target } from './target.ts';

/** What requests may call this listener. */
interface OwnNames {
  /** Values of the Host header, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Values of the Origin header, in lower case. */
  readonly origins: ReadonlySet<string>;
}

interface OwnNamesOptions {
  readonly scheme: 'http' | 'https';
  /** The address that is listened on. */
  readonly host: string;
  readonly port: number;
  /** Further names, with or without a port. */
  readonly hosts: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** All addresses: what is listened on, but not what anybody should ask for. Browsers take the first one for this machine. */
const WILDCARDS = new Set(['0.0.0.0', '[::]']);
const DEFAULT_PORTS = { http: 80, https: 443 };
const WITH_PORT = /^(?:\[[^\]]*\]|[^:]*):\d+$/;

/** Why a request is not looked at any further. */
export interface Refusal {
  /** HTTP status. Never 401: clients would start a login. */
  readonly status: number;
  readonly message: string;
}

/** Decides from a request's head whether it is one for us, and that all who read it read the same. */
export type Admission = (request: IncomingMessage) => Target | Refusal;

/** Lines; more than any client sends. Node would silently leave out those beyond a limit of its own. */
const MOST_HEADERS = 256;

/** Headers of which two would leave it open which one counts. So would two of MCP's (`mcp-*`). */
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

/** The lines of a request's head that matter here. */
interface Head {
  readonly hosts: string[];
  readonly origins: string[];
  readonly tokens: string[];
  readonly transferEncodings: string[];
  hasLength: boolean;
  expectation: string | undefined;
  /** The first name that came twice and may not. */
  duplicate: string | undefined;
}

/**
 * Creates the check that every request has to pass: asked for by a name of ours, by no page of another origin, with the token where
 * there is one, for an unambiguous target, with headers that have one meaning.
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

/** Compares hashes, which all have one length and tell nothing about how much of a guess was right. */
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
 * The names under which a listener may be asked for. Whoever makes a browser ask for it under a name of his own (DNS rebinding) is
 * known by that name. The port is part of a name, and may be absent where it is the scheme's; under TLS also of further names, since
 * there may be a port in front of ours.
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

/** An address of IPv6 as URLs write it; anything else as it is. */
export function bracketed(host: string): string {
  return host.split(':').length > 2 && !host.startsWith('[') ? `[${host}]` : host;
}
