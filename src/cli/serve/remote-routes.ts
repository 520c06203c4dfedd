import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { Rounds } from '../../gate/rounds.ts';
import type { RemoteServer } from '../../remote/remote-server.ts';
import type { LoginStore } from '../../remote/login/login-store.ts';
import { loginStamp } from '../../remote/login/login-file.ts';
import { loadRemoteServers, remoteStateStamp } from '../../remote/remote-state.ts';
import { Upstream } from '../../transport/http/upstream.ts';
import { createCounters } from '../../transport/http/counters.ts';
import { TranslatedServers } from '../../transport/bridge/translated-servers.ts';
import { CallerGates } from '../../transport/mcp-http/gates.ts';
import { RemoteRoute } from '../../transport/mcp-http/remote-route.ts';
import { credentialsFor, openLogins } from '../login/managed-servers.ts';
import { printable } from '../terminal/text.ts';
import type { GateMaker } from './gate-maker.ts';
import type { Run } from './runs.ts';

/** Milliseconds between two looks for servers that were wrapped or unwrapped meanwhile. */
const LOOK_EVERY = 1000;

export interface RemoteRoutesOptions {
  readonly config: Config;
  readonly maker: GateMaker;
  readonly warn: (line: string) => void;
}

interface Entry {
  readonly server: RemoteServer;
  readonly secretBytes: Buffer;
  readonly route: RemoteRoute;
}

/** The routes to all remote servers that there are at the moment. */
export class RemoteRoutes {
  readonly #options: RemoteRoutesOptions;
  readonly #rounds = new Rounds();
  readonly #logins: LoginStore;
  #loginStamp: string;
  /** Entries by name and secret. */
  #entries = new Map<string, Entry>();
  #byName: ReadonlyMap<string, readonly Entry[]> = new Map();
  #closing: Promise<void>[] = [];
  #stamp: string;
  #checkedAt = performance.now();
  /** The fault of the last read of the servers; told once. */
  #lastWarning = '';
  readonly #listeners: (() => void)[] = [];

  /** @throws ClawaiError where it can't be read which servers there are */
  constructor(options: RemoteRoutesOptions) {
    this.#options = options;
    this.#logins = openLogins(options.config);
    this.#loginStamp = loginStamp(options.config.stateDir);
    this.#stamp = remoteStateStamp(options.config.stateDir);
    this.#take(loadRemoteServers(options.config));
    // Generating secrets has changed it.
    this.#stamp = remoteStateStamp(options.config.stateDir);
  }

  /** The servers, those that are declared first. */
  servers(): readonly RemoteServer[] {
    return Array.from(this.#entries.values(), ({ server }) => server);
  }

  routes(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  find(name: string, secret: string): RemoteRoute | undefined {
    if (performance.now() - this.#checkedAt >= LOOK_EVERY) this.#look();
    const route = this.#known(name, secret);
    if (route !== undefined) return route;
    this.#look();
    return this.#known(name, secret);
  }

  /** Finds a route by comparing secrets in constant time, so that timing reveals nothing of them. */
  #known(name: string, secret: string): RemoteRoute | undefined {
    const given = Buffer.from(secret);
    for (const { secretBytes, route } of this.#byName.get(name) ?? []) {
      if (secretBytes.length === given.length && timingSafeEqual(secretBytes, given)) return route;
    }
    return undefined;
  }

  /** Returns the time of the login to a server, in milliseconds since 1970; undefined if somebody has to log in first. Never throws. */
  loginTo({ url }: Pick<RemoteServer, 'url'>): number | undefined {
    try {
      const login = this.#logins.find(url);
      return login?.problem === undefined ? login?.since : undefined;
    } catch {
      // A request to the server says why the logins can't be read.
      return undefined;
    }
  }

  /** Adds a listener, called when there are other servers or logins than before. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Looks whether there are others now. */
  look(): void {
    this.#look();
  }

  async close(): Promise<void> {
    for (const { route } of this.#entries.values()) this.#end(route);
    this.#entries.clear();
    await Promise.all(this.#closing);
  }

  #look(): void {
    const { config, warn } = this.#options;
    this.#checkedAt = performance.now();
    const stamp = remoteStateStamp(config.stateDir);
    const ofLogins = loginStamp(config.stateDir);
    const hasOtherLogins = ofLogins !== this.#loginStamp;
    this.#loginStamp = ofLogins;
    if (stamp === this.#stamp) {
      if (hasOtherLogins) for (const listener of this.#listeners) listener();
      return;
    }
    try {
      this.#take(loadRemoteServers(config));
      this.#stamp = stamp;
      this.#lastWarning = '';
    } catch (error) {
      // The servers that are known go on.
      const why = error instanceof Error ? error.message : String(error);
      if (why !== this.#lastWarning) warn(`which remote servers there are now is not known: ${why}`);
      this.#lastWarning = why;
      return;
    }
    for (const listener of this.#listeners) listener();
  }

  #take(servers: readonly RemoteServer[]): void {
    const before = this.#entries;
    this.#entries = new Map();
    for (const server of servers) {
      const key = keyOf(server);
      const known = before.get(key);
      const isSame = known !== undefined && JSON.stringify(known.server) === JSON.stringify(server);
      this.#entries.set(key, isSame ? known : { server, secretBytes: Buffer.from(server.secret), route: this.#create(server) });
    }
    this.#byName = Map.groupBy(this.#entries.values(), (entry) => entry.server.name);
    for (const [key, { route }] of before) if (this.#entries.get(key)?.route !== route) this.#end(route);
  }

  #create(server: RemoteServer): RemoteRoute {
    const { config, maker, warn } = this.#options;
    const { message, frame } = config.limits;
    const { url: text, tlsFingerprint } = server;
    const url = new URL(text);
    const upstream = new Upstream({ url, ...(tlsFingerprint === undefined ? {} : { tlsFingerprint }) });
    const credentials = server.auth === 'managed' ? credentialsFor(server, this.#logins, warn) : undefined;
    const now = (): number => performance.now();
    const reported = new Set<string>();
    return new RemoteRoute({
      name: server.name,
      upstream,
      origin: url.origin,
      path: url.pathname + url.search,
      headers: server.headers,
      credentials,
      eras: new TranslatedServers({
        name: server.name,
        url,
        upstream,
        credentials,
        limits: config.limits,
        secret: server.secret,
        isModernOnly: server.isModernOnly === true,
        now,
        warn,
      }),
      gates: new CallerGates<Run>({
        create: (run) => maker.create(server, run),
        now,
        callerOf: (socket) => maker.callerOf(server, socket),
      }),
      rounds: this.#rounds,
      limits: { message, frame },
      counters: createCounters(),
      onFault: (fault) => {
        if (fault.kind === 'fingerprint') maker.recordPinnedKey(server, fault);
        if (!reported.has(fault.message)) warn(`${server.name}: ${printable(fault.message)}`);
        reported.add(fault.message);
      },
      warn,
    });
  }

  #end(route: RemoteRoute): void {
    const closing = route.close().finally(() => {
      this.#closing = this.#closing.filter((other) => other !== closing);
    });
    this.#closing.push(closing);
  }
}

function keyOf({ name, secret }: Pick<RemoteServer, 'name' | 'secret'>): string {
  return `${name}\0${secret}`;
}
