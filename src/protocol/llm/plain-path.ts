/**
 * What the most lenient server takes a path for: in other letters, with escapes, with slashes and dots too many. In lower case, with a
 * slash in front.
 *
 * @param path a query or fragment behind it does not count
 */
export function plainPath(path: string): string {
  const escaped = (path.split(/[?#]/, 1)[0] ?? '').replaceAll('\\', '/');
  const segments: string[] = [];
  for (const segment of decode(escaped).toLowerCase().split('/')) {
    if (segment === '..') segments.pop();
    // What is behind a semicolon is a parameter to some servers, and no part of the name.
    else if (segment !== '' && segment !== '.') segments.push(segment.replace(/;.*$/, ''));
  }
  return `/${segments.join('/')}`;
}

function decode(path: string): string {
  // Escapes of what is no UTF-8 stand for nothing that a route has.
  return path.replaceAll(/%([0-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
