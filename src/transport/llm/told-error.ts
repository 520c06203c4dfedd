import { isUtf8 } from 'node:buffer';
import { holdsCallWords, mentionsCalls } from '../../protocol/llm/calls.ts';
import { isObject } from '../../protocol/llm/json-object.ts';
import { findKeyProblem } from '../../protocol/llm/json-text.ts';
import type { AnswerRequest, ModelApi } from '../../protocol/llm/model-api.ts';

/** Members that errors are told in. They may quote the request, calls of its history with it, and no client reads an answer there. */
const TELLING: ReadonlySet<string> = new Set(['detail', 'details', 'error', 'errors', 'message']);

/** A status and a decoded body. */
interface Told {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * What a client is told of a provider's failure: what the provider says, as it came. Where a request that goes on from an answer was refused because
 * of a call that nobody knows any more, it is told to begin anew. Undefined where it could take the failure for an answer that calls something, since not all clients
 * look at the status.
 */
export function toldError(
  { status, body }: Told,
  { api, asked }: { readonly api: Pick<ModelApi, 'replayError'>; readonly asked: Pick<AnswerRequest, 'previousAnswer'> },
): Told | undefined {
  const isRefusal = status === 400 && asked.previousAnswer !== undefined && isUtf8(body);
  const anew = isRefusal ? api.replayError?.(body.toString('utf8')) : undefined;
  if (anew !== undefined) return { status: anew.status, body: Buffer.from(anew.body) };
  return hasCalls(body) ? undefined : { status, body };
}

function hasCalls(body: Buffer): boolean {
  // Text of other encodings is what is left without the bytes between its letters.
  const text = body.toString(isUtf8(body) ? 'utf8' : 'latin1').replaceAll('\0', '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A page for people, as a rule; or events, or JSON to some readers.
    return mentionsCalls(text);
  }
  if (findKeyProblem(text) !== undefined) return mentionsCalls(text);
  return [value].flat().some((each) => holdsCallWords(isObject(each) ? withoutTelling(each) : each));
}

function withoutTelling(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    // Answers of some APIs are under one of these names, as objects with calls in them.
    Object.entries(object).filter(([key, value]) => !TELLING.has(key) || (key === 'message' && typeof value === 'object')),
  );
}
