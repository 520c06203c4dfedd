import type { Target } from '../../transport/http/target.ts';

/** Is a request for an LLM provider? */
export function isForLlm({ segments }: Target): boolean {
  return segments[0] === 'llm';
}
