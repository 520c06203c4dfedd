import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { SocketOwners } from '../../session/socket-owner.ts';
import type { Standings } from '../wrap/wrap-standing.ts';
import { type Check, ok, warn } from './check.ts';

/**
 * Whether it can be found who connects to `clawai serve`, by a connection of our own.
 *
 * @param owners finds out whose a connection is
 */
export async function checkCallers(
  { remote: { serving } }: Pick<Standings, 'remote'>,
  owners = new SocketOwners(),
): Promise<readonly Check[]> {
  if (serving.kind !== 'running') return [];
  // Where a connection to ourselves fails, nobody is found either.
  const isFound = await findsUs(owners).catch(() => false);
  return isFound
    ? [
        ok(
          'sessions',
          'the programs that connect to `clawai serve` are found by their connections, so what a client starts and what it reaches by URL are one session',
        ),
      ]
    : [
        warn(
          'sessions',
          'this system does not say which program connects to `clawai serve`, so all that comes by the URLs of one client is one session, with the stdio servers that the client used last',
        ),
      ];
}

async function findsUs(owners: Pick<SocketOwners, 'find'>): Promise<boolean> {
  const server = createServer().listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    try {
      await once(client, 'connect');
      const owner = await owners.find({
        clientAddress: '127.0.0.1',
        clientPort: client.localPort ?? 0,
        serverAddress: '127.0.0.1',
        serverPort: port,
      });
      return owner !== undefined && 'pid' in owner && owner.pid === process.pid;
    } finally {
      client.destroy();
    }
  } finally {
    server.close();
  }
}
