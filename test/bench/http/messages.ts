import { BIG_ARGUMENTS, textOf } from '../stdio/messages.ts';

/** A request as bytes on the wire, with a place for the id in it, which is as long as every id that is put there. */
export interface Template {
  readonly before: string;
  readonly after: string;
}

/** Where a target is reached. */
export interface Address {
  readonly port: number;
  readonly path: string;
}

const ID = '100000000';
/** The first of those that are counted up from; all have the same length. */
export const FIRST_ID = Number(ID);

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const CLIENT = { name: 'bench', version: '1' };
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ECHO = { name: 'echo', arguments: { text: 'The nightly build is green; 48151623 was the last run.' } };

/** Templates are written as Latin-1. */
const BIG_CONTENT = textOf('escaped', BIG_ARGUMENTS).replaceAll('é', 'e');
const BIG = { name: 'echo', arguments: { text: 'done', content: BIG_CONTENT } };

/** What is sent, by name. */
export const REQUESTS = {
  /** Needs no decision. */
  ping: (to: Address) => post(to, LEGACY, 'ping', {}),
  'modern ping': (to: Address) => post(to, MODERN, 'ping', { _meta: META }),
  /** Is decided and recorded. */
  call: (to: Address) => post(to, LEGACY, 'tools/call', ECHO),
  'modern call': (to: Address) => post(to, MODERN, 'tools/call', { ...ECHO, _meta: META }),
  'big call': (to: Address) => post(to, LEGACY, 'tools/call', BIG),
  initialize: (to: Address) => post(to, LEGACY, 'initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT }),
  list: (to: Address) => post(to, LEGACY, 'tools/list', {}),
} as const;

/** A request that is answered with a stream of so many events. @param together how many the server writes in one piece */
export function streamed(to: Address, events: number, together = 1): Template {
  return post(to, LEGACY, 'ping', {}, `x-bench-events: ${events}\r\nx-bench-together: ${together}\r\n`);
}

/** A stream that stays open and on which nothing comes. */
export function listen({ port, path }: Address): Template {
  const head = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: text/event-stream\r\nmcp-protocol-version: ${LEGACY}\r\n`;
  return { before: `${head}x-bench-id: `, after: '\r\n\r\n' };
}

/** Begins a session of HTTP+SSE. */
export function beginSse({ port, path }: Address): Template {
  return {
    before: `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: text/event-stream\r\nx-bench-id: `,
    after: '\r\n\r\n',
  };
}

/** With the headers that clients send. */
function post(
  { port, path }: Address,
  version: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  more = '',
): Template {
  const body = JSON.stringify({ jsonrpc: '2.0', id: FIRST_ID, method, params });
  const name = typeof params['name'] === 'string' ? `mcp-name: ${params['name']}\r\n` : '';
  const mirrored = version === MODERN ? `mcp-method: ${method}\r\n${name}` : '';
  const head =
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nuser-agent: bench\r\ncontent-type: application/json\r\n` +
    `accept: application/json, text/event-stream\r\nmcp-protocol-version: ${version}\r\n${mirrored}${more}` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const at = body.indexOf(ID);
  return { before: head + body.slice(0, at), after: body.slice(at + ID.length) };
}
