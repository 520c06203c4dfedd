import { EXIT } from '../../errors.ts';
import type { LoginStore } from '../../remote/login/login-store.ts';
import { showUrl } from '../../remote/remote-server.ts';
import { createSafeFetch } from '../../transport/login/safe-fetch.ts';
import { defineCommand, usageError } from '../command.ts';
import { warn } from '../terminal/notes.ts';
import { refuseAgents } from '../terminal/person.ts';
import { printable } from '../terminal/text.ts';
import { findManaged, loadLogins } from './managed-servers.ts';

/** `clawai logout`: forgets the tokens for a server. */
export const logoutCommand = defineCommand({
  meta: {
    name: 'logout',
    description: 'Forget the login to a remote server, and have its tokens revoked.',
    notes: ['The tokens are forgotten in any case. If the authorization server can revoke them, it is asked to.'],
    examples: ['clawai logout docs'],
  },
  words: { hint: 'SERVER', description: 'The name of a server, or its URL.', isRequired: true },
  args: { config: { type: 'string', hint: 'FILE', description: 'The config with the servers.' } },
  async run({ flags, words }) {
    const [word = '', ...others] = words;
    if (others.length > 0) throw usageError('give one server', '`clawai login --list` shows those that there are');
    refuseAgents('logout');
    const logins = await loadLogins(flags.config);
    const { store } = logins;
    // The login of a server that is declared no more can still be forgotten by its URL.
    // Lists show URLs without what is secret in them, which may fit several.
    const shown = store.list().filter(({ url }) => showUrl(url) === word);
    const login = store.find(word) ?? (shown.length === 1 ? shown[0] : undefined);
    const known = logins.servers.find(({ url }) => url === login?.url);
    const { url, tlsFingerprint } =
      login === undefined ? findManaged(logins, word) : { url: login.url, tlsFingerprint: known?.tlsFingerprint };
    if (store.find(url) === undefined) {
      process.stdout.write(`There was no login to ${printable(word)}.\n`);
      return EXIT.ok;
    }
    // A renewal that is under way ends first, so that its tokens are the ones to revoke.
    const lock = await store.lock(url);
    const problem = await revoke(store, url, tlsFingerprint).finally(() => lock.release());
    if (problem !== undefined) warn(`the authorization server did not revoke the tokens: ${printable(problem)}`);
    process.stdout.write(`Logged out of ${printable(word)}.\n`);
    return EXIT.ok;
  },
});

/** Revokes the tokens, and forgets them in any case. @returns why they could not be revoked */
async function revoke(store: LoginStore, url: string, tlsFingerprint: string | undefined): Promise<string | undefined> {
  const login = store.find(url);
  try {
    if (login === undefined) return undefined;
    const secrets = await store.secretsOf(login);
    const { revokeLogin } = await import('../../remote/login/oauth-client.ts');
    if (secrets !== undefined) await revokeLogin(login, secrets, createSafeFetch({ server: url, tlsFingerprint }));
    return login.revocationEndpoint === undefined ? 'it has no address for that' : undefined;
  } catch (error) {
    // The tokens end by themselves.
    return error instanceof Error ? error.message : String(error);
  } finally {
    await store.forget(url);
  }
}
