import type { ModelApi } from '../model-api.ts';
import {
  editBatchRequest,
  findBatchResultCalls,
  moveResults,
  readBatchRequest,
  restoreBatchCalls,
  rewriteBatchResult,
} from './batches.ts';
import { findMessageCalls, rewriteMessage } from './buffered.ts';
import { editTools, isProviderTool } from './edit-tools.ts';
import { errorBody, replayError } from './errors.ts';
import { readRequest } from './request.ts';
import { restoreCalls } from './restore.ts';
import { createAnthropicStream } from './stream.ts';

/** Anthropic's Messages API. */
export const anthropicApi: ModelApi = {
  dialect: 'anthropic',
  readRequest: (text, place) => (place === 'body' ? readRequest(text) : readBatchRequest(text)),
  editRequest: (text, denied, place) => (place === 'body' ? editTools(text, denied) : editBatchRequest(text, denied)),
  restore: (text, denied, place) => (place === 'body' ? restoreCalls(text, denied) : restoreBatchCalls(text, denied)),
  isRunByProvider: isProviderTool,
  createStream: createAnthropicStream,
  findCalls: (text, place) => (place === 'body' ? findMessageCalls(text) : findBatchResultCalls(text)),
  rewrite: (text, verdicts, place) => (place === 'body' ? rewriteMessage(text, verdicts) : rewriteBatchResult(text, verdicts)),
  moveResults,
  texts: 'anthropic',
  errorBody: (message, kind) => errorBody(kind === 'request' ? 'invalid_request_error' : 'api_error', message),
  replayError,
};
