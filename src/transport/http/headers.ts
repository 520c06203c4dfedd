/** Header lines as Node returns them: name, value, name, value, in order, with case and duplicates kept. */
export type RawHeaders = readonly string[];

/** Options for rewriting a client's headers, besides the rules of HTTP itself. */
export interface UpstreamHeaderOptions {
  /** The remote server's name and port, for its Host header. */
  readonly host: string;
  /** Headers that replace the client's, by name. */
  readonly set: Readonly<Record<string, string>>;
  /** Names, in lower case, of headers to drop. */
  readonly drop: ReadonlySet<string>;
}

export interface DownstreamHeaderOptions {
  /** True if the body differs from the one that was received. */
  readonly isRewritten: boolean;
}

interface Context {
  /** Names that Connection lines declare as hop-by-hop. */
  readonly named: ReadonlySet<string>;
  /** Names that the configuration replaces or drops. */
  readonly configured: ReadonlySet<string>;
}

/** True if a header (name in lower case) is dropped. */
type Pass = (key: string, context: Context) => boolean;
type NamePass = (key: string) => boolean;

/** RFC 9110 7.6.1, and RFC 7540 3.2.1 for the last. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings']);
const NONE: ReadonlySet<string> = new Set();

/** Headers of a WebSocket's handshake; each connection has its own ones. */
export const OF_HANDSHAKE: ReadonlySet<string> = new Set([
  'sec-websocket-accept',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
]);

/**
 * End-to-end headers. RFC 9110 forbids naming them in Connection; a sender who does wants the next hop to see another message than the one
 * that was checked.
 */
const END_TO_END = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'authorization',
  'cookie',
  'set-cookie',
  'accept',
  'origin',
  'last-event-id',
  'cache-control',
  'location',
  'www-authenticate',
]);

const hopByHop: NamePass = (key) => HOP_BY_HOP.has(key) || key.startsWith('proxy-');
const namedInConnection: Pass = (key, { named }) => named.has(key) && !END_TO_END.has(key) && !key.startsWith('mcp-');
/** These headers describe our address, which contains a secret and is unknown to the remote server. */
const aboutOurAddress: NamePass = (key) => key === 'host' || key === 'origin' || key === 'referer';
/** The body is sent on decoded with its own length, and the answer must come without encoding. */
const aboutTheBody: NamePass = (key) => key === 'content-length' || key === 'content-encoding' || key === 'accept-encoding';
const forUs: NamePass = (key) => key.startsWith('x-clawai-');
/**
 * Drops names that CGI or WSGI programs confuse with a checked header: they turn other characters into underscores, so `Mcp_Name` and
 * `Mcp-Name` become one. Other names may contain underscores.
 */
const namesake: NamePass = (key) => {
  if (PLAIN.test(key)) return false;
  const name = key.replaceAll(/[^a-z0-9-]/g, '-');
  return name.startsWith('mcp-') || END_TO_END.has(name) || HOP_BY_HOP.has(name);
};
const PLAIN = /^[a-z0-9-]*$/;
/** We have answered the expectation. */
const expectation: NamePass = (key) => key === 'expect';
const configured: Pass = (key, context) => context.configured.has(key);
/** Alt-Svc would send the client to another address (RFC 7838), bypassing us. */
const elsewhere: NamePass = (key) => key === 'alt-svc';

const OF_THE_BODY = new Set([
  'content-length',
  'content-encoding',
  'etag',
  'digest',
  'content-digest',
  'repr-digest',
  'content-md5',
  'accept-ranges',
  'content-range',
]);
/** These headers describe the received body only. */
const ofTheBody: NamePass = (key) => OF_THE_BODY.has(key);

/** Passes that depend on the name alone, with a cache of their results by spelled name. */
interface NamePasses {
  readonly passes: readonly NamePass[];
  readonly known: Map<string, boolean>;
}

