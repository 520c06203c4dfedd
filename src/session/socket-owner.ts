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

/** Milliseconds that one look may take, and that `lsof` may. */
const PATIENCE = 1500;

/** Connections that wait for one look; whoever opens more at once is not looked for. */
const MOST_WAITING = 1000;

/** Processes whose files are looked at, and bytes that the lists of the system may have. */
const MOST_PROCESSES = 20_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Links that are read before others get their turn. */
const LINKS_AT_ONCE = 200;

/** Processes that had a connection last: as a rule the next one is theirs as well. */
const MOST_LIKELY = 16;

interface Waiting {
  readonly pair: SocketPair;
  readonly settle: (pid: number | undefined) => void;
}

/** Finds which processes of this user have the other ends of connections. One look serves all that wait for one. */
export class SocketOwners {
  readonly #platform: NodeJS.Platform;
  #waiting: Waiting[] = [];
  #isLooking = false;
  #likely: readonly number[] = [];

  constructor(platform: NodeJS.Platform = process.platform) {
    this.#platform = platform;
  }

  /** Undefined where there is none, or the system does not say. Never rejects; resolves within some seconds. */
  find(pair: SocketPair): Promise<number | undefined> {
    const isKnown = this.#platform === 'linux' || this.#platform === 'darwin';
    if (!isKnown || this.#waiting.length >= MOST_WAITING) return Promise.resolve(undefined);
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
      let owners: ReadonlyMap<SocketPair, number> = new Map();
      try {
        owners = this.#platform === 'linux' ? await ownersByProc(pairs, this.#likely) : await ownersByLsof(pairs);
      } catch {
        // Nothing to be seen there: no /proc, no `lsof`, or too slow.
      }
      this.#likely = [...new Set([...owners.values(), ...this.#likely])].slice(0, MOST_LIKELY);
      for (const { pair, settle } of batch) settle(owners.get(pair));
    }
    this.#isLooking = false;
  }
}

async function ownersByProc(pairs: readonly SocketPair[], likely: readonly number[]): Promise<ReadonlyMap<SocketPair, number>> {
  const until = performance.now() + PATIENCE;
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')));
  const found = new Map<SocketPair, number>();
  const sought = new Map<string, SocketPair>();
  const uid = process.getuid?.() ?? 0;
  const inodes = findInodes(tables.filter((text) => text.length <= MOST_BYTES).join('\n'), pairs, uid);
  for (const [pair, inode] of inodes) sought.set(`socket:[${inode}]`, pair);
  if (sought.size === 0) return found;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // A socket that a process has passed on to its children is the elder's, which was there first as a rule.
  const others = pids.toSorted((one, other) => one - other).slice(0, MOST_PROCESSES);
  let links = 0;
  for (const pid of new Set([...likely, ...others])) {
    // Another user's may not be looked at, and some have ended.
    for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      if (++links % LINKS_AT_ONCE === 0) await setImmediate();
      const pair = sought.get(linkOf(`/proc/${pid}/fd/${name}`));
      if (pair === undefined) continue;
      found.set(pair, pid);
      sought.delete(`socket:[${inodes.get(pair) ?? ''}]`);
    }
    if (sought.size === 0 || performance.now() > until) break;
  }
  return found;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // It was closed just now.
    return '';
  }
}

/**
 * The inodes of sockets out of the text of `/proc/net/tcp` and `tcp6` (proc_pid_net(5)): only those of this user, and none that the process
 * has let go of (inode 0).
 */
export function findInodes(
  text: string,
  pairs: readonly SocketPair[],
  uid: number,
  isLittle = endianness() === 'LE',
): Map<SocketPair, string> {
  const sought = new Map(pairs.map((pair) => [keyOf(pair), pair]));
  const found = new Map<SocketPair, string>();
  for (const line of text.split('\n')) {
    const [, local = '', remote = '', , , , , owner, , inode = '0'] = line.trim().split(/\s+/);
    const [clientAddress, clientPort] = parseEnd(local, isLittle);
    const [serverAddress, serverPort] = parseEnd(remote, isLittle);
    const pair = sought.get(keyOf({ clientAddress, clientPort, serverAddress, serverPort }));
    if (pair !== undefined && Number(owner) === uid && /^[1-9]\d*$/.test(inode)) found.set(pair, inode);
  }
  return found;
}

/** `0100007F:1F90` → 127.0.0.1 and 8080. Words of 32 bits are printed as the machine has them. */
function parseEnd(text: string, isLittle: boolean): readonly [string, number] {
  const [, address = '', port = ''] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/i.exec(text) ?? [];
  if (address === '') return ['', 0];
  const bytes = Buffer.from(address, 'hex');
  if (isLittle) bytes.swap32();
  return [bytes.length === 4 ? bytes.join('.') : toGroups(bytes), Number.parseInt(port, 16)];
}

function toGroups(bytes: Buffer): string {
  return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(':');
}

async function ownersByLsof(pairs: readonly SocketPair[]): Promise<ReadonlyMap<SocketPair, number>> {
  const ports = [...new Set(pairs.map(({ serverPort }) => serverPort))].join(',');
  const { stdout } = await promisify(execFile)('/usr/sbin/lsof', ['-nP', '-w', `-iTCP:${ports}`, '-sTCP:ESTABLISHED', '-Fpn'], {
    timeout: PATIENCE,
    maxBuffer: MOST_BYTES,
    env: { PATH: '/bin:/usr/bin:/usr/sbin', LC_ALL: 'C' },
  });
  return findInLsof(stdout, pairs);
}

/** Owners out of what `lsof -Fpn` prints: a line `p123` for each process, and below it one like `n127.0.0.1:5001->127.0.0.1:8787` for each connection. */
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

/** One spelling for each address: an IPv4 address that is written as an IPv6 one (`::ffff:127.0.0.1`) is that IPv4 address. */
function plainAddress(text: string): string {
  if (!text.includes(':')) return text;
  let written: string;
  try {
    written = new URL(`http://[${text.split('%')[0] ?? ''}]`).hostname;
  } catch {
    // No address at all.
    return text;
  }
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(written) ?? [];
  if (high === undefined || low === undefined) return written;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}
