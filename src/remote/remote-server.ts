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
