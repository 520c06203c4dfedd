import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import type { Config } from '../../config/config.ts';
import { quoteWord } from '../../core/shell/quote-word.ts';
import { ClawaiError } from '../../errors.ts';
import { openKeychain } from '../../remote/login/keychain.ts';
import { LoginStore } from '../../remote/login/login-store.ts';
import { ManagedCredentials } from '../../remote/login/managed-credentials.ts';
import { type RemoteServer, showUrl } from '../../remote/remote-server.ts';
import { readRemoteState } from '../../remote/remote-state.ts';
import { createSafeFetch } from '../../transport/login/safe-fetch.ts';
import { usageError } from '../command.ts';
import { printable } from '../terminal/text.ts';

/** A server that a person may log in to. */
export type ManagedServer = Pick<RemoteServer, 'name' | 'url'> & Partial<Pick<RemoteServer, 'tlsFingerprint'>>;

interface Logins {
  readonly store: LoginStore;
  /** All remote servers, the declared ones first; `auth` tells which are managed. */
  readonly servers: readonly (ManagedServer & Pick<RemoteServer, 'auth'>)[];
}

/** Opens the logins of a config. */
export function openLogins({ stateDir, login }: Pick<Config, 'stateDir' | 'login'>): LoginStore {
  return new LoginStore({ stateDir, openKeychain: login.keychain ? openKeychain : async () => undefined });
}

/** The tokens for a managed server, for those who send requests to it. @param warn tells the person who runs us, in one line */
export function credentialsFor(
  { name, url, tlsFingerprint }: ManagedServer,
  store: LoginStore,
  warn: (line: string) => void,
): ManagedCredentials {
  return new ManagedCredentials({
    name,
    url,
    store,
    refresh: async (login, secrets) => {
      // The OAuth client is big, and most servers need none.
      const { refreshLogin } = await import('../../remote/login/oauth-client.ts');
      return refreshLogin(login, secrets, createSafeFetch({ server: url, tlsFingerprint }));
    },
    warn: (line) => warn(printable(line)),
  });
}

/** Loads the remote servers and the logins. @throws ClawaiError where the config or the state can't be read */
export async function loadLogins(flag: string | undefined): Promise<Logins> {
  const config = await loadConfig({ flag, env: process.env, platform: process.platform, home: homedir() });
  return { store: openLogins(config), servers: remoteServersOf(config) };
}

/** All remote servers, the declared ones first. @throws ClawaiError where the state can't be read */
export function remoteServersOf({ servers, stateDir }: Pick<Config, 'servers' | 'stateDir'>): Logins['servers'] {
  const declared = servers.map(({ id, url, auth, tlsFingerprint }) => ({ name: id, url, auth, tlsFingerprint }));
  return [...declared, ...readRemoteState(stateDir).wrapped];
}

/**
 * Finds the one managed server of a name, or of a URL. Entries of several clients for the same URL are one server.
 *
 * @throws ClawaiError `usage` if there is none, or several
 */
export function findManaged({ servers }: Pick<Logins, 'servers'>, word: string): ManagedServer {
  const named = servers.filter(({ name, url }) => name === word || url === word);
  const byUrl = new Map(named.filter(({ auth }) => auth === 'managed').map((server) => [server.url, server]));
  const [found, ...others] = byUrl.values();
  if (found !== undefined && others.length === 0) {
    const { name, url, tlsFingerprint } = found;
    return { name, url, tlsFingerprint };
  }
  const shown = printable(word);
  if (found !== undefined) {
    const urls = [...byUrl.keys()].map((url) => printable(showUrl(url))).join(', ');
    throw usageError(`there are several servers named ${shown}: ${urls}`, 'give the URL in place of the name');
  }
  if (named.length > 0) {
    const quoted = quoteWord(shown);
    throw usageError(
      `clawai does not log in to ${shown}: its client does, or nobody has to`,
      `set auth = "managed" in its [[servers]] table, or run \`clawai wrap --login ${quoted}\`; if it is wrapped, \`clawai unwrap ${quoted}\` first`,
    );
  }
  const known = [...new Set(servers.filter(({ auth }) => auth === 'managed').map(({ name }) => printable(name)))];
  throw usageError(
    `there is no remote server named ${shown}`,
    known.length === 0 ? 'no server has auth = "managed" so far' : `those with auth = "managed" are: ${known.join(', ')}`,
  );
}

/** An error of a login, for people: what failed, and what to do. */
export function loginError(message: string, hint: string, cause?: unknown): ClawaiError {
  return new ClawaiError(message, { code: 'login_failed', hint, cause });
}
