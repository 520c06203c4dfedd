import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Call, CATEGORIES, type Category } from '../../../src/core/call.ts';
import type { Evidence, FlowFinding, PastCall } from '../../../src/core/finding.ts';
import { findFlows } from '../../../src/core/flow/find-flows.ts';
import { MOST_RELATED } from '../../../src/core/flow/find-sources.ts';
import { PastCalls } from '../../../src/core/flow/past-calls.ts';
import type { Flow } from '../../../src/core/policy/parse-flow.ts';
import { NOW, sessionFacts } from '../../support/session-facts.ts';

/** A call of a session, and what becomes of it. */
interface Step {
  /** Milliseconds since the step before; a clock that is set back or forward makes it anything. */
  readonly wait: number;
  readonly server: string;
  readonly categories: readonly Category[];
  readonly turn: string | undefined;
  readonly fate: 'forwarded' | 'denied' | 'retracted';
  /** How many steps back the call is whose result has a value that is in the arguments; 0 for none. */
  readonly takesFrom: number;
}

const SERVERS = ['a', 'b', 'c'];
const action = fc.constantFrom('alert', 'prompt', 'deny') as fc.Arbitrary<'alert' | 'prompt' | 'deny'>;
const evidence = fc.constantFrom('category', 'value') as fc.Arbitrary<'category' | 'value'>;
const window = fc.integer({ min: 1000, max: 60_000 });

const FLOW: fc.Arbitrary<Flow> = fc.record({
  enabled: fc.constant(true),
  trusted: fc.constant([]),
  known: fc.constant([]),
  readThenSend: fc.record({ enabled: fc.boolean(), action, window, evidence }),
  crossServerFlow: fc.record({ enabled: fc.boolean(), action, window, evidence, sameTurnOnly: fc.boolean() }),
  steeredCall: fc.record({ enabled: fc.boolean(), action, window }),
  burst: fc.record({ enabled: fc.boolean(), action, maxCalls: fc.integer({ min: 1, max: 8 }), window }),
  shadowTool: fc.record({ enabled: fc.boolean(), action }),
});

const WAIT = fc.integer({ min: 0, max: 10_000 });
const JUMP = fc.oneof({ weight: 8, arbitrary: WAIT }, { weight: 1, arbitrary: fc.integer({ min: -4_000_000, max: 4_000_000 }) });

function steps(wait: fc.Arbitrary<number>, fate: readonly Step['fate'][]): fc.Arbitrary<readonly Step[]> {
  const step: fc.Arbitrary<Step> = fc.record({
    wait,
    server: fc.constantFrom(...SERVERS),
    categories: fc.subarray([...CATEGORIES], { minLength: 1 }),
    turn: fc.constantFrom('1', '2', undefined),
    fate: fc.constantFrom(...fate),
    takesFrom: fc.nat(3),
  });
  return fc.array(step, { minLength: 1, maxLength: 40 });
}

interface Looked {
  readonly step: Step;
  readonly past: PastCall;
  readonly now: number;
  readonly findings: readonly FlowFinding[];
}

/** Goes through a session as the gate does: each call is looked at and then noted. */
function play(session: readonly Step[], flow: Flow): readonly Looked[] {
  const calls = new PastCalls();
  let clock = NOW;
  return session.map((step, index) => {
    clock += step.wait;
    const now = calls.nowFrom(clock);
    const source = session[index - step.takesFrom] === step ? undefined : `${index - step.takesFrom}`;
    const values: Evidence[] = source === undefined ? [] : [{ source, encoding: 'plain', description: 'a value' }];
    const call: Call = { method: 'tools/call', server: step.server, tool: `t${index}` };
    const facts = sessionFacts({ now, calls: calls.list(now), turn: step.turn, servers: 3, evidence: () => values });
    const findings = findFlows(call, { categories: () => step.categories, session: facts, flow });
    const past: PastCall = {
      id: String(index),
      time: clock,
      server: step.server,
      method: call.method,
      subject: `t${index}`,
      categories: step.categories,
      turn: step.turn,
      isForwarded: step.fate !== 'denied',
    };
    calls.add(past);
    if (step.fate === 'retracted') calls.retract(past.id);
    return { step, past, now, findings };
  });
}

