import type { CallVerdict, ModelCall } from '../dialect.ts';
import { hasVariantKey, isObject, knownKeys } from '../json-object.ts';
import { applyEdits, type Edit, elementsOf, membersOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import type { AnswerRequest, DeniedCalls, DeniedTools } from '../model-api.ts';
import { readRequestBody } from '../read-request.ts';
import { findMessageCalls, rewriteMessage } from './buffered.ts';
import { editTools } from './edit-tools.ts';
import { readRequest } from './request.ts';
import { restoreCalls } from './restore.ts';

/** Where a batch's results are at the API, behind any base path. */
const RESULTS = /\/v1\/messages\/batches\/[^/?#]+\/results(\?[^#]*)?$/;

/** Where a line of a batch's results has its message. */
const MESSAGE = ['result', 'message'];

const BATCH_KEYS = knownKeys(['requests']);
const ENTRY_KEYS = knownKeys(['params', 'custom_id']);

/**
 * Reads a request for a batch: what all of its requests offer, together.
 *
 * @param text the body, decoded
 * @returns what is wrong, where readers may differ on it
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
    // The provider remembers no conversation between the requests of a batch.
    previousAnswer: undefined,
  };
}

/** Takes what is denied out of each request of a batch. @param text which `readBatchRequest` could read */
export function editBatchRequest(text: string, denied: DeniedTools): string {
  return editEach(text, (request) => editTools(request, denied));
}

/** Gives each request of a batch its denied calls back. @param text which `readBatchRequest` could read */
export function restoreBatchCalls(text: string, denied: DeniedCalls): string {
  return editEach(text, (request) => restoreCalls(request, denied));
}

function editEach(text: string, edit: (request: string) => string): string {
  const edits: readonly Edit[] = paramsIn(text).map((span) => ({ ...span, text: edit(text.slice(span.start, span.end)) }));
  return applyEdits(text, edits);
}

/** Where the requests lie that a batch is made of. */
function paramsIn(text: string): readonly TextSpan[] {
  const requests = membersOf(text, wholeOf(text))?.get('requests');
  const entries = elementsOf(text, requests);
  return (entries ?? []).flatMap((entry) => membersOf(text, entry)?.get('params') ?? []);
}

/**
 * The calls in one line of a batch's results (JSON Lines; each line has a whole message, or tells why there is none).
 *
 * @param line without its line end
 * @returns what is wrong, where readers may differ on what the calls are
 */
export function findBatchResultCalls(line: string): readonly ModelCall[] | string {
  return findMessageCalls(line, MESSAGE);
}

/** The line with what was denied replaced by notes. @param verdicts one for each call that was found in it */
export function rewriteBatchResult(line: string, verdicts: readonly CallVerdict[]): string {
  return rewriteMessage(line, verdicts, MESSAGE);
}

/**
 * What is told of a batch, or of many, with its results at another place: clients fetch them from where they are told to, which would lead
 * past us, wherever that is. What is at no place of the API's is to be had where the API has it, by the batch's id.
 *
 * @param text the body of the answer; what is no JSON, or tells of no results, stays as it is
 * @param base URL that takes the place of the API's, without a slash at its end
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
    const told = stringOf(text, span);
    if (span === undefined || told === undefined) return [];
    const id = encodeURIComponent(stringOf(text, members?.get('id')) ?? '');
    const path = RESULTS.exec(told)?.[0] ?? `/v1/messages/batches/${id}/results`;
    return { ...span, text: JSON.stringify(base + path) };
  });
  return applyEdits(text, edits);
}
