import { anthropicApi } from './anthropic/api.ts';
import { geminiApi } from './gemini/api.ts';
import type { ModelApi } from './model-api.ts';
import { openaiApi } from './openai/api.ts';

/** Every LLM API that can be guarded, by its dialect. */
export const MODEL_APIS: readonly ModelApi[] = [anthropicApi, openaiApi, geminiApi];
