import type { CallVerdict, ModelCall } from '../dialect.ts';
import { hasVariantKey, isObject, knownKeys } from '../json-object.ts';
import { applyEdits, type Edit, elementsOf, membersOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import type { AnswerRequest, DeniedCalls, DeniedTools } from '../model-api.ts';
import { readRequestBody } from '../read-request.ts';
import { findMessageCalls, rewriteMessage } from './buffered.ts';
import { editTools } from './edit-tools.ts';
import { readRequest } from './request.ts';
import { restoreCalls } from './restore.ts';

/** Matches the API's path of a batch's results, after any base path. */
const RESULTS = /\/v1\/messages\/batches\/[^/?#]+\/results(\?[^#]*)?$/;

/** The path of the message in a line of a batch's results. */
const MESSAGE = ['result', 'message'];

const BATCH_KEYS = knownKeys(['requests']);
const ENTRY_KEYS = knownKeys(['params', 'custom_id']);

/**
 * Reads a request for a batch, as the combination of all its requests.
 *
 * @param text the body, decoded
 * @returns a description of the fault if readers may differ on it
 */
export function readBatchRequest(text: string): AnswerRequest | string {
  const body = readRequestBody(text);
  if (typeof body === 'string') return body;
  const { requests } = body;
  const entries: readonly unknown[] = Array.isArray(requests) ? requests : [];
  const isUnclear = entries.some((entry) => !isObject(entry) || hasVariantKey(entry, ENTRY_KEYS));
  if (isUnclear || hasVariantKey(body, BATCH_KEYS)) return 'the request has a part that some readers take for another';
  const all = paramsIn(text).map((span) => readRequest(text.slice(span.start, span.end)));
  const fault = all.find((one) => typeof one === 'string');
  if (fault !== undefined) return fault;
  const read = all.filter((one) => typeof one !== 'string');
  return {
    tools: read.flatMap(({ tools }) => tools),
    mcpServers: read.flatMap(({ mcpServers }) => mcpServers),
    results: read.flatMap(({ results }) => results),
    // The provider stores no conversation between the requests of a batch.
    previousAnswer: undefined,
  };
}

/** Removes what is denied from each request of a batch. @param text one that `readBatchRequest` could read */
export function editBatchRequest(text: string, denied: DeniedTools): string {
  return editEach(text, (request) => editTools(request, denied));
}

/** Restores the denied calls in each request of a batch. @param text one that `readBatchRequest` could read */
export function restoreBatchCalls(text: string, denied: DeniedCalls): string {
  return editEach(text, (request) => restoreCalls(request, denied));
}

function editEach(text: string, edit: (request: string) => string): string {
  const edits: readonly Edit[] = paramsIn(text).map((span) => ({ ...span, text: edit(text.slice(span.start, span.end)) }));
  return applyEdits(text, edits);
}

/** Returns the spans of a batch's requests. */
function paramsIn(text: string): readonly TextSpan[] {
  const requests = membersOf(text, wholeOf(text))?.get('requests');
  const entries = elementsOf(text, requests);
  return (entries ?? []).flatMap((entry) => membersOf(text, entry)?.get('params') ?? []);
}

/**
 * Finds the calls in one line of a batch's results (JSON Lines; each line is a whole message, or says why there is none).
 *
 * @param line without its line end
 * @returns a description of the fault if readers may differ on the calls
 */
export function findBatchResultCalls(line: string): readonly ModelCall[] | string {
  return findMessageCalls(line, MESSAGE);
}

/** Replaces denied calls in the line by notes. @param verdicts one for each call found in it */
export function rewriteBatchResult(line: string, verdicts: readonly CallVerdict[]): string {
  return rewriteMessage(line, verdicts, MESSAGE);
}

/**
 * Moves the results' URL of a batch, or of many, to another base: clients fetch them from the given URL, which would bypass us wherever it
 * leads. A URL with another path is replaced by the API's path for the batch's id.
 *
 * @param text the body of the answer; it stays unchanged if it is not JSON, or contains no results
 * @param base URL that replaces the API's, without a trailing slash
 */
export function moveResults(text: string, base: string): string {
  const whole = wholeOf(text);
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const body = membersOf(text, whole);
  const listed = body?.get('data');
  const batches: readonly TextSpan[] = [whole, ...(elementsOf(text, listed) ?? [])];
  const edits = batches.flatMap((batch) => {
    const members = membersOf(text, batch);
    const span = members?.get('results_url');
    const url = stringOf(text, span);
    if (span === undefined || url === undefined) return [];
    const id = encodeURIComponent(stringOf(text, members?.get('id')) ?? '');
    const path = RESULTS.exec(url)?.[0] ?? `/v1/messages/batches/${id}/results`;
    return { ...span, text: JSON.stringify(base + path) };
  });
  return applyEdits(text, edits);
}
