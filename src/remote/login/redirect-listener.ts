import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Milliseconds for a person to log in. */
const PATIENCE_MS = 5 * 60_000;

/** The answer of the authorization server. `error`: it refused, by a code of OAuth. */
export type RedirectAnswer = { readonly iss: string | undefined } & ({ readonly code: string } | { readonly error: string });

export interface RedirectListener {
  /** The address that the authorization server sends the browser to. */
  readonly url: string;
  /** The state of the request (RFC 6749 10.12): 128 random bits. */
  readonly state: string;
  /** Resolves with the first answer; undefined after five minutes. */
  readonly answer: Promise<RedirectAnswer | undefined>;
  /** Takes the address to which a browser elsewhere was sent. False if it is not an answer to this login. */
  readonly take: (pasted: string) => boolean;
  readonly close: () => void;
}

export interface RedirectOptions {
  /** 0 for any that is free. */
  readonly port: number;
  /** True if the address is registered elsewhere, so that its path has to be known. */
  readonly isRegistered: boolean;
  readonly patience?: number | undefined;
}

/**
 * Listens on this machine for the one answer to a login. Whoever else asks learns nothing: answers are fixed texts, and only a request with the
 * login's state counts. Rejects if the port can't be had.
 */
export async function listenForRedirect({
  port,
  isRegistered,
  patience = PATIENCE_MS,
}: RedirectOptions): Promise<RedirectListener> {
  const state = randomBytes(16).toString('base64url');
  const path = isRegistered ? '/callback' : `/callback/${randomBytes(16).toString('base64url')}`;
  const { promise, resolve } = Promise.withResolvers<RedirectAnswer | undefined>();
  let isTaken = false;
  let host = '';
  const take = (url: URL): Taken => {
    if (url.pathname !== path || url.host !== host) return 'elsewhere';
    const read = readAnswer(url, state);
    if (read === undefined) return 'no-answer';
    if (isTaken) return 'late';
    isTaken = true;
    resolve(read);
    return 'taken';
  };
  const server = createServer((request, response) => answer(request, response, take));
  await listen(server, port);
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const timer = setTimeout(() => resolve(undefined), patience);
  return {
    url: `http://${host}${path}`,
    state,
    answer: promise,
    take: (pasted) => URL.canParse(pasted) && take(new URL(pasted)) === 'taken',
    close() {
      clearTimeout(timer);
      server.close();
      server.closeIdleConnections();
      // The last page may still be on its way.
      setTimeout(() => server.closeAllConnections(), CLOSING_MS).unref();
    },
  };
}

const CLOSING_MS = 500;

type Taken = 'taken' | 'late' | 'no-answer' | 'elsewhere';

/** Each page: its status, and what it says. */
const PAGES: Readonly<Record<Taken, readonly [status: number, text: string]>> = {
  taken: [200, 'clawai has the answer. You can close this window.'],
  late: [409, 'This login has already been answered.'],
  'no-answer': [400, 'This is no answer to a login of clawai.'],
  elsewhere: [404, 'There is nothing here.'],
};

function answer(request: IncomingMessage, response: ServerResponse, take: (url: URL) => Taken): void {
  const target = `http://${request.headers.host ?? ''}${request.url ?? ''}`;
  const isAsked = request.method === 'GET' && (request.url ?? '').startsWith('/') && URL.canParse(target);
  const [status, text] = PAGES[isAsked ? take(new URL(target)) : 'elsewhere'];
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${text}\n`);
}

/** Reads an answer of an authorization server; undefined without the login's state, or without a code or an error. */
function readAnswer({ searchParams }: URL, state: string): RedirectAnswer | undefined {
  const [given = '', ...others] = searchParams.getAll('state');
  const [theirs, ours] = [Buffer.from(given), Buffer.from(state)];
  const isOurs = theirs.length === ours.length && timingSafeEqual(theirs, ours);
  const all = ['code', 'error', 'iss'].map((name) => searchParams.getAll(name));
  if (!isOurs || others.length > 0 || all.some(({ length }) => length > 1)) return undefined;
  const [[code], [error], [iss]] = all as [string[], string[], string[]];
  if (error !== undefined && error !== '') return { error, iss };
  return code === undefined || code === '' ? undefined : { code, iss };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