const UPSTREAM: NamePasses = {
  passes: [hopByHop, aboutOurAddress, aboutTheBody, forUs, namesake, expectation],
  known: new Map(),
};
const DOWNSTREAM: NamePasses = { passes: [hopByHop, elsewhere], known: new Map() };
const DOWNSTREAM_REWRITTEN: NamePasses = { passes: [...DOWNSTREAM.passes, ofTheBody], known: new Map() };
/** Passes that depend on the message's other headers, or on the configuration. */
const FURTHER: readonly Pass[] = [namedInConnection, configured];

/** Cache limits: names come from peers. */
const MOST_KNOWN = 256;
const LONGEST_KNOWN = 64;

/**
 * Rewrites a client's headers for a remote server: without hop-by-hop headers and those meant for us, the rest in order and spelling.
 * Content-Length is left out, since the sender of the body sets it. Nothing reveals the proxy.
 *
 * @param raw as Node returns them
 */
export function toUpstreamHeaders(raw: RawHeaders, { host, set, drop }: UpstreamHeaderOptions): string[] {
  const entries = Object.entries(set);
  const replaced = entries.length === 0 ? drop : new Set([...drop, ...entries.map(([name]) => name.toLowerCase())]);
  const headers: string[] = replaced.has('host') ? [] : ['host', host];
  keep(raw, { passes: UPSTREAM, context: { named: namesInConnection(raw), configured: replaced }, into: headers });
  if (!replaced.has('accept-encoding')) headers.push('accept-encoding', 'identity');
  for (const [name, value] of entries) headers.push(name, value);
  return headers;
}

/**
 * Rewrites a remote server's headers for the client: without hop-by-hop headers, and without those about the received body if it is
 * rewritten. Duplicates stay.
 *
 * @param raw as Node returns them
 */
export function toDownstreamHeaders(raw: RawHeaders, { isRewritten }: DownstreamHeaderOptions): string[] {
  const headers: string[] = [];
  const passes = isRewritten ? DOWNSTREAM_REWRITTEN : DOWNSTREAM;
  keep(raw, { passes, context: { named: namesInConnection(raw), configured: NONE }, into: headers });
  return headers;
}

/** Tells whether a name or value contains a character that would end a line, or that HTTP forbids (RFC 9110 5.1, 5.5). */
export function hasForbiddenCharacter(headers: RawHeaders): boolean {
  return headers.some((text, index) => (index % 2 === 0 ? !TOKEN.test(text) : FORBIDDEN.test(text)));
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Node writes headers as Latin-1: a character beyond it would be cut to a byte, perhaps a line feed. */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

interface Keeping {
  readonly passes: NamePasses;
  readonly context: Context;
  readonly into: string[];
}

function keep(raw: RawHeaders, { passes, context, into }: Keeping): void {
  const hasContext = context.named.size > 0 || context.configured.size > 0;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (isDroppedByName(name, passes) || (hasContext && isDroppedHere(name, context))) continue;
    into.push(name, raw[index + 1] ?? '');
  }
}

function isDroppedByName(name: string, { passes, known }: NamePasses): boolean {
  let isDropped = known.get(name);
  if (isDropped !== undefined) return isDropped;
  const key = name.toLowerCase();
  isDropped = passes.some((pass) => pass(key));
  if (known.size < MOST_KNOWN && name.length <= LONGEST_KNOWN) known.set(name, isDropped);
  return isDropped;
}

function isDroppedHere(name: string, context: Context): boolean {
  const key = name.toLowerCase();
  return FURTHER.some((pass) => pass(key, context));
}

function namesInConnection(raw: RawHeaders): ReadonlySet<string> {
  let names: Set<string> | undefined;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index]?.length !== 'connection'.length || raw[index]?.toLowerCase() !== 'connection') continue;
    names ??= new Set();
    for (const name of raw[index + 1]?.split(',') ?? []) names.add(name.trim().toLowerCase());
  }
  return names ?? NONE;
}
