import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writeAtomically } from '../../host/atomic-write.ts';
import { toDiskError } from '../../host/disk.ts';
import { type Lock, takeLock, whileLocked } from '../../host/lock.ts';
import { makePrivateFolder } from '../../host/make-folder.ts';
import type { Keychain } from './keychain.ts';
import { formatLogins, type Login, type LoginSecrets, parseSecrets, type StoredLogin } from './login.ts';
import { loginFile, loginStamp, readLogins } from './login-file.ts';

/** Holders of the file's lock read and write one small file. */
const FILE_WAIT_MS = 10_000;

/** A holder of a login's lock asks an authorization server, and touches the lock meanwhile. */
const REFRESH_WAIT_MS = 45_000;
const STALE_MS = 10_000;

const CODE = 'remote_state_unusable';

export interface LoginStoreOptions {
  readonly stateDir: string;
  /** Opens the keychain; called once, when it is first needed. Resolves to undefined if tokens are to be in the file. */
  readonly openKeychain: () => Promise<Keychain | undefined>;
}

/** A login without what the store adds. */
export type NewLogin = Omit<Login, 'place' | 'version'>;

/**
 * The logins of a user: a file in the state folder that only the user may read, with the tokens, or without them if the system's keychain
 * has them. All processes of the user share it.
 */
export class LoginStore {
  readonly #stateDir: string;
  readonly #file: string;
  readonly #openKeychain: () => Promise<Keychain | undefined>;
  #keychain: Promise<Keychain | undefined> | undefined;
  #known: { readonly stamp: string; readonly logins: readonly StoredLogin[] } = { stamp: '', logins: [] };

  constructor({ stateDir, openKeychain }: LoginStoreOptions) {
    this.#stateDir = stateDir;
    this.#file = loginFile(stateDir);
    this.#openKeychain = openKeychain;
  }

  /** Lists all logins. @throws ClawaiError `remote_state_unusable` or `remote_state_damaged` */
  list(): readonly Login[] {
    return this.#read().map(({ login }) => login);
  }

  /** Finds the login for a server's URL. @throws ClawaiError as `list` */
  find(url: string): Login | undefined {
    return this.#stored(url)?.login;
  }

