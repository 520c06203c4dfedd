import type { Call } from '../../call.ts';
import type { CompiledRule } from '../compiled-policy.ts';
import { matchesField } from '../evaluate.ts';
import type { NameField } from './explanation.ts';

/** Why a rule that is no candidate for a call is none: the first name that is not the call's. */
export function elsewhereOf(rule: CompiledRule, call: Call): NameField {
  if (call.origin === 'native' && !rule.coversNative) return 'native';
  if (!matchesField(rule.method, call.method)) return 'method';
  const isOfOther =
    (rule.tool !== undefined && call.tool === undefined) || (rule.prompt !== undefined && call.prompt === undefined);
  if (isOfOther) return 'method';
  for (const field of ['server', 'tool', 'prompt'] as const) if (!matchesField(rule[field], call[field])) return field;
  // Its names match, so it is about another method without saying so, as a rule about tools is about `tools/call`.
  return 'method';
}
