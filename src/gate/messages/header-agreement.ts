import { SUBJECT_METHODS } from '../../core/call.ts';
import type { JsonObject } from '../../core/json.ts';
import { idText } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import {
  type DeclaredHeaders,
  findDisagreement,
  HEADER_MISMATCH,
  type HeaderClaims,
  mayDisagree,
  NO_HEADERS,
  readDeclaredHeaders,
  repeatsArguments,
} from '../../protocol/mcp/http-headers.ts';
import { errorLine } from '../calls/reply.ts';
import { BUSY, type Verdict } from '../verdict.ts';

/** The parts of the connection that are used here. */
export interface Reader {
  /** @returns the problem if readers may read them differently */
  readParamsAhead(message: Message): JsonObject | string;
  /** @returns the tool's definition as the server listed it last, if any; undefined while that can't be looked up */
  readDefinition(tool: string): { readonly text: string | undefined } | undefined;
  noteRefusal(from: 'client', message: Message, problem: string): void;
}

/**
 * Refuses a client's message whose HTTP headers contradict it; undefined if they agree. Unreadable messages are left to those who refuse
 * them anyway.
 */
export function refuseMismatch(reader: Reader, message: Message, claims: HeaderClaims): Verdict | undefined {
  const { kind, bytes, method, params: span } = message;
  if (kind === 'blank' || kind === 'malformed' || !mayDisagree(claims, bytes)) return undefined;
  const params = span === undefined ? undefined : reader.readParamsAhead(message);
  const repeats = repeatsArguments(claims);
  const known = repeats && typeof params !== 'string' ? findDeclared(reader, method, params) : { declared: undefined };
  if (known === undefined) return BUSY;
  const problem =
    typeof params === 'string'
      ? params
      : findDisagreement(claims, { method, params: repeats ? plainParams(message) : params, ...known });
  if (problem === undefined) return undefined;
  reader.noteRefusal('client', message, problem);
  return { kind: 'reply', line: errorLine(idText(message), HEADER_MISMATCH, `clawai refused this message: ${problem}`) };
}

/** The headers that the called tool's schema declares, if known; undefined while that can't be looked up. */
function findDeclared(
  reader: Reader,
  method: string | undefined,
  params: JsonObject | undefined,
): { readonly declared: DeclaredHeaders | undefined } | undefined {
  // A batch agrees with no header that repeats something.
  if (method === undefined) return { declared: undefined };
  if (method !== SUBJECT_METHODS.tool) return { declared: NO_HEADERS };
  const tool = params?.['name'];
  const definition = typeof tool === 'string' ? reader.readDefinition(tool) : { text: undefined };
  if (definition === undefined) return undefined;
  return { declared: definition.text === undefined ? undefined : readDeclaredHeaders(definition.text) };
}

/** Tells whether a message was refused because its headers contradict it. */
export function isMismatch(reply: string): boolean {
  // In a string, quotes are escaped, so this only matches the error itself.
  return reply.includes(`"error":{"code":${HEADER_MISMATCH},`);
}

/** The params with numbers as JavaScript reads them: 42.0 is 42. */
function plainParams({ bytes, params }: Message): unknown {
  return params === undefined ? undefined : JSON.parse(bytes.toString('utf8', params.start, params.end));
}
