import type { ModelApi } from '../model-api.ts';
import { findLineCalls, rewriteLine } from './chat/batch-line.ts';
import { findAnswerCalls, rewriteAnswer } from './chat/buffered.ts';
import { editTools } from './chat/edit-tools.ts';
import { isProviderTool } from './chat/request-tools.ts';
import { readChatRequest } from './chat/request.ts';
import { restoreChat } from './chat/restore.ts';
import { createChatStream } from './chat/stream.ts';
import { formatError } from './error-body.ts';

/** The Chat Completions API of OpenAI, which many others speak. Requests of a batch are uploaded as a file, and not looked at. */
export const openaiApi: ModelApi = {
  dialect: 'openai',
  readRequest: readChatRequest,
  editRequest: editTools,
  restore: restoreChat,
  isRunByProvider: isProviderTool,
  createStream: createChatStream,
  findCalls: (text, place) => (place === 'body' ? findAnswerCalls(text) : findLineCalls(text)),
  rewrite: (text, verdicts, place) => (place === 'body' ? rewriteAnswer(text, verdicts) : rewriteLine(text, verdicts)),
  // Files are told of by their ids.
  moveResults: (text) => text,
  errorBody: formatError,
};
