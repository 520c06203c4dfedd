/**
 * Why a request got no response. `unreachable`: no connection. `timeout`: no connection in time. `tls`: no trust in the certificate, or no
 * common TLS. `fingerprint`: another key than the pinned one. `reset`: the connection broke, and whether the request was processed is not
 * known. `protocol`: what came, or what was to be sent, is not HTTP.
 */
export type UpstreamFaultKind = 'unreachable' | 'timeout' | 'tls' | 'fingerprint' | 'reset' | 'protocol';

/** Of keys, as `sha256:` and 64 hexadecimal digits. */
export interface Fingerprints {
  readonly expected: string;
  readonly found: string;
}

/** A remote server that could not be asked. The message is for people and has neither values of headers nor a query. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly kind: UpstreamFaultKind;
  /** Where the kind is `fingerprint`. */
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

/** How a broken response shows itself: to the parser, as one length that contradicts another, or as what undici holds to be impossible. */
const BROKEN_RESPONSE: ReadonlySet<string> = new Set(['HTTPParserError', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION']);
/** The message of undici's errors of sockets says which of the two sides was at fault. */
const SOCKET_REASONS: ReadonlyMap<string, Reason> = new Map([
  ['bad response', NOT_HTTP],
  ['bad upgrade', ['protocol', 'it switched to another protocol']],
]);

/**
 * The fault that an error of Node's sockets and of undici's client stands for.
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

/** The fault that an error before a connection was there stands for. */
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

/** Of the first attempt, where several addresses were tried. The name where there is no code, as with the errors of undici's parser. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
