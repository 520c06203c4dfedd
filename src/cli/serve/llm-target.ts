import type { Target } from '../../transport/http/target.ts';

/** Tells whether a request is for an LLM provider. */
export function isForLlm({ segments }: Target): boolean {
  return segments[0] === 'llm';
}

/** The message if `llm.mode` in the config has us leave all models alone. */
export const DISABLED_LINE = 'llm.mode is "disabled": what models call is neither decided nor recorded';
