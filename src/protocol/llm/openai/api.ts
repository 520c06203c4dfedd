import type { ModelApi } from '../model-api.ts';
import { findLineCalls, rewriteLine } from './batch-line.ts';
import { findAnswerCalls, rewriteAnswer } from './chat/buffered.ts';
import { formatError } from './chat/chunk.ts';
import { editTools } from './chat/edit-tools.ts';
import { isProviderTool, readChatRequest } from './chat/request.ts';
import { restoreChat } from './chat/restore.ts';
import { createChatStream } from './chat/stream.ts';
import { isResponsesPath } from '../routes/route-of.ts';
import { responsesApiAt } from './responses/api.ts';

/**
 * OpenAI's Chat Completions API, which many other providers offer, and its Responses API at its own paths. Requests of a batch are uploaded
 * as a file, and not checked.
 */
export const openaiApi: ModelApi = {
  dialect: 'openai',
  at: (path) => (isResponsesPath(path) ? responsesApiAt(path) : openaiApi),
  readRequest: readChatRequest,
  editRequest: editTools,
  restore: restoreChat,
  isRunByProvider: isProviderTool,
  createStream: createChatStream,
  findCalls: (text, place) => (place === 'body' ? findAnswerCalls(text) : findLineCalls(text)),
  rewrite: (text, verdicts, place) => (place === 'body' ? rewriteAnswer(text, verdicts) : rewriteLine(text, verdicts)),
  // The API names files by id, without URLs.
  moveResults: (text) => text,
  texts: 'chat',
  errorBody: formatError,
};
