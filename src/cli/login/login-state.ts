import { quoteWord } from '../../core/shell/quote-word.ts';
import { ClawaiError } from '../../errors.ts';
import type { Login } from '../../remote/login/login.ts';
import { loginCommand } from '../../remote/login/login-command.ts';
import type { LoginStore } from '../../remote/login/login-store.ts';
import { type RemoteServer, showUrl } from '../../remote/remote-server.ts';

/** How a managed server stands: with what people may know of its login, and no token. */
export interface LoginState {
  readonly server: string;
  readonly url: string;
  /** True if requests to it get a token. */
  readonly isLoggedIn: boolean;
  /** The reason why a login is needed, a phrase. */
  readonly problem: string | undefined;
  readonly issuer: string | undefined;
  readonly scope: string | undefined;
  /** The end of the token at hand, in milliseconds since 1970; a new one is fetched before that, if there is a way. */
  readonly expires: number | undefined;
  readonly place: Login['place'] | undefined;
  /** True if no server has this URL now, so that the login is only kept. */
  readonly isKept: boolean;
}

type Managed = Pick<RemoteServer, 'name' | 'url' | 'auth'>;

/** Lists how each server stands that clawai logs in to; entries of several clients for one server once. */
export function loginStates(store: Pick<LoginStore, 'find'>, servers: readonly Managed[]): readonly LoginState[] {
  const managed = servers.filter(({ auth }) => auth === 'managed');
  const byServer = new Map(managed.map((server) => [`${server.name}\0${server.url}`, server]));
  return Array.from(byServer.values(), (server) => stateOf(store, server));
}

/**
 * Lists the logins to URLs that no managed server has now, e.g. since it was unwrapped.
 *
 * @throws ClawaiError where the logins can't be read, and no server is there whose state says so
 */
export function keptLogins(store: Pick<LoginStore, 'list' | 'find'>, servers: readonly Managed[]): readonly LoginState[] {
  try {
    return findKept(store, servers);
  } catch (error) {
    if (error instanceof ClawaiError && servers.some(({ auth }) => auth === 'managed')) return [];
    throw error;
  }
}

function findKept(store: Pick<LoginStore, 'list' | 'find'>, servers: readonly Managed[]): readonly LoginState[] {
  const used = new Set(servers.flatMap(({ url, auth }) => (auth === 'managed' ? [url] : [])));
  const kept = store.list().filter(({ url, problem }) => problem === undefined && !used.has(url));
  return kept.map(({ url }) => ({
    ...stateOf(store, { name: showUrl(url), url, auth: 'managed' }),
    isKept: true,
    isLoggedIn: false,
  }));
}

function stateOf(store: Pick<LoginStore, 'find'>, { name, url }: Managed): LoginState {
  const { login, problem } = findLogin(store, url);
  const isLoggedIn = problem === undefined;
  return {
    server: name,
    url: showUrl(url),
    isLoggedIn,
    problem,
    issuer: login?.issuer,
    scope: login?.scope,
    expires: isLoggedIn ? login?.expires : undefined,
    place: isLoggedIn ? login?.place : undefined,
    isKept: false,
  };
}

function findLogin(store: Pick<LoginStore, 'find'>, url: string): { readonly login?: Login; readonly problem?: string } {
  try {
    const login = store.find(url);
    if (login === undefined) return { problem: 'nobody has logged in so far' };
    return { login, ...(login.problem === undefined ? {} : { problem: login.problem }) };
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    return { problem: error.message };
  }
}

/** Describes in words how a login stands. */
export function describeLogin({ isLoggedIn, isKept, problem, server }: LoginState): string {
  if (isKept) return `used by no server: \`clawai logout ${quoteWord(server)}\` forgets it`;
  return isLoggedIn ? 'logged in' : `wants a login: ${loginCommand(server)} (${problem})`;
}

/** Returns the fields of a login for programs; `expires` is ISO 8601. */
export function loginJson({ server, url, isLoggedIn, problem, issuer, scope, expires, place }: LoginState): object {
  return {
    server,
    url,
    logged_in: isLoggedIn,
    problem: problem ?? null,
    issuer: issuer ?? null,
    scope: scope ?? null,
    expires: expires === undefined ? null : new Date(expires).toISOString(),
    kept_in: place ?? null,
  };
}
