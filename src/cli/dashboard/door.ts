import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Lets in whoever opens an address that a person was given, and nobody else.
 *
 * Each address has a token that counts once: a program's arguments, in which it reaches the browser, can be read by every process of the user.
 * It becomes a cookie. Browsers send cookies to all ports of a host, and so to servers that an agent has started; so this one is bound to a
 * path that nobody can guess and that is in no address that was given away.
 */
export class Door {
  /** The path of the page, with a slash at both ends. */
  readonly path: string = `/${secret()}/`;
  readonly #cookie = secret();
  #ticket = secret();

  /** Makes a token, which opens the door once. The one before counts no more: it may stand in a terminal that others can read. */
  issue(): string {
    this.#ticket = secret();
    return this.#ticket;
  }

  /** Takes a token. @returns the value of `Set-Cookie`, or undefined if it is not the last one, or was used */
  take(ticket: string): string | undefined {
    if (!isEqual(ticket, this.#ticket)) return undefined;
    this.#ticket = secret();
    return `${NAME}=${this.#cookie}; Path=${this.path}; HttpOnly; SameSite=Strict`;
  }

  /** Says why a request for the page, or for what is below it, is not let in; undefined if it is. */
  findFault({ headers, method, url }: IncomingMessage): string | undefined {
    const cookies = (headers.cookie ?? '').split(/; */).filter((cookie) => cookie.startsWith(`${NAME}=`));
    if (!cookies.some((cookie) => isEqual(cookie.slice(NAME.length + 1), this.#cookie))) {
      return 'this page opens with the address that clawai dashboard prints, once; press Enter there for another one';
    }
    // Pages on other ports of this host count as the same site, and their requests have the cookie if they know the path.
    const site = headers['sec-fetch-site'];
    const isDocument = url === this.path && headers['sec-fetch-dest'] === 'document';
    if (site !== undefined && site !== 'same-origin' && !isDocument) return 'pages of other origins may not send requests';
    if (method === 'GET') return undefined;
    if (headers.origin === undefined) return 'an answer has to come from the page';
    return headers['content-type'] === 'application/json' ? undefined : 'expected JSON';
  }
}

const NAME = 'clawai';

function secret(): string {
  return randomBytes(24).toString('base64url');
}

function isEqual(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}
