import { BlockList, isIP } from 'node:net';

/**
 * The machines that can reach an address: everybody, those of a local network, or this one. `never`: it is no address of an authorization
 * server, such as a link-local one, by which clouds give their machines credentials.
 */
export type Reach = 'public' | 'private' | 'loopback' | 'never';

/** Address blocks by RFC 6890 and its successors; the first kind that has an address counts. */
const BLOCKS: readonly (readonly [Exclude<Reach, 'public'>, BlockList])[] = [
  ['loopback', blocks('127.0.0.0/8', '::1/128')],
  [
    'never',
    blocks(
      '0.0.0.0/8',
      '169.254.0.0/16',
      // The address of Alibaba's metadata, and Amazon's over IPv6, are inside private blocks.
      '100.100.100.200/32',
      'fd00:ec2::254/128',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/3',
      'fe80::/10',
      'fec0::/10',
      'ff00::/8',
      '100::/64',
      '2001::/23',
      '2001:db8::/32',
      // IPv4 in other forms could hide any of the above.
      '::/96',
      '64:ff9b:1::/48',
      '2002::/16',
    ),
  ],
  ['private', blocks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')],
];

function blocks(...cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits = ''] = cidr.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Tells who can reach an address; `never` for what is none. An IPv4 address inside of an IPv6 one counts as itself. */
export function reachOf(address: string): Reach {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return 'never';
  const inner = version === 6 ? innerAddress(address) : undefined;
  if (inner !== undefined) return reachOf(inner);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return BLOCKS.find(([, list]) => list.check(address, family))?.[0] ?? 'public';
}

/** The IPv4 address in `::ffff:0:0/96` (RFC 4291 2.5.5.2) or `64:ff9b::/96` (RFC 6052). */
function innerAddress(address: string): string | undefined {
  // A URL has the one canonical form of each address.
  const host = new URL(`http://[${address}]`).hostname;
  const match = /^\[(?:::ffff|64:ff9b:):(?:(?<high>[\da-f]{1,4}):)?(?<low>[\da-f]{1,4})\]$/.exec(host);
  if (match === null) return undefined;
  const high = Number.parseInt(match.groups?.['high'] ?? '0', 16);
  const low = Number.parseInt(match.groups?.['low'] ?? '0', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const ORDER = ['public', 'private', 'loopback'] as const;

/** Tells whether a server with this reach may send us to an address: to one that no fewer machines reach. */
export function maySendTo(server: Reach, target: Reach): boolean {
  if (server === 'never' || target === 'never') return false;
  return ORDER.indexOf(target) <= ORDER.indexOf(server);
}

/** The reach of a host with these addresses: that of the one which most machines reach. */
export function widestReach(addresses: readonly string[]): Reach {
  const found = addresses.map(reachOf);
  if (found.length === 0 || found.includes('never')) return 'never';
  return ORDER.find((reach) => found.includes(reach)) ?? 'never';
}
