/** A request's target within this origin. */
export interface Target {
  /** Segments of the path, percent-decoded once, in order; the last one is empty if the path ends with a slash. None for `/`. */
  readonly segments: readonly string[];
  /** The path as it was sent. */
  readonly path: string;
  /** The query with its question mark; empty if there is none. */
  readonly query: string;
}

const VISIBLE_ASCII = /^[\x21-\x7e]*$/;
/** Matches paths that every parser reads alike: no escapes, and no segment that begins with a dot. */
const PLAIN_PATH = /^(\/[A-Za-z0-9_~@:=+$!,-][A-Za-z0-9_~@:=+$!,.-]*)+$/;
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\\/]/;
/** Matches what a server that decodes twice would take for a dot, a slash, a backslash or an end. */
const ENCODED_TWICE = /%(?:2e|2f|5c|00)/i;
const NON_ASCII = /[^\u0000-\u007f]/;
const DOTS = new Set(['.', '..']);

/**
 * Parses a request target, and refuses any that servers read in different ways: its meaning would be unclear. Only the origin form is
 * accepted (RFC 9112 3.2.1). It also refuses empty and dot segments (even encoded, encoded twice, with parameters such as `..;x`, with
 * trailing white space, or in characters that normalise to dots); encoded slashes and backslashes; control characters; fragments; and
 * encodings that are malformed or not UTF-8.
 *
 * @param url the target in the request line
 * @returns the target, or a description of its fault
 */
export function parseTarget(url: string): Target | string {
  if (!url.startsWith('/')) return 'the request target must be a path';
  if (!VISIBLE_ASCII.test(url)) return 'the request target has a character that must be percent-encoded';
  if (url.includes('#')) return 'the request target has a fragment';
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark);
  if (PLAIN_PATH.test(path)) return { segments: path.slice(1).split('/'), path, query };
  if (path === '/') return { segments: [], path, query };
  if (path.includes('//')) return 'the path has an empty segment';
  const segments: string[] = [];
  for (const part of path.slice(1).split('/')) {
    const segment = decode(part);
    if (segment === undefined) return 'the path has a malformed percent-encoding';
    if (isAmbiguous(segment)) return 'the path can be read in more than one way';
    segments.push(segment);
  }
  return { segments, path, query };
}

function decode(part: string): string | undefined {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    // URIError: the encoding is malformed or not UTF-8, such as an overlong dot or slash.
    return undefined;
  }
}

function isAmbiguous(segment: string): boolean {
  const normal = NON_ASCII.test(segment) ? segment.normalize('NFKC') : segment;
  if (UNSAFE.test(segment) || UNSAFE.test(normal) || ENCODED_TWICE.test(normal)) return true;
  const parameters = normal.indexOf(';');
  const name = parameters === -1 ? normal : normal.slice(0, parameters);
  return DOTS.has(name.trim());
}
