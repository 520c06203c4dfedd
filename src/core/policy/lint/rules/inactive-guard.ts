import type { PolicyPath } from '../../types.ts';
import type { LintFinding, LintRule, LintSubject } from '../finding.ts';

/** Settings of a guard that is off. */
export const inactiveGuard: LintRule = {
  id: 'inactive-guard',
  severity: 'warning',
  summary: 'A guard has settings and is off.',
  *find(subject) {
    const { pinning, detection, rateLimits, flow } = subject.policy;
    yield* find(subject, ['rate_limits'], rateLimits.enabled);
    yield* find(subject, ['pinning'], pinning.enabled);
    yield* find(subject, ['detection'], detection.enabled);
    yield* find(subject, ['flow'], flow.enabled);
    if (!flow.enabled) return;
    yield* find(subject, ['flow', 'read_then_send'], flow.readThenSend.enabled);
    yield* find(subject, ['flow', 'cross_server_flow'], flow.crossServerFlow.enabled);
    yield* find(subject, ['flow', 'burst'], flow.burst.enabled);
    yield* find(subject, ['flow', 'shadow_tool'], flow.shadowTool.enabled);
  },
};

function* find({ has, keysOf }: LintSubject, path: PolicyPath, isOn: boolean): Iterable<LintFinding> {
  if (isOn) return;
  const settings = keysOf(path).filter((key) => key !== 'enabled');
  if (settings.length === 0) return;
  const isSaid = has([...path, 'enabled']);
  yield {
    path,
    message: `${path.join('.')} is ${isSaid ? 'switched off' : 'off unless it is switched on'}, so ${settings.join(', ')} does nothing`,
    hint: isSaid ? 'enabled = true switches it on' : 'add enabled = true',
    // Whoever wrote that it is off knows that.
    ...(isSaid ? { severity: 'info' } : {}),
  };
}