const FATES: readonly Step['fate'][] = ['forwarded', 'forwarded', 'denied', 'retracted'];
const RUNS = { numRuns: 300 };

describe('in any session', () => {
  it('a finding names only calls that went on, of the servers that it is about, in its window', () => {
    const holds = (session: readonly Step[], flow: Flow): void => {
      let named = 0;
      for (const { step, now, findings } of play(session, flow)) {
        for (const { rule, related, evidence: value, reason } of findings) {
          named += related.length;
          const asked = rule === 'read_then_send' ? flow.readThenSend : rule === 'burst' ? flow.burst : flow.crossServerFlow;
          for (const { id, isForwarded, server, time } of related) {
            expect(session[Number(id)]?.fate).toBe('forwarded');
            expect(isForwarded).toBe(true);
            expect(server === step.server).toBe(rule === 'burst');
            expect(now - time).toBeLessThanOrEqual(asked.window);
            expect(now - time).toBeGreaterThanOrEqual(0);
          }
          expect(related.length).toBeGreaterThan(0);
          expect(related.length).toBeLessThanOrEqual(MOST_RELATED);
          expect(related).toEqual(related.toSorted((a, b) => Number(a.id) - Number(b.id)));
          if (value !== undefined) expect(related.map(({ id }) => id)).toContain(value.source);
          if ('evidence' in asked && asked.evidence === 'value') expect(value).toBeDefined();
          expect(reason).toMatch(/^it would /);
        }
      }
      fc.pre(named > 0);
    };
    fc.assert(fc.property(steps(JUMP, FATES), FLOW, holds), RUNS);
  });

  it('findings are in order of what decides, and each rule has one at most', () => {
    const rank = ({ action: of, severity }: FlowFinding): number =>
      ['alert', 'prompt', 'deny'].indexOf(of) * 2 + (severity === 'critical' ? 1 : 0);
    const holds = (session: readonly Step[], flow: Flow): void => {
      for (const { findings } of play(session, flow)) {
        expect(new Set(findings.map(({ rule }) => rule)).size).toBe(findings.length);
        expect(findings.map(rank)).toEqual(findings.map(rank).toSorted((a, b) => b - a));
      }
    };
    fc.assert(fc.property(steps(WAIT, FATES), FLOW, holds), RUNS);
  });

  it('what was denied or taken back changes nothing that is found later', () => {
    const noValues = (session: readonly Step[]): readonly Step[] => session.map((step) => ({ ...step, takesFrom: 0 }));
    const holds = (mixed: readonly Step[], flow: Flow): void => {
      const session = noValues(mixed);
      let wait = 0;
      const without: Step[] = [];
      for (const step of session) {
        wait += step.wait;
        if (step.fate !== 'forwarded') continue;
        without.push({ ...step, wait });
        wait = 0;
      }
      const show = (looked: readonly Looked[]): readonly unknown[] =>
        looked
          .filter(({ step }) => step.fate === 'forwarded')
          .map(({ findings }) => findings.map(({ rule, related }) => [rule, related.map(({ time }) => time)]));
      expect(show(play(session, flow))).toEqual(show(play(without, flow)));
    };
    fc.assert(fc.property(steps(WAIT, FATES), FLOW, holds), RUNS);
  });

  it('the more a window holds, the more is found', () => {
    const holds = (session: readonly Step[], flow: Flow): void => {
      const wide = (rule: { readonly window: number }): { readonly window: number } => ({ window: rule.window * 2 });
      const wider: Flow = {
        ...flow,
        readThenSend: { ...flow.readThenSend, ...wide(flow.readThenSend) },
        crossServerFlow: { ...flow.crossServerFlow, ...wide(flow.crossServerFlow) },
        burst: { ...flow.burst, ...wide(flow.burst) },
      };
      const more = play(session, wider);
      for (const [index, { findings }] of play(session, flow).entries()) {
        const rules = more[index]?.findings.map(({ rule }) => rule);
        for (const { rule } of findings) expect(rules).toContain(rule);
      }
    };
    fc.assert(fc.property(steps(WAIT, FATES), FLOW, holds), RUNS);
  });
});
