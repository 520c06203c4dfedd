import type { Plugin } from 'rolldown';

/** HTTP/2, an experimental parser, and fetch: loaded by undici's client at its start, or for connections and bodies that ours never have. */
const UNUSED = /\/undici\/lib\/(?:dispatcher\/client-h2\.js$|milo\/|web\/)/;

/** Leaves out of the bundle what undici's client has for others than `src/transport/http/http-client.ts`: half a megabyte, and node:http2. */
export function undiciHttp1(): Plugin {
  return {
    name: 'undici-http1',
    load(id) {
      return UNUSED.test(id.replaceAll('\\', '/')) ? { code: 'module.exports = {};', moduleType: 'js' } : undefined;
    },
  };
}
