import { isLoopback, type ListenAddress } from '../config/addresses.ts';
import { ClawaiError } from '../errors.ts';
import { parseRouteUrl } from '../remote/remote-server.ts';
import { addWrapped, createSecret, readRemoteState, remoteStateStamp, removeWrapped } from '../remote/remote-state.ts';
import type { RemoteState, WrappedServer } from '../remote/state-text.ts';

/** The place of an entry: the real path of its config, and its pointer there. */
export type Place = Pick<WrappedServer, 'file' | 'pointer'>;

/** The known URLs that lead to `clawai serve`. */
export interface Routes {
  /** The origin of `clawai serve`; undefined if it is not running; then `obstacle` says why, as a phrase. */
  readonly origin: string | undefined;
  readonly obstacle: string;
  /** Finds the wrapped server of our URL by its secret, whatever the port. */
  readonly find: (url: string) => WrappedServer | undefined;
  /** Tells whether it is the URL of a server that the user's config declares. */
  readonly isDeclared: (url: string) => boolean;
  /** Tells whether it is the URL of a wrapped or a declared server. */
  readonly isKnown: (url: string) => boolean;
  /** Tells whether it leads to our own listener, whatever its path. */
  readonly isOwn: (url: string) => boolean;
  /** Returns the server for an entry with this URL: the known one, or one with a new secret. Nothing is written. */
  readonly place: (entry: Omit<WrappedServer, 'secret'>) => WrappedServer;
  /** Stores servers before any URL leads to them. @throws ClawaiError `remote_state_damaged` or `remote_state_unusable` */
  readonly save: (servers: readonly WrappedServer[]) => void;
  /** Removes servers to which no URL leads any more. Never throws a ClawaiError: a leftover server does no harm. */
  readonly forget: (places: readonly Place[]) => void;
}

export interface RoutesOptions {
  readonly stateDir: string;
  readonly state: RemoteState;
  /** Secrets of the servers that the config declares. */
  readonly declared: readonly string[];
  readonly listen: ListenAddress;
  readonly serving: { readonly origin: string } | { readonly obstacle: string };
  /** True if nothing will be written: then a new secret is shown as `…`. */
  readonly isDry: boolean;
}

/** The routes when nothing is known of remote servers. */
export const NO_ROUTES: Routes = {
  origin: undefined,
  obstacle: '',
  find: () => undefined,
  isDeclared: () => false,
  isKnown: () => false,
  isOwn: () => false,
  place: (entry) => ({ ...entry, secret: createSecret() }),
  save() {},
  forget() {},
};

export function createRoutes({ stateDir, state, declared, listen, serving, isDry }: RoutesOptions): Routes {
  const bySecret = new Map<string, WrappedServer>();
  const byPlace = new Map<string, WrappedServer>();
  const learn = ({ wrapped }: RemoteState): void => {
    for (const server of wrapped) {
      bySecret.set(server.secret, server);
      byPlace.set(keyOf(server), server);
    }
  };
  learn(state);
  let stamp = remoteStateStamp(stateDir);
  /** Reads the state again, since another process of ours may have wrapped an entry. */
  const lookAgain = (): void => {
    const now = remoteStateStamp(stateDir);
    if (now === stamp) return;
    stamp = now;
    try {
      learn(readRemoteState(stateDir));
    } catch (error) {
      // The known servers stay known; writing the state reports the fault.
      if (!(error instanceof ClawaiError)) throw error;
    }
  };
  const find = (url: string): WrappedServer | undefined => {
    const secret = parseRouteUrl(url)?.secret;
    if (secret === undefined) return undefined;
    if (!bySecret.has(secret)) lookAgain();
    return bySecret.get(secret);
  };
  const isDeclared = (url: string): boolean => declared.includes(parseRouteUrl(url)?.secret ?? '');
  const [origin, obstacle] = 'origin' in serving ? [serving.origin, ''] : [undefined, serving.obstacle];
  return {
    origin,
    obstacle,
    find,
    isDeclared,
    isKnown: (url) => find(url) !== undefined || isDeclared(url),
    isOwn: (url) => isAt(url, listen) || (origin !== undefined && isAt(url, addressIn(origin))),
    place(entry) {
      const known = byPlace.get(keyOf(entry));
      // Another server in the same place gets another URL: the old URL must not give access to it.
      if (known !== undefined && known.url === entry.url && known.name === entry.name) return known;
      const fresh = { ...entry, secret: isDry ? '…' : createSecret() };
      byPlace.set(keyOf(entry), fresh);
      return fresh;
    },
    save: (servers) => addWrapped(stateDir, servers),
    forget(places) {
      if (!places.some((place) => byPlace.has(keyOf(place)))) return;
      try {
        removeWrapped(stateDir, places);
      } catch (error) {
        // The next use of the state reports the fault; the client's config is already right.
        if (!(error instanceof ClawaiError)) throw error;
      }
    },
  };
}

function keyOf({ file, pointer }: Place): string {
  return `${file}\0${pointer}`;
}

function addressIn(url: string): ListenAddress {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) };
}

/** Compares by port: one machine has many names, and its port is the same under each. */
function isAt(url: string, { host, port }: ListenAddress): boolean {
  if (!URL.canParse(url)) return false;
  const asked = addressIn(url);
  return asked.port === port && (asked.host === host || isLoopback(asked.host));
}
