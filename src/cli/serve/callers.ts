import { homedir } from 'node:os';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { stateDirectory } from '../../host/directories.ts';
import { findPeer, type Peer } from '../../session/find-peer.ts';
import { SocketOwners } from '../../session/socket-owner.ts';
import { StateFolder } from '../../wrap/files/state-folder.ts';

/**
 * Who is at the other end of a connection: a client's run; another user; ourselves; `unknown` where it is of this machine and nobody can say more, as when
 * the system does not tell, or it is in a container; `away` where it is of another machine.
 */
export type FoundCaller = Peer | { readonly user: number } | 'ourselves' | 'unknown' | 'away';

/** Finds out who connects, once for each connection. */
export class Callers {
  readonly #runs: string;
  readonly #owners = new SocketOwners();
  readonly #known = new WeakMap<Socket, FoundCaller | Promise<FoundCaller>>();

  /** @param runs where runs are registered */
  constructor(runs: string) {
    this.#runs = runs;
  }

  /** A promise only while that is looked for; it never rejects. */
  of(socket: Socket): FoundCaller | Promise<FoundCaller> {
    const known = this.#known.get(socket);
    if (known !== undefined) return known;
    const finding = this.#find(socket)
      // Nobody it can be known of.
      .catch((): FoundCaller => 'unknown')
      .then((found) => {
        this.#known.set(socket, found);
        return found;
      });
    this.#known.set(socket, finding);
    return finding;
  }

  async #find({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<FoundCaller> {
    // A machine's connections to itself have its own address at both ends.
    if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined)
      return 'unknown';
    if (remoteAddress !== localAddress && !LOOPBACK.test(remoteAddress)) return 'away';
    const owner = await this.#owners.find({
      clientAddress: remoteAddress,
      clientPort: remotePort,
      serverAddress: localAddress,
      serverPort: localPort,
    });
    if (owner === undefined) return 'unknown';
    if ('user' in owner) return owner;
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
      // Nobody may read it: those that were known stay.
    }
    return servers;
  };
}

const LOOPBACK = /^(?:::1$|(?:::ffff:)?127\.)/i;
