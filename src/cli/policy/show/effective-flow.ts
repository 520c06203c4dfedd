import { formatDuration } from '../../../core/duration.ts';
import type { Flow, PolicyPath } from '../../../core/policy/types.ts';

/** A value of a rule. */
type Value = readonly [key: string, shown: string];

/**
 * `[flow]`: the values of each rule; of what is switched off only that it is.
 *
 * @param settle gives a value, by its path, its name and how it is shown, the place where it is written; or else where `elsewhere` is,
 *   which it follows from
 */
export function toFlowSettings<T>(
  { enabled, readThenSend, crossServerFlow, burst, shadowTool }: Flow,
  settle: (path: PolicyPath, name: string, shown: string, elsewhere?: PolicyPath) => T,
): readonly T[] {
  const settled = (steps: readonly string[], value: string, elsewhere?: PolicyPath): T =>
    settle(['flow', ...steps], steps.join('.'), value, elsewhere);
  const rule = (name: string, of: Flow['shadowTool'], rest: readonly Value[]): readonly T[] => {
    const isRuleOn = settled([name, 'enabled'], String(of.enabled));
    if (!of.enabled) return [isRuleOn];
    // The table's action is that of each rule that has none of its own, but for this one.
    const action = settled([name, 'action'], of.action, name === 'shadow_tool' ? undefined : ['flow', 'action']);
    return [isRuleOn, action, ...rest.map(([key, value]) => settled([name, key], value))];
  };
  const isOn = settled(['enabled'], String(enabled));
  if (!enabled) return [isOn];
  return [
    isOn,
    ...rule('read_then_send', readThenSend, [
      ['window', formatDuration(readThenSend.window)],
      ['evidence', readThenSend.evidence],
    ]),
    ...rule('cross_server_flow', crossServerFlow, [
      ['window', formatDuration(crossServerFlow.window)],
      ['same_turn_only', String(crossServerFlow.sameTurnOnly)],
      ['evidence', crossServerFlow.evidence],
    ]),
    ...rule('burst', burst, [
      ['max_calls', String(burst.maxCalls)],
      ['window', formatDuration(burst.window)],
    ]),
    ...rule('shadow_tool', shadowTool, []),
  ];
}
