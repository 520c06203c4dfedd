import type { Flow } from '../policy/types.ts';
import { FLOW_ACTIONS, type FlowAction } from './finding.ts';

/** The strictest action of the rules that ask for a value that flows; undefined where none does. */
export function asksForValues({ enabled, readThenSend, crossServerFlow }: Flow): FlowAction | undefined {
  if (!enabled) return undefined;
  const asking = [readThenSend, crossServerFlow].filter((rule) => rule.enabled && rule.evidence === 'value');
  return FLOW_ACTIONS.findLast((action) => asking.some((rule) => rule.action === action));
}
