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

/** What is needed of the connection. */
export interface Reader {
  /** @returns what is wrong, where readers may differ on them */
  readParamsAhead(message: Message): JsonObject | string;
  /** @returns the definition that the server last listed of a tool, if any; undefined while that can't be asked */
  readDefinition(tool: string): { readonly text: string | undefined } | undefined;
  noteRefusal(from: 'client', message: Message, problem: string): void;
}

/**
 * Refuses a message of the client's whose HTTP headers say something else than it does; undefined where they agree. What can't be read as a
 * message is left to those who say so.
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

/** What the schema of the tool that is called says of headers, where it is known; undefined while that can't be asked. */
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

/** Was a message refused because its headers say something else? */
export function isMismatch(reply: string): boolean {
  // In a string, quotes are escaped.
  return reply.includes(`"error":{"code":${HEADER_MISMATCH},`);
}

/** Numbers as JavaScript has them: 42.0 is 42. */
function plainParams({ bytes, params }: Message): unknown {
  return params === undefined ? undefined : JSON.parse(bytes.toString('utf8', params.start, params.end));
}
