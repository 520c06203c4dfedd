import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/core/decide/decide.ts';
import type { Decision } from '../../../src/core/decision.ts';
import type { RegistryFacts, SessionFacts } from '../../../src/core/facts.ts';
import { PastCalls } from '../../../src/core/flow/past-calls.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { askFlowRules, decideByFlow } from '../../../src/core/decide/stages.ts';
import type { Snapshot } from '../../../src/core/decide/snapshot.ts';
import { policyFrom, POSIX } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';
import { NOW, pastCall, sessionFacts } from '../../support/session-facts.ts';

const ALLOW = '[defaults]\naction = "allow"\n';
/** `db` was read just now. */
const AFTER_READING = sessionFacts({ calls: [pastCall(3)] });

function snapshotOf(text: string, rest: Partial<Snapshot> = {}): Snapshot {
  return { policy: compilePolicy(policyFrom(text)), paths: POSIX, realPaths: new Map(), session: AFTER_READING, ...rest };
}

function decided(text: string, rest: Partial<Snapshot> = {}, tool = 'send_email'): Decision {
  return decide({ method: 'tools/call', server: 'mail', tool }, snapshotOf(text, rest));
}

function shown({ action, reason, flow }: Decision): string {
  return [action, reason, ...(flow ?? []).map(({ rule }) => rule)].join(' ');
}

describe('[flow]', () => {
  it.each([
    ['', 'allow default read_then_send'],
    ['action = "alert"', 'allow default read_then_send'],
    ['action = "prompt"', 'prompt flow read_then_send'],
    ['action = "deny"', 'deny flow read_then_send'],
    ['action = "deny"\nread_then_send = { action = "alert" }', 'allow default read_then_send'],
    ['action = "deny"\nread_then_send = { enabled = false }', 'allow default'],
    ['action = "deny"\nenabled = false', 'allow default'],
  ])('%j: %s', (lines, expected) => {
    expect(shown(decided(`${ALLOW}[flow]\n${lines}`))).toBe(expected);
  });

  it('what is found in a call goes by the shipped classification of its name', () => {
    const text = `${ALLOW}[flow]\naction = "deny"`;
    expect(shown(decided(text, {}, 'get_weather'))).toBe('allow default');
    expect(shown(decided(text, { categories: ['send'] }, 'get_weather'))).toBe('deny flow read_then_send');
    expect(shown(decided(`${text}\n[classify]\nread = ["send_email"]`))).toBe('allow default');
  });

  it('says nothing where nothing is known of the session, and its decision has no such field', () => {
    const { session, ...rest } = snapshotOf(`${ALLOW}[flow]\naction = "deny"`);
    const decision = decide({ method: 'tools/call', server: 'mail', tool: 'send_email' }, rest);
    expect(session).toBeDefined();
    expect(decision).toMatchObject({ action: 'allow', reason: 'default' });
    expect(decision).not.toHaveProperty('flow');
    expect(decided(`${ALLOW}[flow]\naction = "deny"`, { session: sessionFacts() })).not.toHaveProperty('flow');
  });

  it('a denial says what was found, the deciding finding first', () => {
    const session: SessionFacts = { ...AFTER_READING, shadowed: 'old' };
    const decision = decided(`${ALLOW}[flow]\naction = "prompt"`, { session });
    expect(decision).toEqual({
      action: 'deny',
      reason: 'flow',
      flow: [
        expect.objectContaining({ rule: 'shadow_tool', action: 'deny' }),
        expect.objectContaining({ rule: 'read_then_send', action: 'prompt' }),
      ],
      findings: [],
      policyHash: expect.any(String),
    });
  });

  it('hazard 41: a shadowed name is denied by default, of the later server only', () => {
    expect(shown(decided(ALLOW, { session: sessionFacts({ shadowed: 'first' }) }))).toBe('deny flow shadow_tool');
    expect(shown(decided(ALLOW, { session: sessionFacts({ shadowed: undefined }) }))).toBe('allow default');
  });

  it('hazard 40: with 10 calls allowed, the 11th in the window is denied', () => {
    const made = (count: number): SessionFacts =>
      sessionFacts({ calls: Array.from({ length: count }, (_, i) => pastCall((count - i) / 10, { server: 'mail' })) });
    const text = `${ALLOW}[flow]\nburst = { max_calls = 10, action = "deny" }`;
    expect(shown(decided(text, { session: made(9) }, 'get_x'))).toBe('allow default');
    expect(shown(decided(text, { session: made(10) }, 'get_x'))).toBe('deny flow burst');
  });

  it('a clock that was ahead and is set back locks nobody out for as long as it was ahead', () => {
    const text = `${ALLOW}[flow]\nburst = { action = "deny" }`;
    const calls = new PastCalls();
    for (let i = 0; i < 10; i++) calls.add(pastCall(-3600, { id: String(i), server: 'mail' }));
    const decidedAt = (clock: number): string => {
      const now = calls.nowFrom(clock);
      return shown(decided(text, { session: sessionFacts({ now, calls: calls.list(now) }) }, 'get_x'));
    };
    expect(decidedAt(NOW)).toBe('deny flow burst');
    expect(decidedAt(NOW + 5000)).toBe('deny flow burst');
    expect(decidedAt(NOW + 5001)).toBe('allow default');
  });
});

