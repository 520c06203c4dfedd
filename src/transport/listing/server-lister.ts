import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { LEGACY_REVISION, MODERN_REVISION } from '../../protocol/mcp/methods.ts';
import type { DefinitionKind } from '../../core/registry/definition.ts';

const META = 'io.modelcontextprotocol';

/** JSON-RPC 2.0 section 5.1. */
export const METHOD_NOT_FOUND = -32601;

/** Most pages requested of one list; no honest server has more. */
const MOST_PAGES = 200;

/** The lists, with the kind of their definitions and the capability that announces them. */
const LISTS: readonly ListedAs[] = [
  { kind: 'tool', method: 'tools/list', capability: 'tools' },
  { kind: 'prompt', method: 'prompts/list', capability: 'prompts' },
  { kind: 'resource', method: 'resources/list', capability: 'resources' },
  { kind: 'resource_template', method: 'resources/templates/list', capability: 'resources' },
];

export type ListedKind = Exclude<DefinitionKind, 'instructions'>;

interface ListedAs {
  readonly kind: ListedKind;
  readonly method: string;
  readonly capability: string;
}

/** A server's answer to one request: a result, or the reason why there is none, in words. */
export type Reply =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'needs_login' }
  | { readonly kind: 'failed'; readonly why: string; readonly isUnknownMethod: boolean };

/** A connection to a server. If it rejects, nothing more is asked. */
export interface Peer {
  ask(method: string, params: JsonObject): Promise<Reply>;
  notify(method: string): Promise<void>;
  /** Called with the negotiated revision. */
  settle(revision: string): void;
}

/** Callbacks for what the server sends. */
export interface ListingEars {
  /** Gets the server's answer to the greeting: its capabilities, its name, its instructions. */
  readonly onGreeting?: (result: JsonObject) => void;
  /** Gets one page of a list. */
  readonly onPage?: (kind: ListedKind, result: JsonObject) => void;
  /** Gets a list, or the rest of one, that failed; `why` is a phrase that may contain the server's words. */
  readonly onMissing?: (kind: ListedKind, why: string) => void;
}

/** The result of listing a server. */
export type Listed =
  | { readonly kind: 'listed' }
  /** It requires a login, which its clients provide. */
  | { readonly kind: 'needs_login' }
  | { readonly kind: 'failed'; readonly why: string };

/** The reason why a listing was given up after so many milliseconds. */
export function notDoneWithin(time: number): string {
  return `it was not done within ${Math.round(time / 1000)} s`;
}

/** The name by which clawai introduces itself to servers. */
export const OWN_NAME = 'clawai';

/**
 * Lists everything that a server declares, all pages, as a client of either era would. Rejects if the peer does.
 *
 * @param version our version, for the server
 */
export async function listServer(peer: Peer, version: string, ears: ListingEars = {}): Promise<Listed> {
  const clientInfo = { name: OWN_NAME, version };
  const greeting = await peer.ask('initialize', { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo });
  if (greeting.kind === 'needs_login') return greeting;
  if (greeting.kind === 'result') {
    const { protocolVersion } = greeting.result;
    peer.settle(typeof protocolVersion === 'string' ? protocolVersion : LEGACY_REVISION);
    await peer.notify('notifications/initialized');
    await listAll({ peer, greeting: greeting.result, meta: {}, ears });
    return { kind: 'listed' };
  }
  const meta = {
    _meta: {
      [`${META}/protocolVersion`]: MODERN_REVISION,
      [`${META}/clientCapabilities`]: {},
      [`${META}/clientInfo`]: clientInfo,
    },
  };
  peer.settle(MODERN_REVISION);
  const discovered = await peer.ask('server/discover', meta);
  if (discovered.kind !== 'result') return { kind: 'failed', why: greeting.why };
  await listAll({ peer, greeting: discovered.result, meta, ears });
  return { kind: 'listed' };
}

/** Tells whether this `error` of an answer means that the server does not know the method. */
export function isUnknownMethod(error: JsonValue | undefined): boolean {
  return isJsonObject(error) && error['code'] === METHOD_NOT_FOUND;
}

interface Greeted {
  readonly peer: Peer;
  readonly greeting: JsonObject;
  /** Parameters of every request. */
  readonly meta: JsonObject;
  readonly ears: ListingEars;
}

async function listAll(greeted: Greeted): Promise<void> {
  const { greeting, ears } = greeted;
  ears.onGreeting?.(greeting);
  const { capabilities } = greeting;
  for (const list of LISTS) {
    if (isJsonObject(capabilities) && capabilities[list.capability] !== undefined) await listPages(list, greeted);
  }
}

async function listPages({ kind, method }: ListedAs, { peer, meta, ears }: Greeted): Promise<void> {
  let cursor: JsonValue | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const reply = await peer.ask(method, cursor === undefined ? meta : { ...meta, cursor });
    if (reply.kind !== 'result') {
      // A server with resources need not support templates, although they share a capability.
      if (reply.kind === 'failed' && reply.isUnknownMethod && page === 0) return;
      ears.onMissing?.(kind, reply.kind === 'failed' ? reply.why : 'it requires a login');
      return;
    }
    ears.onPage?.(kind, reply.result);
    cursor = reply.result['nextCursor'];
    if (typeof cursor !== 'string') return;
  }
  ears.onMissing?.(kind, `there are more than ${MOST_PAGES} pages, and clawai asks for no more`);
}
