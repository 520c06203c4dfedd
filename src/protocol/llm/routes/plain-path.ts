/**
 * What the most lenient server takes a path for: in other letters, with escapes, with slashes and dots too many, with space at the end of a
 * name: where a pattern matches a path, its `$` may do so before a line end. In lower case, with a slash in front.
 *
 * @param path a query or fragment behind it does not count
 */
export function plainPath(path: string): string {
  const escaped = (path.split(/[?#]/, 1)[0] ?? '').replaceAll('\\', '/');
  const segments: string[] = [];
  for (const segment of decode(escaped).toLowerCase().split('/')) {
    // What is behind a semicolon is a parameter to some servers, and no part of the name.
    const name = (segment.split(';', 1)[0] ?? '').trimEnd();
    if (name === '..') segments.pop();
    else if (name !== '' && name !== '.') segments.push(name);
  }
  return `/${segments.join('/')}`;
}

function decode(path: string): string {
  // Escapes of what is no UTF-8 stand for nothing that a route has.
  return path.replaceAll(/%([0-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
