/** The reason of a server to refuse a token (RFC 6750 3). */
export interface Challenge {
  readonly error: string | undefined;
  readonly scope: string | undefined;
}

/** Reads a header `WWW-Authenticate`. */
export function readChallenge(header: string): Challenge {
  return { error: parameterOf(header, 'error'), scope: parameterOf(header, 'scope') };
}

/** Most characters of a header that are read. */
const MOST = 8192;

function parameterOf(header: string, name: string): string | undefined {
  const match = new RegExp(String.raw`(?:^|[\s,])${name}=(?:"([^"]*)"|([^\s,"]+))`, 'i').exec(header.slice(0, MOST));
  return match?.[1] ?? match?.[2];
}
