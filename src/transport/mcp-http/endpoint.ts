/** Most characters of the address that a server announces. */
const MOST_ENDPOINT = 8192;

/**
 * Path and query of the address that a server announces; undefined if it leads elsewhere. A server behind a proxy that ends TLS may announce
 * `http:`: its own origin is asked all the same.
 *
 * @param stream the URL of the stream
 */
export function readEndpoint(announced: string, stream: string): string | undefined {
  if (announced.length > MOST_ENDPOINT || !URL.canParse(announced, stream)) return undefined;
  const own = new URL(stream);
  const url = new URL(announced, stream);
  if (url.protocol === 'http:' && own.protocol === 'https:' && (url.port === '' || url.port === own.port)) {
    url.port = own.port;
    url.protocol = 'https:';
  }
  const isOwn = url.origin === own.origin && url.username === '' && url.password === '' && url.hash === '';
  return isOwn ? url.pathname + url.search : undefined;
}
