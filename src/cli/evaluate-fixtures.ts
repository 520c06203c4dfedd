import { type Action, ruleName } from '../core/decision.ts';
import { compilePolicy } from '../core/policy/compile.ts';
import type { Policy } from '../core/policy/types.ts';
import type { Fixture, SessionSetup } from './fixture-case.ts';
import { FixtureSession, type SessionParts } from './fixture-session.ts';
import { guardNames } from './guard-names.ts';
import { toReport, toResult, type TestReport } from './test-report.ts';

/**
 * Decides every fixture, in order; those that are steps of one session in that session, all others each in one of its own. `expect`,
 * where given, stands for every fixture's own `expected`, and for that of a session's last step. Pure.
 */
export function evaluateFixtures(policy: Policy, fixtures: Iterable<Fixture>, expect?: Action): TestReport {
  const parts: SessionParts = { policy: compilePolicy(policy) };
  const sessions = new Map<SessionSetup, FixtureSession>();
  const sessionOf = (setup: SessionSetup | undefined): FixtureSession => {
    const known = setup === undefined ? undefined : sessions.get(setup);
    const session = known ?? new FixtureSession(parts, setup);
    if (setup !== undefined) sessions.set(setup, session);
    return session;
  };
  const results = Array.from(fixtures, (fixture) => toResult(fixture, sessionOf(fixture.step?.session).decide(fixture), expect));
  return toReport(results, { rules: policy.rules.map(ruleName), guards: guardNames(policy) });
}