  /**
   * Reads the tokens of a login; undefined if there are none, or if others have taken their place.
   *
   * @throws ClawaiError as `list`; an Error if the keychain fails
   */
  async secretsOf({ url, version }: Login): Promise<LoginSecrets | undefined> {
    const stored = this.#stored(url);
    if (stored?.login.version !== version) return undefined;
    if (stored.login.place === 'file') return stored.secrets;
    const text = await (await this.#opened())?.read(this.#account(url, version));
    return text === undefined ? undefined : parseSecrets(text);
  }

  /** Stores a login in place of any other for its URL: in the keychain if possible. @throws ClawaiError as `list` */
  async save(login: NewLogin, secrets: LoginSecrets): Promise<Login> {
    return (await this.#replace(login, secrets, () => true)).saved;
  }

  /**
   * Stores a login's renewed tokens, if it is still this one: somebody may have logged out, or in anew.
   *
   * @returns undefined if nothing was stored
   * @throws ClawaiError as `list`
   */
  async renew(before: Login, news: Partial<NewLogin>, secrets: LoginSecrets): Promise<Login | undefined> {
    const isStill = (now: Login | undefined): boolean => now?.version === before.version;
    const { isStored, saved } = await this.#replace({ ...before, ...news }, secrets, isStill);
    return isStored ? saved : undefined;
  }

  async #replace(
    login: NewLogin,
    secrets: LoginSecrets,
    isWanted: (now: Login | undefined) => boolean,
  ): Promise<{ readonly isStored: boolean; readonly saved: Login }> {
    const version = randomBytes(16).toString('hex');
    const account = this.#account(login.url, version);
    const isInKeychain = await this.#tryKeychain((keychain) => keychain.write(account, JSON.stringify(secrets)));
    const saved: Login = { ...login, place: isInKeychain ? 'keychain' : 'file', version };
    let before: Login | undefined;
    let isStored = false;
    this.#update((now) => {
      before = now.find((one) => one.login.url === login.url)?.login;
      isStored = isWanted(before);
      if (!isStored) return now;
      const others = now.filter((one) => one.login.url !== login.url);
      return [...others, { login: saved, secrets: isInKeychain ? undefined : secrets }];
    });
    await this.#removeEntry(isStored ? before : saved);
    return { isStored, saved };
  }

  /** Changes what is known of a login, if it is still this one; its tokens stay. @throws ClawaiError as `list` */
  note({ url, version }: Login, news: Partial<Pick<Login, 'wanted'>>): void {
    this.#update((now) =>
      now.map((one) =>
        one.login.url === url && one.login.version === version ? { ...one, login: { ...one.login, ...news } } : one,
      ),
    );
  }

  /** Drops the tokens of a login that is no longer accepted, if it is still this one. @throws ClawaiError as `list` */
  async drop({ url, version }: Login, problem: string): Promise<void> {
    let before: Login | undefined;
    this.#update((now) =>
      now.map((one) => {
        if (one.login.url !== url || one.login.version !== version) return one;
        before = one.login;
        return { login: { ...one.login, problem, place: 'file', version: randomBytes(16).toString('hex') }, secrets: undefined };
      }),
    );
    await this.#removeEntry(before);
  }

  /** Forgets the login for a URL. @throws ClawaiError as `list` */
  async forget(url: string): Promise<void> {
    let before: Login | undefined;
    this.#update((now) => {
      before = now.find((one) => one.login.url === url)?.login;
      return before === undefined ? now : now.filter((one) => one.login.url !== url);
    });
    await this.#removeEntry(before);
  }

  /** Takes the lock under which the tokens for a URL are renewed, by one process at a time. @throws ClawaiError if it stays taken */
  lock(url: string): Promise<Lock> {
    const path = join(this.#stateDir, `login-${hashOf(url)}.lock`);
    return takeLock({
      path,
      kind: 'owned-directory',
      staleAfterMs: STALE_MS,
      waitMs: REFRESH_WAIT_MS,
      purpose: 'a login',
      diesWithOwner: true,
      code: CODE,
    });
  }

  #stored(url: string): StoredLogin | undefined {
    return this.#read().find(({ login }) => login.url === url);
  }

  #read(): readonly StoredLogin[] {
    const stamp = loginStamp(this.#stateDir);
    if (stamp !== this.#known.stamp || stamp === '') this.#known = { stamp, logins: readLogins(this.#file) };
    return this.#known.logins;
  }

  #opened(): Promise<Keychain | undefined> {
    return (this.#keychain ??= this.#openKeychain());
  }

  /** Tells whether there is a keychain and it did that. */
  async #tryKeychain(act: (keychain: Keychain) => Promise<void>): Promise<boolean> {
    const keychain = await this.#opened();
    if (keychain === undefined) return false;
    try {
      await act(keychain);
      return true;
    } catch {
      // It is locked, nobody is there to unlock it, or the tokens are too long for it: they go into the file.
      return false;
    }
  }

  /** Removes tokens that nothing leads to any more; if the keychain fails, its entry is left there. */
  async #removeEntry(login: Login | undefined): Promise<void> {
    if (login?.place === 'keychain')
      await this.#tryKeychain((keychain) => keychain.remove(this.#account(login.url, login.version)));
  }

  /** Entries of several state folders don't meet, and an old login's tokens are never taken for those of a new one. */
  #account(url: string, version: string): string {
    return `login ${hashOf(`${this.#stateDir}\0${url}`)} ${version}`;
  }

  #update(change: (now: readonly StoredLogin[]) => readonly StoredLogin[]): void {
    const file = this.#file;
    try {
      makePrivateFolder(this.#stateDir);
    } catch (error) {
      throw toDiskError(error, { file: this.#stateDir, failure: 'cannot be created', code: CODE });
    }
    const lock = { path: `${file}.lock`, staleAfterMs: STALE_MS, waitMs: FILE_WAIT_MS, diesWithOwner: true, code: CODE } as const;
    whileLocked({ ...lock, kind: 'owned-directory', purpose: file }, () => {
      const now = readLogins(file);
      const next = change(now);
      if (next === now) return;
      try {
        writeAtomically(file, Buffer.from(formatLogins(next)), { mode: 0o600 });
      } catch (error) {
        throw toDiskError(error, { file, failure: 'cannot be written', code: CODE });
      }
    });
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
