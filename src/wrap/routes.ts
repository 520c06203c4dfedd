import { isLoopback, type ListenAddress } from '../config/listen-address.ts';
import { ClawaiError } from '../errors.ts';
import { parseRouteUrl } from '../remote/remote-server.ts';
import { addWrapped, createSecret, readRemoteState, remoteStateStamp, removeWrapped } from '../remote/remote-state.ts';
import type { RemoteState, WrappedServer } from '../remote/state-text.ts';

/** Where an entry is: the real path of its config, and its pointer there. */
export type Place = Pick<WrappedServer, 'file' | 'pointer'>;

/** What is known of the URLs that lead to `clawai serve`. */
export interface Routes {
  /** Where it is reached; undefined where it is not running, and `obstacle` says so, a phrase. */
  readonly origin: string | undefined;
  readonly obstacle: string;
  /** The wrapped server to which a URL of ours leads, by its secret, whatever the port. */
  readonly find: (url: string) => WrappedServer | undefined;
  /** Is it the URL of a server that the user's config declares? */
  readonly isDeclared: (url: string) => boolean;
  /** Is it the URL of a wrapped server, or of a declared one? */
  readonly isKnown: (url: string) => boolean;
  /** Does it lead to our own listener, whatever it asks for there? */
  readonly isOwn: (url: string) => boolean;
  /** The server for an entry with this URL: the one that is known, or one with a secret of its own. Nothing is written. */
  readonly place: (entry: Omit<WrappedServer, 'secret'>) => WrappedServer;
  /** Remembers servers, before anything leads to them. @throws ClawaiError `remote_state_damaged` or `remote_state_unusable` */
  readonly save: (servers: readonly WrappedServer[]) => void;
  /** Forgets servers to which nothing leads any more. Never throws for what a person could mend: a server too many does no harm. */
  readonly forget: (places: readonly Place[]) => void;
}

export interface RoutesOptions {
  readonly stateDir: string;
  readonly state: RemoteState;
  /** Secrets of the servers that the config declares. */
  readonly declared: readonly string[];
  readonly listen: ListenAddress;
  readonly serving: { readonly origin: string } | { readonly obstacle: string };
  /** True where nothing will be written, so that a new secret would be none: it is shown as `…`. */
  readonly isDry: boolean;
}

/** Where nothing is known of remote servers. */
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
  /** Another process of ours may have wrapped an entry since this one looked. */
  const lookAgain = (): void => {
    const now = remoteStateStamp(stateDir);
    if (now === stamp) return;
    stamp = now;
    try {
      learn(readRemoteState(stateDir));
    } catch (error) {
      // What was known stays known, and whoever writes is told.
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
      // Another server than the one that was there gets another URL: whoever knows the old one must not reach it.
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
        // Whoever uses the state next is told; the client's config is as it shall be.
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

/** One machine has many names; its port is the same under each. */
function isAt(url: string, { host, port }: ListenAddress): boolean {
  if (!URL.canParse(url)) return false;
  const asked = addressIn(url);
  return asked.port === port && (asked.host === host || isLoopback(asked.host));
}
