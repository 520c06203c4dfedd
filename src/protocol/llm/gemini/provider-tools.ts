/** What kinds of calls belong to, by the names that the API gives them in answers. */
const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['GOOGLE_SEARCH_WEB', 'googleSearch'],
  ['GOOGLE_SEARCH_IMAGE', 'googleSearch'],
  ['URL_CONTEXT', 'urlContext'],
  ['GOOGLE_MAPS', 'googleMaps'],
  ['FILE_SEARCH', 'fileSearch'],
]);

/** Declares functions that the client runs. */
export const FUNCTIONS = 'functionDeclarations';
export const MCP_SERVERS = 'mcpServers';
/** Has the client run functions that the provider has declared. */
const RUN_BY_CLIENT = new Set(['function', 'computerUse']);

/** A tool of the provider's by the name that a request has for it. @param type of a call; one that is not known is a name of its own */
export function providerToolOf(type: string): string {
  return BY_TYPE.get(type) ?? type;
}

/** Does the provider run this tool of a request itself? */
export function isProviderTool({ type }: { readonly type: string }): boolean {
  return !RUN_BY_CLIENT.has(type);
}
