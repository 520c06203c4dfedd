import { redactedMark, redactText } from '../core/dlp/redact-text.ts';

/** Most characters of a URL that are shown. */
const MOST = 2048;

/** Matches a part of a path that looks random: a UUID, or a run of letters and digits like a token. */
const RANDOM =
  /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|.*(?:(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{24,}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{20,}).*)$/;

/** A server that is reached by URL, with what `clawai serve` needs to know. */
export interface RemoteServer {
  /** The name in policies, and a part of its URL. Well-formed Unicode, never empty. */
  readonly name: string;
  /** The server's own URL, without clawai. */
  readonly url: string;
  /** The last part of its URL at `clawai serve`: it grants access to the server. */
  readonly secret: string;
  /** Headers added to every request to it. */
  readonly headers: Readonly<Record<string, string>>;
  /** `managed`: clawai logs in to it, and sends its own tokens. */
  readonly auth?: 'managed' | undefined;
  /** Its clients speak no MCP before 2026-07-28, so a server of an older revision is translated for them. */
  readonly isModernOnly?: boolean | undefined;
  /** `sha256:` and 64 hexadecimal digits, the fingerprint of the key that its certificate must have. */
  readonly tlsFingerprint: string | undefined;
  /** Groups calls on its URL into a session, by a stable word such as `client:claude-code` or `declared`. */
  readonly group: string;
}

/** Builds the URL at which clients reach a server through `clawai serve`. @param origin e.g. `http://127.0.0.1:8787` */
export function routeUrl(origin: string, { name, secret }: Pick<RemoteServer, 'name' | 'secret'>): string {
  return `${origin}/mcp/${encodeURIComponent(name)}/${secret}`;
}

/** Parses a server's URL at `clawai serve`, whatever its host and port; undefined for other URLs. */
export function parseRouteUrl(url: string): Pick<RemoteServer, 'name' | 'secret'> | undefined {
  const { name = '', secret = '' } = ROUTE.exec(url)?.groups ?? {};
  if (name === '') return undefined;
  try {
    return { name: decodeURIComponent(name), secret };
  } catch {
    // The percent signs are invalid.
    return undefined;
  }
}

const ROUTE = /^https?:\/\/[^/?#]+\/mcp\/(?<name>[^/?#]+)\/(?<secret>[A-Za-z0-9_-]{22,128})$/i;

/** Tells whether this name can be a part of a URL's path that every parser reads alike. */
export function isRoutable(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.isWellFormed() && !name.includes('\0');
}

/**
 * Redacts a URL for people and reports. It masks what looks like a secret, random parts of the path, and every value of the query, since
 * some servers take tokens there. Names in the query stay.
 */
export function showUrl(url: string): string {
  const at = url.indexOf('?');
  const start = showPath(redactText(at === -1 ? url : url.slice(0, at), MOST).text);
  if (at === -1) return start;
  const fields = url.slice(at + 1).split('&');
  const shown = fields.map((field) => {
    const equals = field.indexOf('=');
    return equals === -1 ? redactedMark('query') : `${field.slice(0, equals)}=${redactedMark('query')}`;
  });
  return `${start}?${shown.join('&')}`;
}

function showPath(start: string): string {
  const [scheme = '', none = '', host = '', ...parts] = start.split('/');
  return [scheme, none, host, ...parts.map((part) => (RANDOM.test(part) ? redactedMark('path') : part))].join('/');
}
