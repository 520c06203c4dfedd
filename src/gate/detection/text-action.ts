import type { Detection, OnText } from '../../core/policy/types.ts';
import type { MessagePart } from './message-part.ts';

const STRICTEST: readonly OnText[] = ['deny', 'redact', 'alert'];

/** What a policy has become of messages of a kind in which something is found; of what is of two kinds, what is stricter. */
export function textAction(
  { enabled, onDefinition, onResult, onSampling }: Pick<Detection, 'enabled' | 'onDefinition' | 'onResult' | 'onSampling'>,
  { origin, isBoth }: Pick<MessagePart, 'origin' | 'isBoth'>,
): OnText {
  if (!enabled) return 'alert';
  // There is no name by which a person could approve it: what is not shown does no harm.
  if (origin === 'definition') return onDefinition === 'alert' ? 'alert' : 'redact';
  if (isBoth) return STRICTEST.find((action) => action === onResult || action === onSampling) ?? 'alert';
  return origin === 'sampling' || origin === 'elicitation' ? onSampling : onResult;
}
