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

/** Matches the last part of a URL at `clawai serve`: at least 128 bits if it is random, and only characters that a URL keeps unescaped. */
export const URL_SECRET = /^[A-Za-z0-9_-]{22,128}$/;

/** Describes `URL_SECRET` in words. */
export const URL_SECRET_WANTED = '22 to 128 letters, digits, "-" or "_"';

/** The URL of a remote server, or its fault: `problem` is the end of a sentence that begins with the setting's name. */
export type RemoteUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string; readonly hint?: string };

/** Matches invisible characters, which URL parsers drop silently; in a URL they are a mistake. */
const UNSEEN = /[\p{Cc}\s]/u;

/**
 * Checks the URL of a remote server: absolute, http or https, without user name, password or fragment. The fault never repeats the URL,
 * which may contain secrets.
 */
export function readRemoteUrl(text: string): RemoteUrl {
  if (UNSEEN.test(text) || !URL.canParse(text)) return { ok: false, problem: 'must be a URL like "https://mcp.example.com/mcp"' };
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return { ok: false, problem: 'must start with https:// or http://' };
  if (username !== '' || password !== '') {
    return { ok: false, problem: 'must not contain a user name or a password', hint: 'use an authorization header' };
  }
  if (text.includes('#')) return { ok: false, problem: 'must not have a fragment: servers never see what follows a #' };
  return { ok: true, url: text };
}
