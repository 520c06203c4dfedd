import type { Target } from '../../transport/http/target.ts';

/** Tells whether a request is for an LLM provider. */
export function isForLlm({ segments }: Target): boolean {
  return segments[0] === 'llm';
}

/** Tells whether a request may become a WebSocket: OpenAI's Responses API has one. */
export function mayBeSocket(target: Target): boolean {
  return isForLlm(target) && target.segments.at(-1) === 'responses';
}

/** The message if `llm.mode` in the config has us leave all models alone. */
export const DISABLED_LINE = 'llm.mode is "disabled": what models call is neither decided nor recorded';
