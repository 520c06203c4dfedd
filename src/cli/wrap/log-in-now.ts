import { ClawaiError } from '../../errors.ts';
import { loginCommand } from '../../remote/login/login-command.ts';
import { loadLogins } from '../login/managed-servers.ts';
import { note, warn } from '../terminal/notes.ts';
import { refuseAgents } from '../terminal/person.ts';
import { printable } from '../terminal/text.ts';

/** Logs the person at the terminal in to those of these servers that are wrapped, and managed, by now. What fails can be done later. */
export async function logInNow(urls: ReadonlySet<string>): Promise<void> {
  const { store, servers } = await loadLogins(undefined);
  // Several clients may have an entry for one server.
  const wanted = new Map(servers.flatMap((one) => (one.auth === 'managed' && urls.has(one.url) ? [[one.url, one]] : [])));
  for (const { name, url, tlsFingerprint } of wanted.values()) {
    try {
      const known = store.find(url);
      if (known !== undefined && known.problem === undefined) {
        note(`clawai is still logged in to ${printable(name)}`);
        continue;
      }
      refuseAgents('login');
      const { logIn } = await import('../login/log-in.ts');
      const options = { client: undefined, scope: undefined, authorizationServer: undefined, port: 0, isBrowserUsed: true };
      if (!(await logIn(store, { name, url, tlsFingerprint }, options))) note(`\`${loginCommand(name)}\` does it later`);
    } catch (error) {
      if (!(error instanceof ClawaiError)) throw error;
      warn(`${error.message}${error.hint === undefined ? '' : `; ${error.hint}`}`);
    }
  }
}
