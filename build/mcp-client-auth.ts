import type { Plugin } from 'rolldown';

/** The package's JSON Schema validator, which calls of tools need and logins don't. */
const VALIDATOR = /\/@modelcontextprotocol\/client\/dist\/ajvProvider-[^/]+\.mjs$/;

/** Leaves out of the bundle what the MCP client has for others than `src/remote/login/oauth-client.ts`: a third of a megabyte. */
export function mcpClientAuth(): Plugin {
  return {
    name: 'mcp-client-auth',
    load(id) {
      return VALIDATOR.test(id.replaceAll('\\', '/')) ? 'export const n = undefined;' : undefined;
    },
  };
}
