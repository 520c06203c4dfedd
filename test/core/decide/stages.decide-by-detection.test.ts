import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/decision.ts';
import type { DetectionFacts } from '../../../src/core/facts.ts';
import type { Finding } from '../../../src/core/finding.ts';
import { decideBy } from '../../support/policy.ts';

const HIGH: Finding = { rule: 'exfiltration.a', severity: 'high' };
const CRITICAL: Finding = { rule: 'hidden_instructions.b', severity: 'critical' };

function decided(lines: string, facts: Partial<DetectionFacts>, rest = '[defaults]\naction = "allow"\n'): Decision {
  const detection = { findings: [], ofServer: [], isApproved: false, ...facts };
  return decideBy(`${rest}[detection]\n${lines}`, { tool: 't' }, { detection });
}

const inShort = ({ action, reason, foundIn }: Decision): string => [action, reason, foundIn].filter(Boolean).join(' ');

describe('[detection]', () => {
  it.each([
    ['', [HIGH], 'allow default'],
    ['on_definition = "deny"', [HIGH], 'deny detection definition'],
    ['on_definition = "hide"', [HIGH], 'deny detection definition'],
    ['on_definition = "hide"\nenabled = false', [HIGH], 'allow default'],
    ['on_definition = "hide"', [], 'allow default'],
    ['require_approval = true', [HIGH], 'allow default'],
    ['require_approval = true', [HIGH, CRITICAL], 'prompt detection definition'],
    ['require_approval = true\non_definition = "deny"', [CRITICAL], 'deny detection definition'],
  ])('%j, %j: %s', (lines, findings, expected) => {
    expect(inShort(decided(lines, { findings }))).toBe(expected);
    expect(inShort(decided(lines, { findings, isApproved: true }))).toBe('allow default');
  });

  it.each([
    ['', 'allow default'],
    ['on_definition = "hide"', 'allow default'],
    ['on_definition = "deny"', 'deny detection instructions'],
  ])('%j, of the server: %s', (lines, expected) => {
    expect(inShort(decided(lines, { ofServer: [HIGH] }))).toBe(expected);
  });

  it.each([
    ['', 'allow default'],
    ['on_definition = "deny"', 'deny internal_error'],
    ['require_approval = true', 'deny internal_error'],
  ])('%j, where looking failed: %s', (lines, expected) => {
    expect(inShort(decided(lines, { hasFailed: true }))).toBe(expected);
  });

  it('says what was found, whatever decided', () => {
    expect(decided('', { findings: [HIGH], ofServer: [CRITICAL] }).findings).toEqual([HIGH, CRITICAL]);
    expect(decided('', { findings: [HIGH] }, '[[rule]]\naction = "deny"\ntool = "t"\n')).toMatchObject({
      action: 'deny',
      reason: 'rule',
      findings: [HIGH],
    });
    expect(decided('enabled = false', { findings: [HIGH] }).findings).toEqual([]);
    expect(decided('', {}).findings).toEqual([]);
  });

  it('comes last: a rule that denies has its say, and one that asks is overruled by a denial', () => {
    const facts = { findings: [HIGH] };
    const prompt = '[[rule]]\naction = "prompt"\ntool = "t"\n';
    expect(inShort(decided('on_definition = "deny"', facts, '[[rule]]\naction = "deny"\ntool = "t"\n'))).toBe('deny rule');
    expect(inShort(decided('on_definition = "deny"', facts, prompt))).toBe('deny detection definition');
    expect(inShort(decided('require_approval = true', { findings: [CRITICAL] }, prompt))).toBe('prompt detection definition');
  });
});