describe('flow among the other stages', () => {
  const CHANGED: RegistryFacts = registryFacts({ status: 'changed' });
  const DENY = '[flow]\naction = "deny"\n';
  const ASK = '[flow]\naction = "prompt"\n';
  const NO_SERVERS = '[server_policy]\npolicy = "allowlist"\n';
  const PIN_ASKS = '[pinning]\non_change = "prompt"\n';
  const rule = (action: string): string => `[[rule]]\naction = "${action}"\ntool = "send_email"\n`;

  it.each([
    ['servers that there may not be come first, and nothing more is asked', NO_SERVERS + DENY, 'deny server_policy'],
    ['a denial comes before what rules deny', DENY + rule('deny'), 'deny flow read_then_send'],
    ['an allow by a rule skips no flow', DENY + rule('allow'), 'deny flow read_then_send'],
    ['what a flow asks is denied by a rule', ASK + rule('deny'), 'deny rule read_then_send'],
    ['what a flow asks is asked although a rule allows', ASK + rule('allow'), 'prompt flow read_then_send'],
    [
      'a person who is asked is asked about the flow, although a rule asks anyway',
      ASK + rule('prompt'),
      'prompt flow read_then_send',
    ],
    ['an alert is kept with what a rule denies', rule('deny'), 'deny rule read_then_send'],
    ['an alert is kept with what a rule asks', rule('prompt'), 'prompt rule read_then_send'],
    ['an alert is kept with what a rule allows', rule('allow'), 'allow rule read_then_send'],
  ])('%s', (_name, text, expected) => {
    expect(shown(decided(text))).toBe(expected);
  });

  it.each([
    ['a changed definition is denied, whatever a flow asks', ASK + rule('allow'), 'deny pinning read_then_send'],
    [
      'who is asked about a changed definition is asked about the call too',
      PIN_ASKS + ASK + rule('prompt'),
      'prompt pinning read_then_send',
    ],
    ['a flow that is denied is denied before', PIN_ASKS + DENY, 'deny flow read_then_send'],
    ['an alert is kept with a denial by pinning', rule('allow'), 'deny pinning read_then_send'],
  ])('%s', (_name, text, expected) => {
    expect(shown(decided(text, { registry: CHANGED }))).toBe(expected);
  });

  it('an alert is kept with a denial by rates', () => {
    const text = `${ALLOW}[rate_limits]\nenabled = true`;
    const buckets = new Map([['["mail"]', { tokens: 0, time: NOW }]]);
    expect(shown(decided(text, { rates: { now: NOW, buckets } }))).toBe('deny rate_limit read_then_send');
    expect(shown(decided(`${text}\n[flow]\naction = "deny"`, { rates: { now: NOW, buckets } }))).toBe('deny flow read_then_send');
  });

  it("a project's rules decide beside it", () => {
    const project = policyFrom(rule('prompt'));
    const policy = compilePolicy(policyFrom(ALLOW + ASK), { project });
    expect(shown(decided('', { policy }))).toBe('prompt flow read_then_send');
    const denying = compilePolicy(policyFrom(ALLOW + ASK), { project: policyFrom(rule('deny')) });
    expect(shown(decided('', { policy: denying }))).toBe('deny rule read_then_send');
  });

  it("a rule's own decision does not get the flow of a call", () => {
    const snapshot = snapshotOf(rule('allow'));
    const call = { method: 'tools/call', server: 'mail', tool: 'send_email' };
    expect(decide(call, snapshot)).toHaveProperty('flow');
    const { session: _session, ...rest } = snapshot;
    expect(decide(call, rest)).not.toHaveProperty('flow');
  });
});

describe('categories', () => {
  /** How often the definition of what is called is read. */
  function readsOf(text: string, session: SessionFacts | undefined): number {
    let reads = 0;
    const registry = registryFacts({
      definition: () => {
        reads++;
        return '{"name":"send_email","inputSchema":{"type":"object"}}';
      },
    });
    // The schema is read from it too.
    const { session: _session, ...rest } = snapshotOf(`${text}\n[schema]\nenabled = false\n`, { registry });
    decide({ method: 'tools/call', server: 'mail', tool: 'send_email' }, session === undefined ? rest : { ...rest, session });
    return reads;
  }
  const RULE = '[[rule]]\naction = "allow"\ntool = "**"\ncategory = "send"\n';
  const OFF = '[flow]\nread_then_send = { enabled = false }\ncross_server_flow = { enabled = false }\n';

  it.each([
    ['a rule and no session', RULE, undefined, 1],
    ['a session and no rule', ALLOW, AFTER_READING, 1],
    ['both', RULE, AFTER_READING, 1],
    ['flow without rules that ask', OFF + ALLOW, AFTER_READING, 0],
    ['disabled', `[flow]\nenabled = false\n${ALLOW}`, AFTER_READING, 0],
  ])('are worked out once at most: %s', (_name, text, session, expected) => {
    expect(readsOf(text, session)).toBe(expected);
  });

  it('that are settled are not worked out, and the snapshot stays as it is', () => {
    const snapshot = snapshotOf(ALLOW, { categories: ['read'] });
    const flows = askFlowRules({ method: 'tools/call', server: 'mail', tool: 'send_email' }, snapshot);
    expect(flows).toEqual({ findings: [], snapshot });
    expect(flows.snapshot).toBe(snapshot);
    expect(decideByFlow(flows.findings, snapshot)).toBeUndefined();
  });
});
