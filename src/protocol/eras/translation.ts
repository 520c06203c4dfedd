import { LEGACY_REVISION } from '../mcp/methods.ts';

/** A line that a translation sends, without its line feed. */
export interface Sent {
  readonly to: 'client' | 'server';
  readonly line: Buffer;
}

/** Translates between a client and a server of different eras. Lines come without their line feeds. */
export interface Translation {
  fromClient(line: Buffer): readonly Sent[];
  fromServer(line: Buffer): readonly Sent[];
}

/** All revisions with a handshake. */
export const LEGACY_REVISIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', LEGACY_REVISION];

/** `_meta` keys of the modern era: a client's capabilities, the log messages that it wants, and a server's name. */
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

/** Requests whose answers may ask the client for input (MCP 2026-07-28, "Multi round-trip requests"). */
export const MAY_NEED_INPUT: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Requests that a server may make of a client, in either era. */
export const INPUT_METHODS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/** The notifications of changed lists, by the members of a subscription's filter that ask for them. */
export const LIST_CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
};

export type Json = Readonly<Record<string, unknown>>;

/** Tells whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in a part of a line; empty if there is none. */
export function readPart(bytes: Buffer, span: { readonly start: number; readonly end: number } | undefined): Json {
  if (span === undefined) return {};
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', span.start, span.end));
    return isObject(value) ? value : {};
  } catch {
    // Nobody can read it, so it has no members.
    return {};
  }
}

/** A request or a notification; the latter has no id. @param id as JSON text */
export function requestLine(method: string, params: Json | string | undefined, id?: string): Buffer {
  const given = params === undefined ? '' : `,"params":${typeof params === 'string' ? params : JSON.stringify(params)}`;
  return Buffer.from(`{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}"method":${JSON.stringify(method)}${given}}`);
}

/** An answer. @param id as JSON text */
export function resultLine(id: string, result: Json): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`);
}

/** An answer that is an error. @param id as JSON text */
export function errorLine(id: string, code: number, message: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`);
}
