import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import type { Config, LlmProvider } from '../../config/config.ts';
import type { ClawaiError } from '../../errors.ts';
import { findServing, type Serving } from '../../remote/serve-record.ts';
import type { RemoteServer } from '../../remote/remote-server.ts';
import { readRemoteState, remoteServersIn } from '../../remote/remote-state.ts';
import { providersIn } from '../../remote/served-provider.ts';
import { type LeftAlone, NO_STATE, type RemoteState } from '../../remote/state-text.ts';
import { createRoutes, NO_ROUTES, type Routes } from '../../wrap/routes.ts';
import type { LoginState } from '../login/login-state.ts';
import { asClawaiError } from '../../wrap/files/run-files.ts';

/** The state of remote servers, and of the process in front of them. */
export interface RemoteView {
  readonly routes: Routes;
  /** Entries that were left as they are, after their servers were asked. */
  readonly left: readonly LeftAlone[];
  readonly stateDir: string | undefined;
  readonly serving: Serving;
  /** Servers that have a URL at `clawai serve`, or get one when that starts: then without a secret. */
  readonly servers: readonly (Omit<RemoteServer, 'secret'> & { readonly secret: string | undefined })[];
  /** LLM providers that are declared; those that have never been served have no secret. */
  readonly providers: readonly (Pick<LlmProvider, 'name' | 'baseUrl'> & { readonly secret: string | undefined })[];
  /** How the servers stand that clawai logs in to. */
  readonly logins: readonly LoginState[];
  /** The origin at which it is reached, or would be; undefined where nobody knows before it runs. */
  readonly origin: string | undefined;
  /** The error that hides a part of this. */
  readonly error: ClawaiError | undefined;
}

/**
 * Looks for the remote servers that are known, and for `clawai serve`. Where the config or the state can't be read, nothing is known of
 * them, and `error` says why.
 *
 * @param isDry nothing will be written by what is planned with the routes
 */
export async function lookForRemote(isDry: boolean): Promise<RemoteView> {
  let config: Config;
  try {
    config = await loadConfig({ env: process.env, platform: process.platform, home: homedir() });
  } catch (error) {
    return {
      routes: NO_ROUTES,
      left: [],
      stateDir: undefined,
      serving: { kind: 'stopped' },
      servers: [],
      providers: [],
      logins: [],
      origin: undefined,
      error: asClawaiError(error),
    };
  }
  const { stateDir, listen } = config;
  const serving = await findServing(stateDir);
  const { state, error } = readState(stateDir);
  const known = remoteServersIn(config, state);
  const routes = createRoutes({
    stateDir,
    state,
    declared: known.filter(({ group }) => group === 'declared').map(({ secret }) => secret),
    listen,
    serving: reachFor(serving),
    isDry,
  });
  const origin = serving.kind === 'running' ? serving.record.url : originOf(config);
  const secrets = new Map(providersIn(config, state).map(({ name, secret }) => [name, secret]));
  const providers = config.llm.providers.map(({ name, baseUrl }) => ({ name, baseUrl, secret: secrets.get(name) }));
  const { left = [] } = state;
  const servers = [...known, ...withoutSecret(config, known)];
  const logins = servers.some(({ auth }) => auth === 'managed') ? await readLogins(config, servers) : [];
  return { routes, left, stateDir, serving, servers, providers, logins, origin, error };
}

async function readLogins(config: Config, servers: RemoteView['servers']): Promise<RemoteView['logins']> {
  const [{ loginStates }, { openLogins }] = await Promise.all([
    import('../login/login-state.ts'),
    import('../login/managed-servers.ts'),
  ]);
  return loginStates(openLogins(config), servers);
}

/** The origin of clients' URLs, or why there is none. Clients have no common place for a token of ours. */
function reachFor(serving: Serving): { readonly origin: string } | { readonly obstacle: string } {
  if (serving.kind !== 'running') return { obstacle: serving.kind === 'stopped' ? '' : serving.why };
  const { url, tokenFile } = serving.record;
  return tokenFile === undefined ? { origin: url } : { obstacle: 'it wants a token with every request (serve.token_file)' };
}

function readState(stateDir: string): { readonly state: RemoteState; readonly error: ClawaiError | undefined } {
  try {
    return { state: readRemoteState(stateDir), error: undefined };
  } catch (error) {
    return { state: NO_STATE, error: asClawaiError(error) };
  }
}

function withoutSecret({ servers }: Config, known: readonly RemoteServer[]): RemoteView['servers'] {
  const named = new Set(known.flatMap(({ name, group }) => (group === 'declared' ? [name] : [])));
  return servers
    .filter(({ id }) => !named.has(id))
    .map(({ id, url, headers, auth, tlsFingerprint }) => ({
      name: id,
      url,
      headers,
      auth,
      tlsFingerprint,
      secret: undefined,
      group: 'declared',
    }));
}

function originOf({ listen: { host, port }, serve }: Config): string | undefined {
  if (port === 0) return undefined;
  return `${serve.tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
