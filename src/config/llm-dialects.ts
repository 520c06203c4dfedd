/** The LLM APIs that a provider may speak. Each is the name of the provider that made it as well, whose URL is what its SDK has as base URL. */
export const LLM_DIALECTS = [
  { dialect: 'anthropic', url: 'https://api.anthropic.com' },
  { dialect: 'openai', url: 'https://api.openai.com/v1' },
  { dialect: 'gemini', url: 'https://generativelanguage.googleapis.com' },
] as const;

export type LlmDialect = (typeof LLM_DIALECTS)[number]['dialect'];
