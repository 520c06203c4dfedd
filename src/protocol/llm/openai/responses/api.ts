import type { ModelApi } from '../../model-api.ts';
import { formatError } from '../chat/chunk.ts';
import { findResponseCalls, rewriteResponse } from './buffered.ts';
import { editTools } from './edit-tools.ts';
import { replayError } from './errors.ts';
import { isProviderTool, readResponsesRequest } from './request.ts';
import { restoreResponses } from './restore.ts';
import { createResponsesStream } from './stream.ts';

/** OpenAI's Responses API. */
export const responsesApi: ModelApi = {
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
  errorBody: formatError,
  replayError,
};
