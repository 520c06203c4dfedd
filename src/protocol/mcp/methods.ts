/** The newest revision with a handshake, and the first without it and without sessions, whose requests repeat parts of their bodies in headers. */
export const LEGACY_REVISION = '2025-11-25';
export const MODERN_REVISION = '2026-07-28';

/** Tells whether a revision is one without a handshake. Drafts have other names, and may have one. */
export function hasNoHandshake(revision: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(revision) && revision >= MODERN_REVISION;
}

/** `_meta` key in every request of a modern-era client (MCP 2026-07-28); legacy clients never send it. */
export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** `_meta` key with the client's name and version, in the modern era. */
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/** `_meta` key by which a notification names its `subscriptions/listen` request, by id (MCP 2026-07-28). */
export const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';

/** The code of a server's error for a revision that it does not speak (MCP 2026-07-28). */
export const UNSUPPORTED_VERSION = -32022;

/** All methods of the MCP revisions 2024-11-05 to 2026-07-28 that a client may send, notifications included. */
export const CLIENT_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'resources/directory/read',
  'skills/list',
  'skills/get',
  'subscriptions/listen',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/result',
  'tasks/update',
  'tasks/list',
  'tasks/cancel',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
]);
