import { complain, complainOfType } from '../core/policy/complaints.ts';
import type { SettingReader } from './setting-readers.ts';

/** Where `clawai serve` is reached. */
export interface ListenAddress {
  /** A name or an address, in small letters, an IPv6 address without its brackets. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** Name or address, IPv6 in brackets, and a port in digits. */
const WRITTEN = /^(?<host>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?):(?<port>\d{1,5})$/i;

const MOST_PORT = 65_535;

/** Reads `HOST:PORT` or `[IPv6]:PORT`; undefined where it is neither. Addresses come out in their usual spelling: `127.1` is 127.0.0.1. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const { host = '', port = '' } = WRITTEN.exec(text)?.groups ?? {};
  const origin = `http://${host}`;
  if (host === '' || Number(port) > MOST_PORT || !URL.canParse(origin)) return undefined;
  return { host: new URL(origin).hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Can nobody but this machine reach that host? True of 127.0.0.0/8, ::1 and localhost, in their usual spelling. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** The setting `listen`. */
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
