import { includesGlob } from '../../relation/glob-language.ts';
import type { PolicyPath } from '../../../core/policy/types.ts';
import type { LintFinding, LintRule, LintSubject } from '../finding.ts';

/** A suppression after which detection says nothing any more. */
export const suppressesEverything: LintRule = {
  id: 'suppresses-everything',
  severity: 'warning',
  summary: 'A suppression hides all findings.',
  *find({ policy }) {
    for (const [index, { server, tool, rule }] of policy.detection.suppress.entries()) {
      const isAny = (glob: string | undefined): boolean => glob === undefined || includesGlob(glob, '*');
      if (!isAny(server) || !isAny(tool) || !isAny(rule)) continue;
      yield {
        path: ['detection', 'suppress', index],
        message: 'this suppresses every finding of every server',
        hint: 'name the server, its tool and the rule that is wrong there; to switch detection off, write detection.enabled = false',
      };
    }
  },
};

/** Settings of a guard that is off. */
export const inactiveGuard: LintRule = {
  id: 'inactive-guard',
  severity: 'warning',
  summary: 'A guard has settings but is off.',
  *find(subject) {
    const { schema, dlp, pinning, detection, rateLimits, flow } = subject.policy;
    yield* find(subject, ['rate_limits'], rateLimits.enabled);
    yield* find(subject, ['schema'], schema.enabled);
    yield* find(subject, ['dlp'], dlp.enabled);
    yield* find(subject, ['pinning'], pinning.enabled);
    yield* find(subject, ['detection'], detection.enabled);
    yield* find(subject, ['flow'], flow.enabled);
    if (!flow.enabled) return;
    yield* find(subject, ['flow', 'read_then_send'], flow.readThenSend.enabled);
    yield* find(subject, ['flow', 'cross_server_flow'], flow.crossServerFlow.enabled);
    yield* find(subject, ['flow', 'steered_call'], flow.steeredCall.enabled);
    yield* find(subject, ['flow', 'burst'], flow.burst.enabled);
    yield* find(subject, ['flow', 'shadow_tool'], flow.shadowTool.enabled);
  },
};

function* find({ has, keysOf }: LintSubject, path: PolicyPath, isOn: boolean): Iterable<LintFinding> {
  if (isOn) return;
  const settings = keysOf(path).filter((key) => key !== 'enabled');
  if (settings.length === 0) return;
  const isWritten = has([...path, 'enabled']);
  yield {
    path,
    message: `${path.join('.')} is ${isWritten ? 'switched off' : 'off unless it is switched on'}, so ${settings.join(', ')} does nothing`,
    hint: isWritten ? 'enabled = true switches it on' : 'add enabled = true',
    // Whoever wrote that it is off knows that.
    ...(isWritten ? { severity: 'info' } : {}),
  };
}
