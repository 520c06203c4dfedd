import { decide } from '../core/decide.ts';
import { type Action, ruleName } from '../core/decision.ts';
import { compilePolicy } from '../core/policy/compile.ts';
import type { Policy } from '../core/policy/types.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { Fixture } from './fixture.ts';
import { toReport, toResult, type TestReport } from './test-report.ts';

/**
 * The machine that fixtures run on, the same everywhere: a result must not depend on who tests, where, or on what is on
 * the disk. A path is therefore its own real path.
 */
const FIXTURE_PATHS: Snapshot['paths'] = {
  home: '/home/user',
  cwd: '/home/user/project',
  platform: 'posix',
  remote: false,
};

/** Decides every fixture, in order. `expect`, where given, stands for every fixture's own `expected`. Pure. */
export function evaluateFixtures(policy: Policy, fixtures: readonly Fixture[], expect?: Action): TestReport {
  const snapshot: Snapshot = { policy: compilePolicy(policy), paths: FIXTURE_PATHS, realPaths: new Map() };
  const results = fixtures.map((fixture) => toResult(fixture, decide(fixture.call, { ...snapshot, ...fixture.context }), expect));
  return toReport(results, policy.rules.map(ruleName));
}
