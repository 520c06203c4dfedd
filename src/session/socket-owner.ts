import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The two ends of a connection on this machine, as its client sees them. */
export interface SocketPair {
  readonly clientAddress: string;
  readonly clientPort: number;
  readonly serverAddress: string;
  readonly serverPort: number;
}

/** The owner of the other end of a connection: a process of this user, or another user, whose processes can't be inspected. */
export type SocketOwner = { readonly pid: number } | { readonly user: number };

/** Milliseconds that one look may take, and that `lsof` may. A busy machine with thousands of sockets needs more than one second. */
const PATIENCE = 5000;

/** Most connections that wait for one look; further ones get no owner. */
const MOST_WAITING = 1000;

/** Most processes whose files are read, and most bytes of the system's lists. */
const MOST_PROCESSES = 20_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Links read before other work gets its turn. */
const LINKS_AT_ONCE = 200;

/** Processes that had the last connections: the next one is usually theirs too. */
const MOST_LIKELY = 16;

interface Waiting {
  readonly pair: SocketPair;
  readonly settle: (owner: SocketOwner | 'unsure' | undefined) => void;
}

/** Finds the owners of the other ends of connections. One look serves all that wait. */
export class SocketOwners {
  readonly #platform: NodeJS.Platform;
  #waiting: Waiting[] = [];
  #isLooking = false;
  #likely: readonly number[] = [];

  constructor(platform: NodeJS.Platform = process.platform) {
    this.#platform = platform;
  }

  /**
   * Resolves to undefined if nobody owns it, or the system does not tell, and to `unsure` if there was too much to look at: the next look may
   * tell. Never rejects; resolves within some seconds.
   */
  find(pair: SocketPair): Promise<SocketOwner | 'unsure' | undefined> {
    if (this.#platform !== 'linux' && this.#platform !== 'darwin') return Promise.resolve(undefined);
    if (this.#waiting.length >= MOST_WAITING) return Promise.resolve('unsure');
    return new Promise((settle) => {
      this.#waiting.push({ pair, settle });
      if (!this.#isLooking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const pairs = batch.map(({ pair }) => pair);
      const until = performance.now() + PATIENCE;
      let owners: Owners = new Map();
      try {
        owners = this.#platform === 'linux' ? await ownersByProc(pairs, this.#likely, until) : await ownersByLsof(pairs);
      } catch {
        // /proc or `lsof` is missing or too slow.
      }
      const isOver = performance.now() > until;
      const pids = [...owners.values()].flatMap((owner) => ('pid' in owner ? [owner.pid] : []));
      this.#likely = [...new Set([...pids, ...this.#likely])].slice(0, MOST_LIKELY);
      for (const { pair, settle } of batch) settle(owners.get(pair) ?? (isOver ? 'unsure' : undefined));
    }
    this.#isLooking = false;
  }
}

type Owners = ReadonlyMap<SocketPair, SocketOwner>;

/** @param until when to give up, as `performance.now()` */
async function ownersByProc(pairs: readonly SocketPair[], likely: readonly number[], until: number): Promise<Owners> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')));
  const found = new Map<SocketPair, SocketOwner>();
  const sought = new Map<string, SocketPair>();
  const own = process.getuid?.() ?? 0;
  const sockets = findSockets(tables.filter((text) => text.length <= MOST_BYTES).join('\n'), pairs);
  for (const [pair, { user, inode }] of sockets) {
    if (user === own) sought.set(`socket:[${inode}]`, pair);
    // Connections of a system forwarder, such as that of containers, belong to root.
    else if (user !== 0) found.set(pair, { user });
  }
  if (sought.size === 0) return found;
  let links = 0;
  const look = async (pids: readonly number[]): Promise<void> => {
    for (const pid of pids) {
      if (sought.size === 0 || performance.now() > until) return;
      // Other users' processes can't be read, and some have ended.
      for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
        if (++links % LINKS_AT_ONCE === 0) await setImmediate();
        const pair = sought.get(linkOf(`/proc/${pid}/fd/${name}`));
        if (pair === undefined) continue;
        found.set(pair, { pid });
        sought.delete(`socket:[${sockets.get(pair)?.inode ?? ''}]`);
      }
    }
  };
  await look(likely);
  if (sought.size === 0) return found;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // A socket inherited by children belongs to the parent, which usually has the lower pid.
  const others = pids.filter((pid) => !likely.includes(pid)).toSorted((one, other) => one - other);
  await look(others.slice(0, MOST_PROCESSES));
  return found;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // The socket was just closed.
    return '';
  }
}

/** Finds sockets in the text of `/proc/net/tcp` and `tcp6` (proc_pid_net(5)), except those that their process closed (inode 0). */
export function findSockets(
  text: string,
  pairs: readonly SocketPair[],
  isLittle = endianness() === 'LE',
): Map<SocketPair, { readonly user: number; readonly inode: string }> {
  const sought = new Map(pairs.flatMap((pair) => writtenEnds(pair, isLittle).map((ends) => [ends, pair] as const)));
  const found = new Map<SocketPair, { readonly user: number; readonly inode: string }>();
  // A busy machine has many thousands of lines, so only the matching ones are split.
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const at = text.indexOf(': ', start) + 2;
    const pair = sought.get(text.slice(at, at + (text[at + SHORT] === ':' ? SHORT_ENDS : LONG_ENDS)));
    if (pair === undefined) continue;
    const [, , , , , , user, , inode = '0'] = text.slice(at, end).split(/ +/);
    if (/^[1-9]\d*$/.test(inode)) found.set(pair, { user: Number(user), inode });
  }
  return found;
}

