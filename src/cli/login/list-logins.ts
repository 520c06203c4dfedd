import type { Login } from '../../remote/login/login.ts';
import { showUrl } from '../../remote/remote-server.ts';
import { stdoutLook } from '../terminal/colour.ts';
import { Table } from '../terminal/table.ts';
import type { loadLogins } from './managed-servers.ts';

/** How a managed server stands: with what people may know of its login. */
export interface LoginState {
  readonly server: string;
  readonly url: string;
  readonly state: 'logged_in' | 'login_needed';
  /** The reason why a login is needed, a phrase. */
  readonly problem: string | undefined;
  readonly issuer: string | undefined;
  readonly scope: string | undefined;
  /** The end of the token at hand, ISO 8601; a new one is fetched before that, if there is a way. */
  readonly expires: string | undefined;
  readonly place: Login['place'] | undefined;
}

/** Says how a login stands. @param login undefined if there is none */
export function stateOf({ name, url }: { readonly name: string; readonly url: string }, login: Login | undefined): LoginState {
  const problem = login === undefined ? 'nobody has logged in so far' : login.problem;
  return {
    server: name,
    url: showUrl(url),
    state: problem === undefined ? 'logged_in' : 'login_needed',
    problem,
    issuer: login?.issuer,
    scope: login?.scope,
    expires: login?.expires === undefined || problem !== undefined ? undefined : new Date(login.expires).toISOString(),
    place: problem === undefined ? login?.place : undefined,
  };
}

/** Describes in words how a login stands. */
export function describeLogin({ state, problem, server }: LoginState): string {
  return state === 'logged_in' ? 'logged in' : `wants a login: clawai login ${server} (${problem})`;
}

/** Formats all logins for stdout. Names no token. @throws ClawaiError where they can't be read */
export function listLogins({ servers, store }: Awaited<ReturnType<typeof loadLogins>>, isJson: boolean): string {
  const managed = new Map(
    servers.filter(({ auth }) => auth === 'managed').map((server) => [`${server.name}\0${server.url}`, server]),
  );
  const states = [...managed.values()].map((server) => stateOf(server, store.find(server.url)));
  if (isJson) return `${JSON.stringify({ logins: states }, undefined, 2)}\n`;
  if (states.length === 0) return 'No server has auth = "managed".\n';
  return new Table<LoginState>(
    [
      { title: 'SERVER', least: 8, cell: ({ server }) => server },
      { title: 'STATE', least: 12, cell: (state) => describeLogin(state) },
      { title: 'AUTHORIZATION SERVER', least: 12, cell: ({ issuer = '' }) => issuer },
      { title: 'SCOPES', least: 8, cell: ({ scope = '' }) => scope },
      { title: 'KEPT IN', cell: ({ place = '' }) => place },
    ],
    stdoutLook(),
  ).format(states);
}
