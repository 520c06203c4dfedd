import { describe, expect, it } from 'vitest';
import { type Chain, toChains } from '../../../src/cli/report/chains.ts';
import { type Body, recordedCall } from '../../support/recorded-store.ts';
import { recordedFlow, stored } from '../../support/report-events.ts';

const READ = { timestamp: '2026-03-01T10:02:11.000Z', server_id: 'mail', tool_name: 'read_mail', call_id: 'm.1' };
const LIST = { timestamp: '2026-03-01T10:03:00.000Z', server_id: 'mail', tool_name: 'list_mails', call_id: 'm.2' };

/** A finding in a call that pays, which took a value from a mail unless something else is said. */
function steered(more: Body = {}): Body {
  return recordedFlow({
    timestamp: '2026-03-01T10:04:03.000Z',
    server_id: 'bank',
    tool_name: 'send_money',
    call_id: 'b.1',
    rule: 'steered_call',
    severity: 'high',
    evidence: 'an account number',
    evidence_encoding: 'plain',
    evidence_source: 'm.1',
    evidence_place: 'to',
    evidence_signs: 'request recipient',
    related_calls: [READ, LIST],
    ...more,
  });
}

function chainsOf(...bodies: readonly Body[]): readonly Chain[] {
  return toChains(bodies.map((body) => stored(body)));
}

/** The call in which that was found, as it is recorded before. */
function paid(more: Body = {}): Body {
  return recordedCall({ id: 'b.1', server_id: 'bank', tool_name: 'send_money', reason: 'flow', rule: undefined, ...more });
}

describe('toChains', () => {
  it('names the result that had the value, the place where it went, what became of it, and what speaks for it', () => {
    const [chain, ...others] = chainsOf(paid({ action: 'block', decision: 'deny' }), steered());
    expect(others).toEqual([]);
    expect(chain).toEqual({
      rule: 'steered_call',
      other_rules: [],
      severity: 'high',
      action: 'block',
      outcome: 'denied',
      answered_by: null,
      denied_by: null,
      session_id: 'session-a',
      timestamp: '2026-03-01T10:04:03.000Z',
      server_id: 'bank',
      tool_name: 'send_money',
      call_id: 'b.1',
      parameter: 'to',
      source: { ...READ, category: '' },
      reason: 'it would send what it read',
      evidence: 'an account number',
      evidence_encoding: 'plain',
      evidence_source: 'm.1',
      signs: ['request', 'recipient'],
      related_calls: [
        { ...READ, category: '' },
        { ...LIST, category: '' },
      ],
    });
  });

  it('without a value, the newest of the calls before is named, and a number of calls has no source', () => {
    const none = { evidence: undefined, evidence_source: undefined, evidence_place: undefined };
    const [read, burst, shadow] = chainsOf(
      steered({ rule: 'read_then_send', ...none }),
      steered({ rule: 'burst', call_id: 'b.2', ...none }),
      steered({ rule: 'shadow_tool', call_id: 'b.3', ...none, related_calls: [] }),
    );
    expect([read?.source?.call_id, read?.parameter, burst?.source, shadow?.source]).toEqual(['m.2', null, null, null]);
  });

  it.each<[Body | undefined, Partial<Chain>]>([
    [
      { action: 'block', decision: 'deny' },
      { outcome: 'denied', denied_by: null },
    ],
    [
      { action: 'block', decision: 'deny', reason: 'rule', rule: 'no-pay' },
      { outcome: 'denied', denied_by: 'no-pay' },
    ],
    [
      { action: 'block', decision: 'deny', reason: 'pinning' },
      { outcome: 'denied', denied_by: 'pinning' },
    ],
    [
      { action: 'allow', decision: 'prompt', approval: 'granted', approved_by: 'ann' },
      { outcome: 'allowed', answered_by: 'ann' },
    ],
    [
      { action: 'block', decision: 'prompt', approval: 'refused', refused_by: 'bob' },
      { outcome: 'refused', answered_by: 'bob' },
    ],
    [
      { action: 'block', decision: 'prompt', approval: 'expired' },
      { outcome: 'unanswered', answered_by: null },
    ],
    [{ action: 'block', decision: 'prompt', approval: 'unavailable' }, { outcome: 'unanswered' }],
    [
      { action: 'allow', decision: 'allow', reason: 'default' },
      { outcome: 'passed', denied_by: null },
    ],
    [{ action: 'allow', decision: 'deny', mode: 'observe' }, { outcome: 'observed' }],
    [undefined, { outcome: 'asked' }],
  ])('the call %j is told as %j', (call, expected) => {
    const events = call === undefined ? [] : [paid(call)];
    expect(chainsOf(...events, steered({ action: 'prompt' }))[0]).toMatchObject(expected);
  });

  it('several findings in one call are one chain, whose value is that of whichever found it', () => {
    const kinds = { rule: 'read_then_send', severity: 'critical', evidence: undefined, evidence_source: undefined };
    const [first, ...others] = chainsOf(steered(kinds), steered({ action: 'alert' }), steered({ rule: 'burst' }));
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      rule: 'read_then_send',
      other_rules: ['steered_call', 'burst'],
      action: 'block',
      severity: 'critical',
      source: READ,
      parameter: 'to',
      evidence: 'an account number',
    });
  });

  it('two values in one call are two chains, and what only links calls belongs to the first', () => {
    const two = chainsOf(steered(), steered({ rule: 'read_then_send', evidence_source: 'm.2', evidence_place: 'note' }));
    expect(two.map(({ source, parameter }) => [source?.call_id, parameter])).toEqual([
      ['m.1', 'to'],
      ['m.2', 'note'],
    ]);
  });

  it('a call that a model made and an agent then made is one chain, unless something else became of it', () => {
    const again = { id: 'b.2', sighting_of: 'b.1', decision: 'allow', reason: 'default' };
    const first = [paid({ type: 'mcp_tool_call_intercepted', decision: 'allow', reason: 'default' }), steered()];
    expect(chainsOf(...first, paid(again), steered({ call_id: 'b.2' }))).toHaveLength(1);
    expect(chainsOf(...first, paid({ ...again, action: 'block' }), steered({ call_id: 'b.2' }))).toHaveLength(2);
  });

  it('an edited store breaks nothing', () => {
    const odd = { call_id: 7, related_calls: 'x', evidence_signs: {}, evidence_place: [], action: 'constructor', rule: null };
    expect(chainsOf(steered(odd as Body))[0]).toMatchObject({ call_id: '', source: null, signs: [], outcome: 'passed' });
  });
});
