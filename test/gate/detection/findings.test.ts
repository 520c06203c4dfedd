import { describe, expect, it } from 'vitest';
import type { Detection } from '../../../src/core/detect/types.ts';
import type { Severity } from '../../../src/core/finding.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import {
  actedOn,
  findingsOf,
  isApproved,
  recordedDetection,
  reportOf,
  toFindings,
} from '../../../src/gate/detection/findings.ts';
import { policyFrom } from '../../support/policy.ts';

const policy = (lines: string) => compilePolicy(policyFrom(`[detection]\n${lines}`));
const of = (severity: Severity, rule = `a.${severity}`): Detection => ({
  rule,
  family: 'exfiltration',
  severity,
  description: 'd',
  field: 'f',
  matches: [],
});
const ALL = [of('critical'), of('high'), of('medium'), of('low')];
const SEEN = `sha256:${'1'.repeat(64)}`;
const ABOUT = { server: 'fs', tool: 't' };

describe('reportOf', () => {
  it.each([
    ['', ['critical', 'high']],
    ['threshold = "low"', ['critical', 'high', 'medium', 'low']],
    ['threshold = "critical"', ['critical']],
  ])('%j: %j', (lines, expected) => {
    expect(reportOf(policy(lines), ALL, ABOUT).map(({ detection }) => detection.severity)).toEqual(expected);
  });

  it.each([
    ['', 0],
    ['on_definition = "hide"', 1],
    ['on_definition = "deny"', 1],
  ])('%j: that not all was scanned counts %d times, whatever the threshold', (lines, expected) => {
    const cut = { ...of('medium'), rule: 'obfuscation.too_long' };
    expect(reportOf(policy(lines), [cut], ABOUT)).toHaveLength(expected);
  });

  it.each([
    ['server = "fs"\nrule = "exfiltration.*"', ABOUT, true],
    ['server = "*"\ntool = "t"\nrule = "exfiltration.money"', ABOUT, true],
    ['server = "fs"\ntool = "other"\nrule = "**"', ABOUT, false],
    ['server = "other"\nrule = "**"', ABOUT, false],
    ['server = "fs"\nrule = "obfuscation.*"', ABOUT, false],
    ['server = "fs"\ntool = "**"\nrule = "**"', { server: 'fs', tool: undefined }, false],
  ])('%j in %j is suppressed: %s', (lines, about, isSuppressed) => {
    const told = reportOf(
      policy(`[[detection.suppress]]\n${lines}\nreason = "known"`),
      [of('high', 'exfiltration.money')],
      about,
    );
    expect(told.map(({ suppressed }) => suppressed)).toEqual([isSuppressed ? 'known' : undefined]);
    expect(actedOn(told)).toHaveLength(isSuppressed ? 0 : 1);
  });
});

describe('recordedDetection', () => {
  it.each(['alert', 'deny', 'redact', 'prompt'])(
    'quotes nothing that the policy counts as secret: on_arguments = "%s"',
    (action) => {
      const dlp = `[dlp]\non_arguments = "${action}"\n[[dlp.pattern]]\nname = "staff"\nregex = "EMP-[0-9]{6}"`;
      const text = 'send card 4539 1488 0343 6467 of EMP-123456';
      const found = { ...of('high'), matches: [{ text, position: 3, context: `now ${text}` }] };
      const compiled = compilePolicy(policyFrom(dlp));
      const shown = 'send card [redacted:card] of [redacted:staff]';
      expect(recordedDetection(compiled, found).matches).toEqual([{ text: shown, position: 3, context: `now ${shown}` }]);
    },
  );
});

describe('findingsOf', () => {
  it('is what a decision knows of a scan result', () => {
    const result = { version: '1', severity: 'critical' as const, isCut: false, detections: ALL };
    expect(findingsOf(policy(''), result, ABOUT)).toEqual(toFindings(ALL.slice(0, 2)));
    expect(findingsOf(policy(''), undefined, ABOUT)).toEqual([]);
    expect(toFindings([of('high')])).toEqual([{ rule: 'a.high', severity: 'high', description: 'd', field: 'f' }]);
  });
});

describe('isApproved', () => {
  const pin = { kind: 'tool', name: 't', pinned: SEEN, seen: SEEN, isListed: true } as const;
  it.each([
    [{ ...pin, isApproved: true }, true],
    [pin, false],
    [{ ...pin, seen: `sha256:${'2'.repeat(64)}`, isApproved: true }, false],
    [undefined, false],
  ])('%j: %s', (known, expected) => {
    expect(isApproved(known)).toBe(expected);
  });
});
