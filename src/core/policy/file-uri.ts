import { toSlashes } from './absolute-path.ts';
import { decodePercent } from './percent.ts';
import type { PathContext } from './path-context.ts';

const SCHEME = /^file:/i;

/**
 * The paths that a server may read a `file:` URI as: its decoded path, also without query and fragment (URL parsers drop them,
 * naive ones do not). Empty for another host's URI, which names nothing on this machine (on Windows it is a share). Undefined
 * when the text is no `file:` URI.
 */
export function readFileUri(text: string, { platform }: PathContext): readonly string[] | undefined {
  if (!SCHEME.test(text)) return undefined;
  const windows = platform === 'windows';
  let rest = text.slice('file:'.length);
  if (windows) rest = toSlashes(rest);
  if (rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const host = slash === -1 ? rest.slice(2) : rest.slice(2, slash);
    const path = slash === -1 ? '/' : rest.slice(slash);
    if (host === '' || host.toLowerCase() === 'localhost') rest = path;
    else if (windows) rest = /^[A-Za-z]:$/.test(host) ? `${host}${path}` : `//${host}${path}`;
    else return [];
  }
  if (windows) rest = rest.replace(/^\/+(?=[A-Za-z](?::|%3a))/i, '');
  const extra = rest.search(/[?#]/);
  const whole = decodePercent(rest);
  const paths = extra === -1 ? [whole] : [decodePercent(rest.slice(0, extra)), whole];
  // `file:etc/passwd` is `/etc/passwd` to URL parsers and a relative path to whoever cuts off the scheme.
  return windows || rest.startsWith('/') ? paths : [...paths, ...paths.map((path) => `/${path}`)];
}

const FOREIGN = /^file:[\\/]{2}([^\\/]*)(.*)$/is;

/** What servers that do not look at the host make of `file://host/path`: `/path` (Python's urlparse), `host/path` (cut off). */
export function readForeignFileUri(text: string): readonly string[] {
  const [, host = '', path = ''] = FOREIGN.exec(text) ?? [];
  return [decodePercent(path), decodePercent(host + path)];
}
