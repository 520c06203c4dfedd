import { complain, complainOfType } from '../core/policy/complaints.ts';
import type { SettingReader } from './setting-readers.ts';

/** The address of `clawai serve`. */
export interface ListenAddress {
  /** A name or an address, in lower case; an IPv6 address without brackets. */
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
}

/** Matches a name or address, IPv6 in brackets, and a port in digits. */
const WRITTEN = /^(?<host>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?):(?<port>\d{1,5})$/i;

const MOST_PORT = 65_535;

/** Parses `HOST:PORT` or `[IPv6]:PORT`; undefined for anything else. Addresses are normalised: `127.1` becomes 127.0.0.1. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const { host = '', port = '' } = WRITTEN.exec(text)?.groups ?? {};
  const origin = `http://${host}`;
  if (host === '' || Number(port) > MOST_PORT || !URL.canParse(origin)) return undefined;
  return { host: new URL(origin).hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Tells whether only this machine can reach that host: 127.0.0.0/8, ::1 or localhost, normalised. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Reads the setting `listen`. */
export const listenAddress: SettingReader<ListenAddress> = (value, path, to) => {
  if (typeof value !== 'string') {
    complainOfType(to, path, value, 'an address like "127.0.0.1:8787"');
    return undefined;
  }
  const address = parseListenAddress(value);
  if (address === undefined) {
    const message = `${path.join('.')} must be an address like "127.0.0.1:8787" or "[::1]:8787", not ${JSON.stringify(value)}`;
    complain(to, path, message, 'port 0 picks a free one');
  }
  return address;
};
