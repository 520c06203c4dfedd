import { redactedMark, redactText } from '../core/dlp/redact-text.ts';

/** Characters of a URL that are shown. */
const MOST = 2048;

/** A part of a path that nobody would think up: a UUID, or letters and digits in a row as a random token has them. */
const RANDOM =
  /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|.*(?:(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{24,}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{20,}).*)$/;

/** A server that is reached by URL, as `clawai serve` has to know it. */
export interface RemoteServer {
  /** By which the policy knows it; part of its URL. Well-formed Unicode, never empty. */
  readonly name: string;
  /** Where it is reached without clawai. */
  readonly url: string;
  /** Last part of its URL at `clawai serve`: whoever knows it may call the server. */
  readonly secret: string;
  /** Go with every request to it. */
  readonly headers: Readonly<Record<string, string>>;
  /** `sha256:` and 64 hexadecimal digits, of the key that its certificate must have. */
  readonly tlsFingerprint: string | undefined;
  /** Whose session calls on its URL are part of, a stable word such as `client:claude-code` or `declared`. */
  readonly group: string;
}

/** The URL at which clients reach a server through `clawai serve`. @param origin e.g. `http://127.0.0.1:8787` */
export function routeUrl(origin: string, { name, secret }: Pick<RemoteServer, 'name' | 'secret'>): string {
  return `${origin}/mcp/${encodeURIComponent(name)}/${secret}`;
}

/** What a URL at `clawai serve` says, whatever its host and port; undefined where it is none of these. */
export function parseRouteUrl(url: string): Pick<RemoteServer, 'name' | 'secret'> | undefined {
  const { name = '', secret = '' } = ROUTE.exec(url)?.groups ?? {};
  if (name === '') return undefined;
  try {
    return { name: decodeURIComponent(name), secret };
  } catch {
    // Percent signs that encode nothing.
    return undefined;
  }
}

const ROUTE = /^https?:\/\/[^/?#]+\/mcp\/(?<name>[^/?#]+)\/(?<secret>[A-Za-z0-9_-]{22,128})$/i;

/** Can this name be a part of a URL's path that everybody reads the same way? */
export function isRoutable(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.isWellFormed() && !name.includes('\0');
}

/**
 * A URL for people and reports: what looks like a secret, random parts of its path, and every value of its query, which servers take tokens in, are left out.
 * Names of the query stay.
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
