import { loginCommand } from '../../remote/login/login-command.ts';
import { type RemoteServer, routeUrl } from '../../remote/remote-server.ts';
import { listRemote } from '../../transport/listing/list-remote.ts';
import type { Listed } from '../../transport/listing/server-lister.ts';
import { printable } from '../terminal/text.ts';
import { VERSION } from '../machine/version.ts';
import type { RemoteRoutes } from './remote-routes.ts';

/** Milliseconds until a server that could not be listed is asked again: after the first time, the second, … */
const RETRIES = [5_000, 15_000, 60_000, 300_000];

/** Characters that are shown of what a server says; some say megabytes. */
const MOST_SHOWN = 200;

/** Milliseconds between two looks for servers that are new. */
const LOOK_EVERY = 2_000;

export interface ListingClientOptions {
  readonly routes: RemoteRoutes;
  /** The origin of our own listener. */
  readonly origin: string;
  /** Headers that our own listener demands. */
  readonly headers: Readonly<Record<string, string>>;
  readonly warn: (line: string) => void;
}

interface Attempt {
  readonly server: RemoteServer;
  tries: number;
  timer: NodeJS.Timeout | undefined;
  outcome: Listed | undefined;
}

/**
 * Lists every remote server once, so that what it declares is known, and pinned, before the first call. It comes in as a client does, by our own
 * listener, so that there is one way in. Servers that can't be reached are tried again.
 */
export class ListingClient {
  readonly #options: ListingClientOptions;
  readonly #attempts = new Map<string, Attempt>();
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ListingClientOptions) {
    this.#options = options;
  }

  begin(): void {
    const { routes } = this.#options;
    routes.onChange(() => this.#listNew());
    this.#listNew();
    // Wrapping changes a file that nobody asks for while no client does.
    this.#timer = setInterval(() => routes.look(), LOOK_EVERY).unref();
  }

  close(): void {
    this.#ending.abort();
    clearInterval(this.#timer);
    for (const { timer } of this.#attempts.values()) clearTimeout(timer);
  }

  #listNew(): void {
    const { routes, warn } = this.#options;
    // After another login, a server may declare something else.
    const keyOf = (server: RemoteServer): string =>
      `${server.name}\0${server.url}\0${server.auth === 'managed' ? routes.loginTo(server) : ''}`;
    const servers = new Map(routes.servers().map((server) => [keyOf(server), server]));
    for (const [key, { timer }] of this.#attempts) {
      if (servers.has(key)) continue;
      clearTimeout(timer);
      this.#attempts.delete(key);
    }
    for (const [key, server] of servers) {
      if (this.#attempts.has(key)) continue;
      const attempt = { server, tries: 0, timer: undefined, outcome: undefined };
      this.#attempts.set(key, attempt);
      const isManaged = server.auth === 'managed';
      const isLoggedIn = isManaged && routes.loginTo(server) !== undefined;
      if (isManaged) warn(`${server.name}: ${isLoggedIn ? 'logged in' : `wants a login: run ${loginCommand(server.name)}`}`);
      if (!isManaged || isLoggedIn) void this.#list(attempt);
    }
  }

  async #list(attempt: Attempt): Promise<void> {
    const { origin, headers, warn } = this.#options;
    const { server } = attempt;
    const { signal } = this.#ending;
    const outcome = await listRemote({ url: routeUrl(origin, server), headers, version: VERSION, signal, isOurs: true });
    if (signal.aborted) return;
    const before = attempt.outcome;
    attempt.outcome = outcome;
    if (outcome.kind === 'listed') {
      if (before?.kind === 'failed') warn(`${server.name}: reached and listed`);
      return;
    }
    if (outcome.kind === 'needs_login') {
      const how = 'let clawai log in (auth = "managed"), or what it declares is known once a client has listed it';
      warn(`${server.name}: wants a login: ${how}`);
      return;
    }
    const wait = RETRIES[Math.min(attempt.tries++, RETRIES.length - 1)] ?? 0;
    if (before?.kind !== 'failed' || before.why !== outcome.why) {
      warn(
        `${server.name}: could not be listed: ${printable(outcome.why.slice(0, MOST_SHOWN))}; trying again in ${wait / 1000} s`,
      );
    }
    attempt.timer = setTimeout(() => void this.#list(attempt), wait).unref();
  }
}
