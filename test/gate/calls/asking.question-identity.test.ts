import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/decision.ts';
import { questionIdentity } from '../../../src/gate/calls/asking.ts';

const RULE = { index: 2, action: 'prompt', id: 'ask' } as const;
const ASKS: Decision = { action: 'prompt', reason: 'rule', rule: RULE, findings: [], policyHash: 'p' };

describe('a question', () => {
  it('is the same where the same rule of the same policy asks', () => {
    expect(questionIdentity({ ...ASKS, rule: { ...RULE, description: 'in other words' } })).toBe(questionIdentity(ASKS));
  });

  it.each<[string, Partial<Decision>]>([
    ['policy', { policyHash: 'q' }],
    ['rule', { rule: { ...RULE, index: 3 } }],
    ['rule of the project', { rule: { ...RULE, source: 'project' } }],
    ['reason', { reason: 'pinning' }],
    ['distrust', { distrust: { what: 'changed', fingerprint: 'f' } }],
  ])('is another one where the %s is another', (_what, other) => {
    expect(questionIdentity({ ...ASKS, ...other })).not.toBe(questionIdentity(ASKS));
  });

  it('is that of one definition', () => {
    const about = (fingerprint: string): string | undefined =>
      questionIdentity({ ...ASKS, distrust: { what: 'changed', fingerprint } });
    expect(about('f')).not.toBe(about('g'));
  });

  it('is none that could have been answered before where a flow is asked about, or nothing', () => {
    const flow = [{ rule: 'burst', severity: 'high', action: 'prompt', reason: 'r', related: [], evidence: undefined }] as const;
    expect(questionIdentity({ ...ASKS, flow })).toBeUndefined();
    expect(questionIdentity({ ...ASKS, action: 'allow' })).toBeUndefined();
  });
});
