import { checkKeys, complain, complainOfType, type Faults } from '../core/policy/complaints.ts';
import { isTomlTable, type TomlTable, type TomlValue } from '../core/policy/toml.ts';
import type { PolicyPath } from '../core/policy/types.ts';
import type { DeclaredServer } from './config.ts';
import { readRemoteUrl, URL_SECRET, URL_SECRET_WANTED } from './addresses.ts';

/** RFC 9110 section 5.6.2. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The characters that Node allows in a header: visible Latin-1, spaces and tabs. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers of one connection (RFC 9110 section 7.6.1 and its predecessors), and those that set a request's target and length. */
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const KEYS = ['id', 'url', 'secret', 'headers', 'auth', 'modern_only', 'tls_fingerprint'];

/** Keys of other kinds of servers, such as processes, which clawai does not start on its own so far. */
const OF_OTHERS = ['type', 'command', 'args', 'allowed_env', 'denied_env'];
const OTHERS = 'leave it out: servers here speak streamable HTTP; others stay in the config of your client, for `clawai wrap`';
const HINTS = new Map(OF_OTHERS.map((key) => [key, OTHERS]));

/** Matches an id, which is part of a URL's path and typed by people: no slash and no control characters. */
const ID = /^[^/\p{Cc}]{1,128}$/u;

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/i;

/** Reads `[[servers]]`, the remote servers that the user declares. Faulty ones are reported and left out. */
export function readDeclaredServers(value: TomlValue | undefined, to: Faults): readonly DeclaredServer[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    complainOfType(to, ['servers'], value, 'a list of tables: [[servers]]');
    return [];
  }
  const ids = new Set<string>();
  return value.flatMap((element, index): DeclaredServer[] => {
    const path = ['servers', index];
    if (!isTomlTable(element)) {
      complainOfType(to, path, element, 'a table');
      return [];
    }
    const server = readServer(element, path, to);
    const { id } = element;
    if (typeof id === 'string') {
      if (ids.has(id)) complain(to, [...path, 'id'], `there are two servers with the id ${JSON.stringify(id)}`);
      ids.add(id);
    }
    return server === undefined ? [] : [server];
  });
}

function readServer(table: TomlTable, path: PolicyPath, to: Faults): DeclaredServer | undefined {
  checkKeys(to, path, table, { read: KEYS, unenforced: OF_OTHERS, lacks: 'supported', hints: HINTS, where: '[[servers]]' });
  const id = readId(table['id'], path, to);
  const url = readUrl(table['url'], path, to);
  const secret = readMatch(table['secret'], { path: [...path, 'secret'], to, pattern: URL_SECRET, wanted: URL_SECRET_WANTED });
  const headers = readHeaders(table['headers'], [...path, 'headers'], to);
  const tlsFingerprint = readMatch(table['tls_fingerprint'], {
    path: [...path, 'tls_fingerprint'],
    to,
    pattern: FINGERPRINT,
    wanted: '"sha256:" and 64 hexadecimal digits',
  })?.toLowerCase();
  if (tlsFingerprint !== undefined && url?.startsWith('https:') === false) {
    complain(to, [...path, 'tls_fingerprint'], 'tls_fingerprint needs a url with https: there is no key to compare without TLS');
  }
  const auth = readMatch(table['auth'], { path: [...path, 'auth'], to, pattern: /^managed$/, wanted: '"managed"' });
  if (auth !== undefined && Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization')) {
    complain(to, [...path, 'auth'], 'auth = "managed" sends a token of its own: leave the header "authorization" out');
  }
  const modernOnly = table['modern_only'];
  if (modernOnly !== undefined && typeof modernOnly !== 'boolean')
    complainOfType(to, [...path, 'modern_only'], modernOnly, 'true or false');
  if (id === undefined || url === undefined || headers === undefined) return undefined;
  const isModernOnly = modernOnly === true && { isModernOnly: modernOnly };
  return { id, url, secret, headers, tlsFingerprint, ...(auth === undefined ? {} : { auth: 'managed' }), ...isModernOnly };
}

function readId(value: TomlValue | undefined, path: PolicyPath, to: Faults): string | undefined {
  if (value === undefined) {
    complain(to, path, 'a server needs an id', 'id = "…": its name in the policy and in its URL');
    return undefined;
  }
  const wanted = '1 to 128 characters, no "/" and no control characters';
  const id = readMatch(value, { path: [...path, 'id'], to, pattern: ID, wanted });
  // URL parsers resolve these parts of a path.
  if (id !== '.' && id !== '..') return id;
  complain(to, [...path, 'id'], `a server's id must not be ${JSON.stringify(id)}`);
  return undefined;
}

function readUrl(value: TomlValue | undefined, path: PolicyPath, to: Faults): string | undefined {
  if (value === undefined) {
    complain(to, path, 'a server needs a url', 'url = "https://…": the address of the server itself');
    return undefined;
  }
  if (typeof value !== 'string') {
    complainOfType(to, [...path, 'url'], value, 'a URL');
    return undefined;
  }
  const read = readRemoteUrl(value);
  if (read.ok) return read.url;
  complain(to, [...path, 'url'], `servers.url ${read.problem}`, read.hint);
  return undefined;
}

interface Wanted {
  readonly path: PolicyPath;
  readonly to: Faults;
  readonly pattern: RegExp;
  readonly wanted: string;
}

/** Reads a text that must match a pattern. The fault does not repeat it: a secret must not end up in a terminal's history. */
function readMatch(value: TomlValue | undefined, { path, to, pattern, wanted }: Wanted): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') complainOfType(to, path, value, wanted);
  else if (pattern.test(value)) return value;
  else complain(to, path, `servers.${String(path.at(-1))} must be ${wanted}`);
  return undefined;
}

/** Reads a table of headers for every request to a server; undefined if it is faulty. Values are never repeated, since they are secrets. */
function readHeaders(value: TomlValue | undefined, path: PolicyPath, to: Faults): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return {};
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table of strings');
    return undefined;
  }
  const before = to.errors.length;
  const seen = new Set<string>();
  const headers = Object.entries(value).flatMap(([name, content]): [string, string][] => {
    const lower = name.toLowerCase();
    const fault = seen.has(lower) ? 'appears twice' : faultOf(name, content);
    seen.add(lower);
    if (fault !== undefined) complain(to, [...path, name], `the header ${JSON.stringify(name)} ${fault}`);
    return typeof content === 'string' ? [[name, content]] : [];
  });
  return to.errors.length > before ? undefined : Object.fromEntries(headers);
}

function faultOf(name: string, content: TomlValue): string | undefined {
  if (!HEADER_NAME.test(name)) return 'has a name that HTTP does not allow';
  if (OF_CONNECTION.has(name.toLowerCase())) return 'is set by clawai, so you cannot give it';
  if (typeof content !== 'string') return 'must have a string as its value';
  return HEADER_VALUE.test(content) ? undefined : 'has a value with characters that HTTP does not allow';
}
