/** Matches the last part of a URL at `clawai serve`: at least 128 bits if it is random, and only characters that a URL keeps unescaped. */
export const URL_SECRET = /^[A-Za-z0-9_-]{22,128}$/;

/** Describes `URL_SECRET` in words. */
export const URL_SECRET_WANTED = '22 to 128 letters, digits, "-" or "_"';

/** The URL of a remote server, or its fault: `problem` is the end of a sentence that begins with the setting's name. */
export type RemoteUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string; readonly hint?: string };

/** Matches invisible characters, which URL parsers drop silently; in a URL they are a mistake. */
const UNSEEN = /[\p{Cc}\s]/u;

/**
 * Checks the URL of a remote server: absolute, http or https, without user name, password or fragment. The fault never repeats the URL,
 * which may contain secrets.
 */
export function readRemoteUrl(text: string): RemoteUrl {
  if (UNSEEN.test(text) || !URL.canParse(text)) return { ok: false, problem: 'must be a URL like "https://mcp.example.com/mcp"' };
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return { ok: false, problem: 'must start with https:// or http://' };
  if (username !== '' || password !== '') {
    return { ok: false, problem: 'must not contain a user name or a password', hint: 'use an authorization header' };
  }
  if (text.includes('#')) return { ok: false, problem: 'must not have a fragment: servers never see what follows a #' };
  return { ok: true, url: text };
}
