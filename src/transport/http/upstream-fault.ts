/**
 * The reason why a request got no response. `unreachable`: no connection. `timeout`: no connection in time. `tls`: untrusted certificate,
 * or no common TLS version. `fingerprint`: another key than the pinned one. `reset`: the connection broke, and the request may have been
 * processed. `protocol`: the request or the response is not valid HTTP.
 */
export type UpstreamFaultKind = 'unreachable' | 'timeout' | 'tls' | 'fingerprint' | 'reset' | 'protocol';

/** Fingerprints of keys, as `sha256:` and 64 hexadecimal digits. */
export interface Fingerprints {
  readonly expected: string;
  readonly found: string;
}

/** A failed request to a remote server. The message is for people, and contains neither header values nor a query. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly kind: UpstreamFaultKind;
  /** Set if the kind is `fingerprint`. */
  readonly fingerprints: Fingerprints | undefined;

  constructor(kind: UpstreamFaultKind, message: string, options: { cause?: unknown; fingerprints?: Fingerprints } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.fingerprints = options.fingerprints;
  }
}

type Reason = readonly [UpstreamFaultKind, string];

const BROKE: Reason = ['reset', 'the connection broke before a response came'];
const NOT_HTTP: Reason = ['protocol', 'its answer is not an HTTP response'];

const REASONS: ReadonlyMap<string, Reason> = new Map([
  ['ECONNREFUSED', ['unreachable', 'the connection was refused']],
  ['ENOTFOUND', ['unreachable', 'there is no such host']],
  ['EAI_AGAIN', ['unreachable', 'its name could not be looked up']],
  ['EHOSTUNREACH', ['unreachable', 'there is no route to the host']],
  ['ENETUNREACH', ['unreachable', 'the network is unreachable']],
  ['EADDRNOTAVAIL', ['unreachable', 'the address is unreachable']],
  ['ETIMEDOUT', ['timeout', 'it does not answer']],
  ['ECONNRESET', BROKE],
  ['EPIPE', BROKE],
  ['UND_ERR_HEADERS_OVERFLOW', ['protocol', 'the headers of its response are too large']],
  ['UND_ERR_INVALID_ARG', ['protocol', 'HTTP does not allow the method, the path or a header']],
  ['UND_ERR_NOT_SUPPORTED', ['protocol', 'HTTP does not allow the method, the path or a header']],
  ['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', ['protocol', 'the length of the body differs from its header']],
]);

/** Codes of a broken response: the parser's error, contradicting lengths, or an assertion of undici. */
const BROKEN_RESPONSE: ReadonlySet<string> = new Set(['HTTPParserError', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION']);
/** Messages of undici's socket errors, which tell the side at fault. */
const SOCKET_REASONS: ReadonlyMap<string, Reason> = new Map([
  ['bad response', NOT_HTTP],
  ['bad upgrade', ['protocol', 'it switched to another protocol']],
]);

/**
 * Turns an error of Node's sockets or undici's client into a fault.
 *
 * @param origin scheme, host and port, for the message
 */
export function toUpstreamFault(error: unknown, origin: string): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  const [kind, reason] = reasonOf(error);
  return new UpstreamFault(kind, `cannot reach ${origin}: ${reason}`, { cause: error });
}

function reasonOf(error: unknown): Reason {
  const code = codeOf(error);
  if (BROKEN_RESPONSE.has(code)) return NOT_HTTP;
  if (code === 'UND_ERR_SOCKET') return SOCKET_REASONS.get(error instanceof Error ? error.message : '') ?? BROKE;
  return REASONS.get(code) ?? ['reset', `the connection failed (${code})`];
}

/** Turns an error before the connection was established into a fault. */
export function toConnectFault(error: unknown, origin: string, isTls: boolean): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  const code = codeOf(error);
  const [kind, reason] = REASONS.get(code) ?? (isTls ? ['tls', tlsReason(error, code)] : ['unreachable', code]);
  if (kind !== 'reset') return new UpstreamFault(kind, `cannot reach ${origin}: ${reason}`, { cause: error });
  return new UpstreamFault(isTls ? 'tls' : 'unreachable', `cannot reach ${origin}: the connection broke while it was made`, {
    cause: error,
  });
}

function tlsReason(error: unknown, code: string): string {
  const isOfOpenSsl = code.startsWith('ERR_SSL_') || code === 'EPROTO';
  if (isOfOpenSsl) return `there is no common TLS version or cipher (${code})`;
  return `its certificate is not trusted: ${error instanceof Error ? error.message : code} (${code})`;
}

/**
 * Returns the code of the first attempt if several addresses were tried, and the name of an error without a code, as from undici's parser.
 */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
