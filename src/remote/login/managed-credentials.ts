import { ClawaiError } from '../../errors.ts';
import { readChallenge } from './challenge.ts';
import { type Login, type LoginSecrets, scopesBeyond, uniteScopes } from './login.ts';
import { loginCommand } from './login-command.ts';
import type { LoginStore } from './login-store.ts';

/** Milliseconds before its end at which a token is renewed; a random part keeps processes and servers out of step. */
const EARLY_MS = 60_000;
const EARLY_SPREAD_MS = 30_000;

/** The part of a token's life in which it is not renewed for its end alone: some live for seconds. */
const LEAST_LIFE = 0.75;

/** Milliseconds after an attempt that was of no use in which no other is made. */
const REST_MS = 5000;

/** Most logins that a server may have for more scopes, each time with others: a hostile one would go on until its user no longer reads them. */
const MOST_RAISES = 3;

/** Most sessions that are known; the oldest is forgotten first. */
const MOST_SESSIONS = 10_000;

/** Reads of a login whose tokens another process replaces meanwhile. */
const MOST_READS = 3;

/** The header `authorization` for a request, or the reason why there is none: a sentence that says what to do. */
type Credential = { readonly header: string } | { readonly problem: string };

/** The outcome of a refresh. `refused`: the tokens are worthless. `failed`: they may be worth something later. `why` is a phrase. */
export type Refreshed =
  | { readonly kind: 'renewed'; readonly news: Pick<Login, 'scope' | 'expires'>; readonly secrets: LoginSecrets }
  | { readonly kind: 'refused' | 'failed'; readonly why: string };

export interface ManagedCredentialsOptions {
  readonly name: string;
  /** The server's own URL. */
  readonly url: string;
  readonly store: LoginStore;
  /** Exchanges the refresh token. Never rejects. */
  readonly refresh: (login: Login, secrets: LoginSecrets) => Promise<Refreshed>;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** There is no usable token; the message is a sentence that says what to do. */
class NoToken extends Error {}

interface Tokens {
  readonly login: Login;
  readonly secrets: LoginSecrets;
}

/**
 * The tokens for one server. They are renewed shortly before their end, and when the server refuses them: by one process at a time, since most
 * authorization servers take a refresh token only once.
 */
export class ManagedCredentials {
  readonly sessions = new KnownSessions();
  readonly #options: ManagedCredentialsOptions;
  readonly #now: () => number;
  readonly #early = EARLY_MS + Math.random() * EARLY_SPREAD_MS;
  #known: Tokens | undefined;
  #refreshing: Promise<LoginSecrets> | undefined;
  /** The last failed attempt to renew the tokens. */
  #failed = { until: Number.NEGATIVE_INFINITY, why: '' };

  /** The last token that was fetched since the server had refused another. */
  #given = { header: '', until: Number.NEGATIVE_INFINITY };

  constructor(options: ManagedCredentialsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Returns what the next request is sent with; at once, if nothing has to be read or renewed. Never throws or rejects. */
  readonly current = (): Credential | Promise<Credential> => {
    try {
      const { version } = this.#find();
      const known = this.#known;
      if (known?.login.version === version && !this.#isDue(known)) return { header: headerOf(known.secrets) };
    } catch (error) {
      return toProblem(error);
    }
    return this.#answer(async () => {
      const tokens = await this.#read();
      if (!this.#isDue(tokens)) return tokens.secrets;
      try {
        return await this.#refresh(tokens.login.version);
      } catch (error) {
        // A token is good until its end, even if a new one can't be had now.
        if (this.#find().version === tokens.login.version && !this.#isOver(tokens.login)) return tokens.secrets;
        throw error;
      }
    });
  };

  /** Renews what the server has refused (HTTP 401), unless that has been done since. Never rejects. */
  readonly renew = (refused: string): Promise<Credential> =>
    this.#answer(async () => {
      const { login, secrets } = await this.#read();
      if (headerOf(secrets) !== refused) return secrets;
      // A server that refuses every token would have one fetched for each request.
      if (refused === this.#given.header && this.#now() < this.#given.until)
        throw new NoToken(`${this.#options.name} does not accept even a new token (HTTP 401)`);
      const renewed = await this.#refresh(login.version);
      this.#given = { header: headerOf(renewed), until: this.#now() + REST_MS };
      return renewed;
    });

  /** Takes a challenge that came with HTTP 403. If it names scopes, the next login asks for them too. @returns a sentence */
  readonly refused = (challenge: string): string => {
    const { name, store } = this.#options;
    const { error, scope } = readChallenge(challenge);
    if (error !== 'insufficient_scope') return `${name} does not allow this to its user (HTTP 403)`;
    const which = uniteScopes(scope);
    const choose = `\`${loginCommand(name, '--scope SCOPES')}\` asks for those that you choose`;
    // Another login would ask for the same.
    if (which === undefined) return `${name} wants other rights than its login has, and does not name them: ${choose}`;
    try {
      const login = this.#find();
      if (scopesBeyond(which, login.scope) === undefined)
        return `${name} does not allow this to its user, although the login has the rights that it names (${which})`;
      if ((login.raised ?? 0) >= MOST_RAISES)
        return `${name} wants more rights again (${which}), after ${MOST_RAISES} logins that gave it more: ${choose}`;
      const wanted = uniteScopes(login.scope, login.wanted, scope);
      if (wanted !== login.wanted) store.note(login, { wanted });
    } catch (fault) {
      // The person can still give the scopes with --scope.
      if (!(fault instanceof NoToken || fault instanceof ClawaiError)) throw fault;
    }
    return `${name} needs a login with more rights (${which}): run \`${loginCommand(name)}\` in a terminal`;
  };

  async #answer(find: () => Promise<LoginSecrets>): Promise<Credential> {
    try {
      return { header: headerOf(await find()) };
    } catch (error) {
      return toProblem(error);
    }
  }

