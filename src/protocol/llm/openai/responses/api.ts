import type { ModelApi } from '../../model-api.ts';
import { formatError } from '../chat/chunk.ts';
import { findResponseCalls, rewriteResponse } from './buffered.ts';
import { editTools } from './edit-tools.ts';
import { replayError } from './errors.ts';
import { isProviderTool, readResponsesRequest } from './request.ts';
import { restoreResponses } from './restore.ts';
import { createResponsesStream } from './stream.ts';

/** Matches the id of a stored answer in a path. */
const STORED = /\/responses\/([^/?#]+)/;

/** Returns the Responses API at a path. @param path with any query */
export function responsesApiAt(path: string): ModelApi {
  const [, answer] = STORED.exec(path) ?? [];
  if (answer === undefined) return responsesApi;
  return { ...responsesApi, createStream: (options) => createResponsesStream({ ...options, answer }) };
}

/** OpenAI's Responses API. */
const responsesApi: ModelApi = {
  dialect: 'openai',
  readRequest: readResponsesRequest,
  editRequest: editTools,
  restore: restoreResponses,
  isRunByProvider: isProviderTool,
  createStream: createResponsesStream,
  findCalls: (text) => findResponseCalls(text),
  rewrite: (text, verdicts) => rewriteResponse(text, verdicts),
  // The API names answers by id, without URLs.
  moveResults: (text) => text,
  texts: 'responses',
  errorBody: formatError,
  replayError,
};
