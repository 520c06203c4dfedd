import type { Call, Category } from '../../src/core/call.ts';
import type { FlowFinding, PastCall } from '../../src/core/finding.ts';
import { findFlows } from '../../src/core/flow/find-flows.ts';
import type { SessionFacts } from '../../src/core/facts.ts';
import { policyFrom } from './policy.ts';

/** When the tests' calls are made, in milliseconds since the epoch. */
export const NOW = 1_800_000_000_000;

/** A call that went on so many seconds ago; `db` was read unless something else is said. */
export function pastCall(secondsAgo: number, about: Partial<PastCall> = {}): PastCall {
  return {
    id: `${about.server ?? 'db'}-${secondsAgo}`,
    time: NOW - secondsAgo * 1000,
    server: 'db',
    method: 'tools/call',
    subject: 'query_database',
    categories: ['read'],
    turn: undefined,
    isForwarded: true,
    ...about,
  };
}

export function sessionFacts(facts: Partial<SessionFacts> = {}): SessionFacts {
  return { now: NOW, calls: [], turn: undefined, servers: 2, shadowed: undefined, evidence: () => [], ...facts };
}

export interface FlowCase {
  /** Lines of `[flow]`. */
  readonly policy?: string;
  readonly call?: Partial<Call>;
  readonly categories?: readonly Category[];
  readonly session?: Partial<SessionFacts>;
}

/** What the rules find in a call; `mail` would send unless something else is said. */
export function flowsIn({ policy = '', call = {}, categories = ['send'], session = {} }: FlowCase): readonly FlowFinding[] {
  const { flow } = policyFrom(`[flow]\n${policy}`);
  const full: Call = { method: 'tools/call', server: 'mail', tool: 'send_email', ...call };
  return findFlows(full, { categories: () => categories, session: sessionFacts(session), flow });
}

/** Only the names of the rules. */
export function rulesIn(of: FlowCase): readonly string[] {
  return flowsIn(of).map(({ rule }) => rule);
}
