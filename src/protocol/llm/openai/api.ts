import type { ModelApi } from '../model-api.ts';
import { findAnswerCalls, findLineCalls, rewriteAnswer, rewriteLine } from './chat/buffered.ts';
import { formatError } from './chat/chunk.ts';
import { editTools } from './chat/edit-tools.ts';
import { isProviderTool, readChatRequest } from './chat/request.ts';
import { restoreChat } from './chat/restore.ts';
import { createChatStream } from './chat/stream.ts';

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
