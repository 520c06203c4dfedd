import { anthropicApi } from './anthropic/api.ts';
import { geminiApi } from './gemini/api.ts';
import type { ModelApi } from './model-api.ts';
import { openaiApi } from './openai/api.ts';

/** All supported LLM APIs, one per dialect. */
export const MODEL_APIS: readonly ModelApi[] = [anthropicApi, openaiApi, geminiApi];
