import { describe, expect, it } from 'vitest';
import type { Inspected } from '../../../../src/cli/mcp/inspect/inspector.ts';
import { Summary } from '../../../../src/cli/mcp/inspect/summary.ts';
import type { Detection } from '../../../../src/core/detect/types.ts';
import type { Severity } from '../../../../src/core/finding.ts';

function detection(severity: Severity): Detection {
  return { rule: 'a.b', family: 'exfiltration', severity, description: 'd', field: 'f', matches: [] };
}

function inspected(severities: readonly Severity[], more: Partial<Inspected> = {}): Inspected {
  return {
    item: { kind: 'tool', name: 't', value: {} },
    server: '',
    line: undefined,
    findings: severities.map(detection),
    suppressed: [],
    severity: severities[0],
    isAtThreshold: false,
    isCut: false,
    skipped: [],
    ...more,
  };
}

function summaryOf(...all: readonly Inspected[]): Summary {
  const summary = new Summary('high');
  for (const each of all) summary.add(each);
  return summary;
}

describe('Summary', () => {
  it('never says that all is well where nothing was looked at', () => {
    const empty = summaryOf();
    expect([empty.line(), empty.isEmpty]).toEqual(['nothing was looked at: there is nothing in it', true]);
    empty.skip([{ what: 'tools[0]', why: 'is no object' }]);
    expect([empty.line(), empty.isPartial]).toEqual(['nothing was looked at: there is nothing in it; 1 not looked at', true]);
  });

  it('counts what was looked at, and what was found from the threshold on', () => {
    const clean = summaryOf(inspected([]), inspected([]));
    expect([clean.line(), clean.hasFindings]).toEqual(['2 tools looked at: nothing at or above high', false]);
    const mild = summaryOf(inspected(['medium', 'low']));
    expect([mild.line(), mild.hasFindings]).toEqual(['1 tool looked at: nothing at or above high; 2 findings below that', false]);
    const bad = summaryOf(
      inspected(['critical', 'high', 'low']),
      inspected([], { item: { kind: 'instructions', name: '', value: '' } }),
    );
    expect([bad.line(), bad.hasFindings]).toEqual([
      '1 tool, instructions looked at: 2 findings (1 critical, 1 high) at or above high; 1 finding below that',
      true,
    ]);
  });

  it('says what was suppressed, cut and left out; only what is missing makes it partial', () => {
    const summary = summaryOf(
      inspected([], { suppressed: [{ detection: detection('high'), reason: 'known' }], isCut: true }),
      inspected([], { skipped: [{ what: 'data', why: 'is no text' }] }),
    );
    expect([summary.line(), summary.hasFindings, summary.isPartial]).toEqual([
      '2 tools looked at: nothing at or above high; 1 suppressed by the policy; 1 not looked at to the end; 1 not looked at',
      false,
      false,
    ]);
  });
});
