/** What the last part of a URL at `clawai serve` may be: at least 128 bits where it is random; only letters that stay as they are in a URL. */
export const URL_SECRET = /^[A-Za-z0-9_-]{22,128}$/;

/** The same in words. */
export const URL_SECRET_WANTED = '22 to 128 letters, digits, "-" or "_"';

/** A URL at which a remote server can be reached, or what is wrong with it: `problem` is the end of a sentence that names it. */
export type RemoteUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string; readonly hint?: string };

/** What a URL may have unwritten: anything that is not seen, which parsers drop silently, is a mistake. */
const UNSEEN = /[\p{Cc}\s]/u;

/**
 * Checks the URL of a remote server: absolute, http or https, without a user's name or password and without a fragment. What is wrong
 * never repeats the URL, which may have secrets in it.
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
