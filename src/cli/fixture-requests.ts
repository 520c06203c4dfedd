import type { Call } from '../core/call.ts';
import { exactJson } from '../core/canonical-json.ts';
import type { Detection, TextField, TextOrigin } from '../core/detect/types.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import { Redaction } from '../gate/detection/redaction.ts';
import { partOfMessage } from '../gate/detection/message-part.ts';
import { spannedTexts } from '../gate/detection/spanned-texts.ts';
import { toServerCall } from '../gate/server-methods.ts';
import { JsonScanner } from '../protocol/json-scanner.ts';
import { readMessage } from '../protocol/jsonrpc.ts';

/** What servers ask for themselves: their params are the arguments. */
export const REQUESTS_OF_SERVERS = ['sampling/createMessage', 'elicitation/create', 'roots/list'] as const;

/** More than any fixture has. */
const MOST = { characters: 4 * 1024 * 1024, texts: 50_000 } as const;

/** How often sentences are left out, and then whole texts, as the gate does before it gives up. */
const SENTENCE_ROUNDS = 3;
const ROUNDS = 5;

/** Of what is in texts, what counts. */
type Find = (origin: TextOrigin, texts: readonly TextField[]) => readonly Detection[];

/** A request of a server's in which something was found. */
export interface FoundInRequest {
  readonly found: readonly Detection[];
  /** The same request without that; undefined where something is still found in what is left. */
  readonly redacted: () => Call | undefined;
}

/** Is a call one that a server asks for? */
export function isRequestOfServer({ method }: Pick<Call, 'method'>): boolean {
  return REQUESTS_OF_SERVERS.some((known) => known === method);
}

/** Looks through what a server asks of the model or the user, as the gate does. Undefined where nothing is found. */
export function lookAtRequest(call: Call, find: Find): FoundInRequest | undefined {
  const { method, args } = call;
  if (args === undefined) return undefined;
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${exactJson(args)}}`);
  const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
  const part = partOfMessage(message);
  if (part === undefined) return undefined;
  const { texts } = spannedTexts(bytes, part.span, { ...part, most: MOST });
  const found = find(part.origin, texts);
  if (found.length === 0) return undefined;
  return {
    found,
    redacted() {
      const redaction = new Redaction(texts);
      let left = found;
      for (let round = 0; round < ROUNDS && left.length > 0; round++) {
        redaction.cut(left, round >= SENTENCE_ROUNDS);
        left = find(part.origin, redaction.rest());
      }
      const line = left.length > 0 ? undefined : parseJson(redaction.toLine(message));
      return isJsonObject(line) ? toServerCall(call.server, method, line['params']) : undefined;
    },
  };
}
