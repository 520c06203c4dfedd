/** Header lines as Node gives them: name, value, name, value, in their order, with their case, duplicates kept. */
export type RawHeaders = readonly string[];

/** What becomes of a client's headers, apart from what HTTP itself asks for. */
export interface UpstreamHeaderOptions {
  /** The remote server's name and port, for its Host header. */
  readonly host: string;
  /** Headers that replace the client's, by name. */
  readonly set: Readonly<Record<string, string>>;
  /** Names, in lower case, of headers that must not go on. */
  readonly drop: ReadonlySet<string>;
}

export interface DownstreamHeaderOptions {
  /** Is the body that goes on another than the one that came? */
  readonly isRewritten: boolean;
}

interface Context {
  /** Names that Connection lines have declared to be of this hop. */
  readonly named: ReadonlySet<string>;
  /** Names that are set anew or dropped because of the configuration. */
  readonly configured: ReadonlySet<string>;
}

/** True where a header, its name in lower case, does not go on. */
type Pass = (key: string, context: Context) => boolean;
type NamePass = (key: string) => boolean;

/** RFC 9110 7.6.1, and RFC 7540 3.2.1 for the last. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings']);
const NONE: ReadonlySet<string> = new Set();

/**
 * Headers that the message is about. RFC 9110 forbids to name them in Connection; whoever does wants the next hop to see a message
 * other than the one that was looked at.
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
/** Said about our address, which carries a secret and which the remote server does not know. */
const aboutOurAddress: NamePass = (key) => key === 'host' || key === 'origin' || key === 'referer';
/** The body goes on decoded and with a length of its own, and so must the answer come. */
const aboutTheBody: NamePass = (key) => key === 'content-length' || key === 'content-encoding' || key === 'accept-encoding';
const forUs: NamePass = (key) => key.startsWith('x-clawai-');
/**
 * What programs behind CGI or WSGI take for a header that was looked at: these write names with underscores, so that `Mcp_Name` and `Mcp-Name` are
 * one to them. Other names may have underscores.
 */
const namesake: NamePass = (key) => {
  if (PLAIN.test(key)) return false;
  const name = key.replaceAll(/[^a-z0-9-]/g, '-');
  return name.startsWith('mcp-') || END_TO_END.has(name) || HOP_BY_HOP.has(name);
};
const PLAIN = /^[a-z0-9-]*$/;
/** We have answered it. */
const expectation: NamePass = (key) => key === 'expect';
const configured: Pass = (key, context) => context.configured.has(key);
/** Would send the client to another address than ours (RFC 7838), past whatever we decide. */
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
/** True of the body that came, and of no other. */
const ofTheBody: NamePass = (key) => OF_THE_BODY.has(key);

/** Passes that go by the name alone, and what they say of names that were asked for already, as they are spelled. */
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
/** Those that depend on the other headers of the message, or on the configuration. */
const FURTHER: readonly Pass[] = [namedInConnection, configured];

/** Names come from peers: a few are remembered, and no long ones. */
const MOST_KNOWN = 256;
const LONGEST_KNOWN = 64;

/**
 * A client's headers as a remote server shall get them: without those of this hop and those meant for us, the rest in its order and
 * spelling. There is no Content-Length: who sends the body sets it. Nothing is added that says there is somebody in between.
 *
 * @param raw as Node gives them
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
 * A remote server's headers as the client shall get them: without those of this hop, and where the body is rewritten without those
 * that were true of the body that came. Duplicates stay.
 *
 * @param raw as Node gives them
 */
export function toDownstreamHeaders(raw: RawHeaders, { isRewritten }: DownstreamHeaderOptions): string[] {
  const headers: string[] = [];
  const passes = isRewritten ? DOWNSTREAM_REWRITTEN : DOWNSTREAM;
  keep(raw, { passes, context: { named: namesInConnection(raw), configured: NONE }, into: headers });
  return headers;
}

/** Is there a character in a name or value that would end a line, or that HTTP does not allow (RFC 9110 5.1, 5.5)? */
export function hasForbiddenCharacter(headers: RawHeaders): boolean {
  return headers.some((text, index) => (index % 2 === 0 ? !TOKEN.test(text) : FORBIDDEN.test(text)));
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Node writes headers as Latin-1: what is beyond would be cut to a byte, a line feed perhaps. */
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
