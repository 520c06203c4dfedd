import { describe, expect, it } from 'vitest';
import { sinkWords, sourceWords, whyWords } from '../../../src/cli/report/chain-words.ts';
import type { FlowGroup } from '../../../src/cli/report/report.ts';

const CALL = { timestamp: new Date(2026, 2, 1, 10, 2, 11).toISOString(), call_id: 'm.1', category: 'read' };
const READ = { ...CALL, server_id: 'mail', tool_name: 'read_mail' };

const CHAIN: FlowGroup = {
  rule: 'steered_call',
  other_rules: [],
  severity: 'high',
  action: 'prompt',
  outcome: 'allowed',
  answered_by: 'ann',
  denied_by: null,
  session_id: 's-1',
  timestamp: new Date(2026, 2, 1, 10, 4, 3).toISOString(),
  server_id: 'bank',
  tool_name: 'send_money',
  call_id: '0123456789abcdef.7',
  parameter: 'to',
  source: READ,
  reason: 'it would act on it',
  evidence: 'an account number',
  evidence_encoding: 'plain',
  evidence_source: 'm.1',
  signs: ['request', 'recipient', 'partly_said', 'of_another_version'],
  related_calls: [READ],
  count: 1,
};

const NOW = new Date(2026, 5, 1).getTime();
const KINDS = { evidence: null, evidence_encoding: null, evidence_source: null, signs: [], related_calls: [READ, READ, READ] };

describe('the words of a chain', () => {
  it.each<[Partial<FlowGroup>, string]>([
    [{}, 'an account number that "read_mail" of "mail" returned at 10:02:11'],
    [{ evidence_encoding: 'base64' }, 'an account number, as base64, that "read_mail" of "mail" returned at 10:02:11'],
    [KINDS, 'what "read_mail" of "mail" returned at 10:02:11, or 2 calls before it'],
    [{ source: { ...READ, timestamp: null } }, 'an account number that "read_mail" of "mail" returned'],
    [{ source: null }, ''],
    [
      { source: { ...READ, server_id: 'm"\u202E<b>', tool_name: 'a\n\u001B[31m' } },
      String.raw`an account number that "a\n\u001b[31m" of "m\"\u202e<b>" returned at 10:02:11`,
    ],
  ])('%j: its source is named', (more, words) => {
    expect(sourceWords({ ...CHAIN, ...more })).toBe(words);
  });

  it('the call and the place that the value is in are named', () => {
    expect(sinkWords(CHAIN, NOW)).toBe('"to" of "send_money" of "bank" at 03-01 10:04:03');
    expect(sinkWords({ ...CHAIN, parameter: null }, NOW)).toBe('"send_money" of "bank" at 03-01 10:04:03');
  });

  it.each<[Partial<FlowGroup>, string]>([
    [
      {},
      'steered_call high; it stood in a request, and it says where something goes, but you said a part of it; allowed by ann; id 012345.7',
    ],
    [
      {
        ...KINDS,
        rule: 'read_then_send',
        other_rules: ['burst'],
        outcome: 'denied',
        denied_by: 'no-pay',
        answered_by: null,
        count: 3,
      },
      'read_then_send high, also burst: by the kinds of the tools, not by a value; denied by no-pay; 3 times, this was the last; id 012345.7',
    ],
    [{ source: null, rule: 'burst', signs: [], answered_by: null, call_id: '' }, 'burst high: it would act on it'],
  ])('%j: why is told', (more, words) => {
    expect(whyWords({ ...CHAIN, ...more })).toBe(words);
  });
});