/** Characters of an IPv4 address as the kernel writes it, and of both ends of a connection (IPv4 and IPv6). */
const SHORT = 8;
const SHORT_ENDS = 27;
const LONG_ENDS = 75;

/**
 * Formats both ends of a connection as the kernel may write them, the client's first: `0100007F:9C40 0100007F:2253`. IPv4 may be in an IPv6
 * socket.
 */
function writtenEnds({ clientAddress, clientPort, serverAddress, serverPort }: SocketPair, isLittle: boolean): readonly string[] {
  const [client, server] = [plainAddress(clientAddress), plainAddress(serverAddress)];
  const write = (address: string, port: number, isMapped: boolean): string => {
    const own = address.includes(':') ? toBytes(address) : Buffer.from(address.split('.').map(Number));
    const bytes = isMapped ? Buffer.concat([MAPPED, own]) : own;
    // The kernel prints 32-bit words in the machine's byte order.
    if (isLittle) bytes.swap32();
    return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
  };
  const forms = client.includes(':') ? [false] : [false, true];
  return forms.map((isMapped) => `${write(client, clientPort, isMapped)} ${write(server, serverPort, isMapped)}`);
}

const MAPPED = Buffer.from('00000000000000000000ffff', 'hex');

/** Parses an IPv6 address as `plainAddress` returns it: `[2001:db8::1]`. */
function toBytes(address: string): Buffer {
  const [before = '', after] = address.slice(1, -1).split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(before), groups(after ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

async function ownersByLsof(pairs: readonly SocketPair[]): Promise<Owners> {
  const ports = [...new Set(pairs.map(({ serverPort }) => serverPort))].join(',');
  const { stdout } = await promisify(execFile)('/usr/sbin/lsof', ['-nP', '-w', `-iTCP:${ports}`, '-Fpn'], {
    timeout: PATIENCE,
    maxBuffer: MOST_BYTES,
    env: { PATH: '/bin:/usr/bin:/usr/sbin', LC_ALL: 'C' },
  });
  return new Map(Array.from(findInLsof(stdout, pairs), ([pair, pid]) => [pair, { pid }]));
}

/**
 * Finds owners in the output of `lsof -Fpn`: a line `p123` for each process, and below it one like `n127.0.0.1:5001->127.0.0.1:8787` for
 * each connection.
 */
export function findInLsof(text: string, pairs: readonly SocketPair[]): Map<SocketPair, number> {
  const sought = new Map(pairs.map((pair) => [keyOf(pair), pair]));
  const found = new Map<SocketPair, number>();
  let pid = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    const [, clientAddress = '', clientPort, serverAddress = '', serverPort] =
      /^n\[?([^\]]*?)\]?:(\d+)->\[?([^\]]*?)\]?:(\d+)$/.exec(line) ?? [];
    const pair = sought.get(
      keyOf({ clientAddress, clientPort: Number(clientPort), serverAddress, serverPort: Number(serverPort) }),
    );
    if (pair !== undefined && pid > 0 && !found.has(pair)) found.set(pair, pid);
  }
  return found;
}

function keyOf({ clientAddress, clientPort, serverAddress, serverPort }: SocketPair): string {
  return `${plainAddress(clientAddress)} ${clientPort} ${plainAddress(serverAddress)} ${serverPort}`;
}

/** Normalises an address: an IPv4 address written as IPv6 (`::ffff:127.0.0.1`) becomes IPv4. */
function plainAddress(text: string): string {
  if (!text.includes(':')) return text;
  let written: string;
  try {
    written = new URL(`http://[${text.split('%')[0] ?? ''}]`).hostname;
  } catch {
    // The text is not an address.
    return text;
  }
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(written) ?? [];
  if (high === undefined || low === undefined) return written;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}
