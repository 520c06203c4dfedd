import { applyEdits, type Edit, elementsOf, membersOf, type TextSpan, wholeOf } from '../json-text.ts';
import type { DeniedCalls } from '../denied-calls.ts';
import type { AnswerRequest, DeniedTools } from '../model-api.ts';
import { editTools } from './edit-tools.ts';
import { isObject } from '../json-object.ts';
import { readRequest } from './request.ts';
import { restoreCalls } from './restore-calls.ts';
import { hasVariantKey, knownKeys } from '../variant-key.ts';
import { readRequestBody } from '../read-request-body.ts';

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