  /** @throws NoToken, or a ClawaiError of the store */
  #find(): Login {
    const { store, url } = this.#options;
    const login = store.find(url);
    if (login === undefined) throw this.#needed('nobody has logged in so far');
    if (login.problem !== undefined) throw this.#needed(login.problem);
    return login;
  }

  #needed(why: string): NoToken {
    const { name } = this.#options;
    return new NoToken(`${name} wants a login: run \`${loginCommand(name)}\` in a terminal (${why})`);
  }

  async #read(): Promise<Tokens> {
    const { store, name } = this.#options;
    for (let reads = 0; reads < MOST_READS; reads++) {
      const login = this.#find();
      if (this.#known?.login.version === login.version) return (this.#known = { login, secrets: this.#known.secrets });
      let secrets: LoginSecrets | undefined;
      try {
        secrets = await store.secretsOf(login);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new NoToken(`the tokens for ${name} can't be read from the keychain: ${why}`);
      }
      if (secrets !== undefined) return (this.#known = { login, secrets });
    }
    throw this.#needed("its tokens can't be found");
  }

  #isDue({ login, secrets }: Tokens): boolean {
    const { expires, renewed } = login;
    if (expires === undefined || secrets.refreshToken === undefined || this.#now() < this.#failed.until) return false;
    return this.#now() >= Math.max(expires - this.#early, renewed + (expires - renewed) * LEAST_LIFE);
  }

  #isOver({ expires }: Login): boolean {
    return expires !== undefined && this.#now() >= expires;
  }

  /** @param version of the tokens that are worthless, or soon will be */
  #refresh(version: string): Promise<LoginSecrets> {
    this.#refreshing ??= this.#refreshOnce(version).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshOnce(version: string): Promise<LoginSecrets> {
    const { name, store, refresh, url, warn } = this.#options;
    if (this.#now() < this.#failed.until) throw new NoToken(this.#failed.why);
    const lock = await store.lock(url);
    try {
      const { login, secrets } = await this.#read();
      if (login.version !== version) return secrets;
      const outcome = await refresh(login, secrets);
      if (outcome.kind === 'renewed') {
        const saved = await store.renew(login, { ...outcome.news, renewed: this.#now() }, outcome.secrets);
        // Somebody has logged out meanwhile, or in anew: those tokens are the ones that count.
        if (saved === undefined) return (await this.#read()).secrets;
        this.#known = { login: saved, secrets: outcome.secrets };
        return outcome.secrets;
      }
      if (outcome.kind === 'refused') {
        await store.drop(login, outcome.why);
        warn(`${name}: wants a login: ${outcome.why}; run ${loginCommand(name)}`);
        throw this.#needed(outcome.why);
      }
      const why = `the login to ${name} could not be renewed: ${outcome.why}`;
      if (why !== this.#failed.why) warn(why);
      this.#failed = { until: this.#now() + REST_MS, why };
      throw new NoToken(why);
    } finally {
      lock.release();
    }
  }
}

/** Ids of sessions, so many that no honest server's clients reach the bound. */
class KnownSessions {
  readonly #ids = new Set<string>();

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MOST_SESSIONS && oldest !== undefined) this.#ids.delete(oldest);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}

function headerOf({ accessToken }: LoginSecrets): string {
  return `Bearer ${accessToken}`;
}

/** Bugs go on; whatever else prevents a token is a reason for people. */
function toProblem(error: unknown): { readonly problem: string } {
  if (error instanceof ClawaiError)
    return { problem: error.hint === undefined ? error.message : `${error.message}: ${error.hint}` };
  if (error instanceof NoToken) return { problem: error.message };
  throw error;
}
