import { homedir } from 'node:os';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { stateDirectory } from '../../host/directories.ts';
import { findPeer, type Peer } from '../../session/find-peer.ts';
import { SocketOwners } from '../../session/socket-owner.ts';
import { StateFolder } from '../../wrap/files/state-folder.ts';

/**
 * The other end of a connection: a client's run; another user; ourselves; `unknown` if it is on this machine and nothing more can be found, for example
 * because it is in a container; `away` if it is on another machine.
 */
export type FoundCaller = Peer | { readonly user: number } | 'ourselves' | 'unknown' | 'away';

/** Looks at a connection before its caller counts as unknown: on a busy machine, one look can run out of time. */
const MOST_LOOKS = 3;

/** Finds out who connects, once for each connection. */
export class Callers {
  readonly #runs: string;
  readonly #owners: Pick<SocketOwners, 'find'>;
  readonly #known = new WeakMap<Socket, FoundCaller | Promise<FoundCaller>>();

  /** @param runs where runs are registered */
  constructor(runs: string, owners: Pick<SocketOwners, 'find'> = new SocketOwners()) {
    this.#runs = runs;
    this.#owners = owners;
  }

  /** Returns a promise only during the lookup; it never rejects. */
  of(socket: Socket): FoundCaller | Promise<FoundCaller> {
    const known = this.#known.get(socket);
    if (known !== undefined) return known;
    const finding = this.#find(socket)
      // The lookup itself failed.
      .catch((): FoundCaller => 'unknown')
      .then((found) => {
        // Calls of one client would be of two sessions, in which no flow is found: the next request looks again.
        if (found === 'unsure') this.#known.delete(socket);
        else this.#known.set(socket, found);
        return found === 'unsure' ? 'unknown' : found;
      });
    this.#known.set(socket, finding);
    return finding;
  }

  async #find({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<FoundCaller | 'unsure'> {
    // A machine's connections to itself have its own address at both ends.
    if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined)
      return 'unknown';
    if (remoteAddress !== localAddress && !LOOPBACK.test(remoteAddress)) return 'away';
    const pair = { clientAddress: remoteAddress, clientPort: remotePort, serverAddress: localAddress, serverPort: localPort };
    let owner = await this.#owners.find(pair);
    for (let looks = 1; owner === 'unsure' && looks < MOST_LOOKS; looks++) owner = await this.#owners.find(pair);
    if (owner === undefined) return 'unknown';
    if (owner === 'unsure' || 'user' in owner) return owner;
    return owner.pid === process.pid ? 'ourselves' : ((await findPeer(owner.pid, this.#runs)) ?? 'unknown');
  }
}

/** Milliseconds for which is not read again which servers a client starts. */
const READ_EVERY = 10_000;

/** Says which servers are started by the client whose config names the URLs of a group, as far as they were wrapped. */
export function createStdioServers(group: string): () => readonly string[] {
  const client = /^client:(.+)$/s.exec(group)?.[1];
  if (client === undefined) return () => [];
  const folder = new StateFolder(join(stateDirectory({ env: process.env, platform: process.platform, home: homedir() }), 'wrap'));
  let servers: readonly string[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - readAt < READ_EVERY) return servers;
    readAt = performance.now();
    try {
      const entries = folder.list().records.flatMap((record) => record.entries);
      servers = entries.flatMap((entry) => (entry.client === client && entry.kind !== 'url' ? [entry.server] : []));
    } catch {
      // The entries can't be read: the known servers stay.
    }
    return servers;
  };
}

const LOOPBACK = /^(?:::1$|(?:::ffff:)?127\.)/i;
