import { isUtf8 } from 'node:buffer';
import { holdsCallWords, mentionsCalls } from '../../protocol/llm/calls.ts';
import { isObject } from '../../protocol/llm/json-object.ts';
import { findKeyProblem } from '../../protocol/llm/json-text.ts';
import type { AnswerRequest, ModelApi } from '../../protocol/llm/model-api.ts';

/** Members that contain error messages. They may quote the request and the calls in its history, and no client parses an answer there. */
const TELLING: ReadonlySet<string> = new Set(['detail', 'details', 'error', 'errors', 'message']);

/** A status and a decoded body. */
interface Told {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Returns what a client is told of a provider's failure: the provider's own error, unchanged. If a continued request was refused because of
 * a call that nobody knows any more, the client is told to start over. Undefined if the error could be parsed as an answer with calls,
 * since some clients ignore the status.
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
  // In other encodings, removing the zero bytes leaves the text.
  const text = body.toString(isUtf8(body) ? 'utf8' : 'latin1').replaceAll('\0', '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The body is usually a page for people; it may be events, or JSON to some readers.
    return mentionsCalls(text);
  }
  if (findKeyProblem(text) !== undefined) return mentionsCalls(text);
  return [value].flat().some((each) => holdsCallWords(isObject(each) ? withoutTelling(each) : each));
}

function withoutTelling(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    // Some APIs put answers under these names, as objects with calls in them.
    Object.entries(object).filter(([key, value]) => !TELLING.has(key) || (key === 'message' && typeof value === 'object')),
  );
}
