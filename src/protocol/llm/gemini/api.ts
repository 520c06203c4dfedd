import type { ModelApi } from '../model-api.ts';
import { findAnswerCalls, rewriteAnswer } from './buffered.ts';
import { editTools } from './edit-tools.ts';
import { errorPayload } from './frame.ts';
import { isProviderTool } from './keys.ts';
import { readRequest } from './request.ts';
import { restoreCalls } from './restore.ts';
import { plainPath } from '../routes/route-of.ts';
import { createGeminiStream } from './stream.ts';

/** Google's Gemini API, and Vertex's for the same models. Batches are not supported: clients fetch their answers elsewhere. */
export const geminiApi: ModelApi = {
  dialect: 'gemini',
  isArrayStream: (path) => plainPath(path).endsWith(':streamgeneratecontent'),
  readRequest: (text) => readRequest(text),
  editRequest: (text, denied) => editTools(text, denied),
  restore: (text, denied) => restoreCalls(text, denied),
  isRunByProvider: isProviderTool,
  createStream: createGeminiStream,
  findCalls: (text) => findAnswerCalls(text),
  rewrite: (text, verdicts) => rewriteAnswer(text, verdicts),
  moveResults: (text) => text,
  texts: 'gemini',
  errorBody: errorPayload,
};
