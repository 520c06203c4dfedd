import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { findInLsof, findSockets, SocketOwners, type SocketPair } from '../../src/session/socket-owner.ts';

/** As the kernel writes it: `sl local_address rem_address st queues timer retransmissions uid timeout inode …`. */
function line(local: string, remote: string, { uid = 1000, inode = 4711 } = {}): string {
  return `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1`;
}

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

function pair(clientAddress: string, clientPort: number, serverAddress: string, serverPort: number): SocketPair {
  return { clientAddress, clientPort, serverAddress, serverPort };
}

const V4 = pair('127.0.0.1', 40_000, '127.0.0.1', 8787);
const [CLIENT, SERVER] = ['0100007F:9C40', '0100007F:2253'];
const MAPPED = '0000000000000000FFFF0000';
const V6 = '00000000000000000000000001000000';

describe('findSockets', () => {
  it.each([
    ['IPv4', line(CLIENT, SERVER), V4],
    ['IPv4 in an IPv6 socket of the client', line(`${MAPPED}${CLIENT}`, `${MAPPED}${SERVER}`), V4],
    ['IPv4 in an IPv6 socket of ours', line(CLIENT, SERVER), pair('::ffff:127.0.0.1', 40_000, '::ffff:7f00:1', 8787)],
    ['IPv6', line(`${V6}:9C40`, `${V6}:2253`), pair('::1', 40_000, '::1', 8787)],
    ['another address of the loopback', line('0200007F:9C40', SERVER), pair('127.0.0.2', 40_000, '127.0.0.1', 8787)],
  ])('%s', (_, text, sought) => {
    expect(findSockets(`${HEAD}\n${text}\n`, [sought], true)).toEqual(new Map([[sought, { user: 1000, inode: '4711' }]]));
  });

  it.each([
    ['that its process has let go of', line(CLIENT, SERVER, { inode: 0 })],
    ['of the other end', line(SERVER, CLIENT)],
    ['from another port', line('0100007F:9C41', SERVER)],
    ['to another port', line(CLIENT, '0100007F:2254')],
    ['of another protocol', line(`${V6}:9C40`, `${V6}:2253`)],
    ['cut short', `   0: ${CLIENT} ${SERVER} 01`],
    ['of nonsense', 'x y z'],
    ['of nothing', ''],
  ])('not one %s', (_, text) => {
    expect(findSockets(`${HEAD}\n${text}`, [V4], true).size).toBe(0);
  });

  it('as a machine with the other order of bytes has it', () => {
    expect(findSockets(line('7F000001:9C40', '7F000001:2253'), [V4], false).get(V4)).toEqual({ user: 1000, inode: '4711' });
  });
});

describe('findInLsof', () => {
  const text = [
    'p70',
    'f12',
    'n127.0.0.1:8787->127.0.0.1:40000',
    'p81',
    'f20',
    'n127.0.0.1:40000->127.0.0.1:8787',
    'f21',
    'n[::1]:40000->[::1]:8787',
    '',
  ];

  it.each([
    ['IPv4', V4, 81],
    ['IPv6', pair('::1', 40_000, '::1', 8787), 81],
    ['our own end', pair('127.0.0.1', 8787, '127.0.0.1', 40_000), 70],
    ['another', pair('127.0.0.1', 40_001, '127.0.0.1', 8787), undefined],
  ])('%s', (_, sought, pid) => {
    expect(findInLsof(text.join('\n'), [sought]).get(sought)).toBe(pid);
  });
});

describe('SocketOwners', () => {
  it.runIf(process.platform === 'linux' || process.platform === 'darwin')('finds who has connected, many at once', async () => {
    const accepted: Socket[] = [];
    const server = createServer((socket) => accepted.push(socket));
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    const { port } = server.address() as AddressInfo;
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => {
        const client = connect(port, '127.0.0.1');
        return new Promise<Socket>((settle) => client.once('connect', () => settle(client)));
      }),
    );
    const owners = new SocketOwners();
    const pairs = clients.map(({ localPort }) => pair('127.0.0.1', localPort ?? 0, '127.0.0.1', port));
    expect(await Promise.all(pairs.map((one) => owners.find(one)))).toEqual(pairs.map(() => ({ pid: process.pid })));
    expect(await owners.find(pair('127.0.0.1', 1, '127.0.0.1', port))).toBeUndefined();
    for (const socket of [...clients, ...accepted]) socket.destroy();
    server.close();
  });

  it('knows nobody where the system says nothing', async () => {
    expect(await new SocketOwners('win32').find(V4)).toBeUndefined();
  });

  it('is unsure about connections that are too many for one look', async () => {
    const owners = new SocketOwners('linux');
    const found = Array.from({ length: 1002 }, (_, index) => owners.find(pair('127.0.0.1', index + 1, '127.0.0.1', 9)));
    // The first is looked for at once, and a thousand wait.
    expect(await Promise.all(found)).toEqual([...Array.from({ length: 1001 }, () => undefined), 'unsure']);
  });
});
