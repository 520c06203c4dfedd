import { checkKeys, complain, complainOfType, type Faults } from '../core/policy/complaints.ts';
import { isTomlTable, type TomlTable, type TomlValue } from '../core/policy/toml.ts';
import type { PolicyPath } from '../core/policy/types.ts';
import type { DeclaredServer } from './config.ts';
import { readHeaders } from './declared-headers.ts';
import { readRemoteUrl } from './remote-url.ts';
import { URL_SECRET, URL_SECRET_WANTED } from './url-secret.ts';

const KEYS = ['id', 'type', 'url', 'secret', 'headers', 'tls_fingerprint'];

/** Of servers that are processes, which nothing of ours starts on its own so far. */
const OF_PROCESSES = ['command', 'args', 'allowed_env', 'denied_env'];

/** Part of a URL's path, and of what people type: neither a slash nor anything that can't be seen. */
const ID = /^[^/\p{Cc}]{1,128}$/u;

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/i;

/** What to do about types that are still to come. */
const LATER: ReadonlyMap<string, string> = new Map([
  ['sse', 'many servers have a streamable HTTP endpoint too: name that as `url`'],
  ['stdio', 'name the server in the config of your client, and run `clawai wrap`'],
]);

/** Reads `[[servers]]`: the remote servers that the user declares. What is faulty is complained of and left out. */
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
  checkKeys(to, path, table, { read: KEYS, unenforced: OF_PROCESSES, lacks: 'supported', where: '[[servers]]' });
  const id = readId(table['id'], path, to);
  // Of a server of another type nothing else could be said that would hold later.
  if (!isHttp(table['type'], [...path, 'type'], to)) return undefined;
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
  if (id === undefined || url === undefined || headers === undefined) return undefined;
  return { id, url, secret, headers, tlsFingerprint };
}

function readId(value: TomlValue | undefined, path: PolicyPath, to: Faults): string | undefined {
  if (value === undefined) {
    complain(to, path, 'a server needs an id', 'id = "…": its name in the policy and in its URL');
    return undefined;
  }
  const wanted = '1 to 128 characters, no "/" and no control characters';
  const id = readMatch(value, { path: [...path, 'id'], to, pattern: ID, wanted });
  // A URL's path with one of these as a part is another path to everybody who reads it.
  if (id !== '.' && id !== '..') return id;
  complain(to, [...path, 'id'], `a server's id must not be ${JSON.stringify(id)}`);
  return undefined;
}

function isHttp(value: TomlValue | undefined, path: PolicyPath, to: Faults): boolean {
  if (value === undefined || value === 'http') return true;
  if (typeof value !== 'string') complainOfType(to, path, value, '"http"');
  else if (LATER.has(value)) {
    complain(to, path, `servers.type = "${value}" is not supported by this version of clawai`, LATER.get(value));
  } else complain(to, path, `servers.type must be "http", not ${JSON.stringify(value)}`);
  return false;
}

function readUrl(value: TomlValue | undefined, path: PolicyPath, to: Faults): string | undefined {
  if (value === undefined) {
    complain(to, path, 'a server needs a url', 'url = "https://…": where it is reached without clawai');
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

/** A text of a certain form. It is not repeated in the complaint: a secret does not belong into a terminal's history. */
function readMatch(value: TomlValue | undefined, { path, to, pattern, wanted }: Wanted): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') complainOfType(to, path, value, wanted);
  else if (pattern.test(value)) return value;
  else complain(to, path, `servers.${String(path.at(-1))} must be ${wanted}`);
  return undefined;
}
