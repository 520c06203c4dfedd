/** How a server is reached, by the text of its launch identity; nothing where it is not known. */
export function serverAddressOf(identity: string | undefined): {
  readonly type: string | undefined;
  readonly address: string | undefined;
} {
  const url = identity === undefined ? undefined : urlIn(identity);
  if (url === undefined) return { type: identity === undefined ? undefined : 'stdio', address: undefined };
  return { type: 'http', address: URL.parse(url)?.host };
}

function urlIn(identity: string): string | undefined {
  try {
    const value: unknown = JSON.parse(identity);
    const url = typeof value === 'object' && value !== null && 'url' in value ? value.url : undefined;
    return typeof url === 'string' ? url : undefined;
  } catch {
    // Only an edit of the store makes it so.
    return undefined;
  }
}
