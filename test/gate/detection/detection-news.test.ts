import { describe, expect, it } from 'vitest';
import { describeRules, stampOf, subjectOf, tellFound, toAction } from '../../../src/gate/detection/detection-news.ts';
import { EVIL, find } from '../../support/detector.ts';
import { testSetup } from '../../support/gate.ts';
import { defined } from '../../support/registered.ts';
import { createTestSink } from '../../support/sink.ts';

function told(lines: string, names: readonly string[], isObserving = false) {
  const warnings: string[] = [];
  const { sink, detections } = createTestSink();
  const setup = testSetup(`[detection]\n${lines}`, { sink, warn: (line) => warnings.push(line) }, { isObserving });
  tellFound(
    setup,
    names.map((name) => ({ definition: defined(name, EVIL), detections: find('description', EVIL) })),
  );
  sink.commit();
  return { warnings, detections };
}

describe('tellFound', () => {
  it.each([
    ['', 'alert'],
    ['on_definition = "hide"', 'hide'],
    ['on_definition = "deny"', 'deny'],
    ['require_approval = true', 'prompt'],
    ['require_approval = true\non_definition = "hide"', 'hide'],
  ])('%j: %s', (lines, action) => {
    const { detections, warnings } = told(lines, ['t']);
    expect(detections).toEqual([
      {
        time: 1000,
        session: 's',
        server: 'files',
        origin: 'definition',
        subject: { kind: 'tool', name: 't' },
        fingerprint: defined('t', EVIL).fingerprint,
        detection: find('description', EVIL)[0],
        action,
        suppressed: undefined,
      },
    ]);
    expect(warnings).toEqual(['the tool "t" of "files" may mislead a model (critical test.evil): see clawai mcp registry list']);
    expect(told(lines, ['t'], true).detections[0]?.action).toBe('alert');
  });

  it('the first three are told by name, the rest are counted', () => {
    const { detections, warnings } = told('', ['a', 'b', 'c', 'd', 'e']);
    expect(detections).toHaveLength(5);
    expect(warnings).toHaveLength(4);
    expect(warnings[3]).toBe('2 more definitions of "files" have findings: see clawai mcp registry list');
  });

  it('what is suppressed is on record, and not told', () => {
    const { detections, warnings } = told('[[detection.suppress]]\nserver = "files"\nrule = "**"\nreason = "ours"', ['t']);
    expect(detections).toMatchObject([{ action: 'allow', suppressed: 'ours' }]);
    expect(warnings).toEqual([]);
  });
});

it('names a few rules, each once', () => {
  const of = (rule: string) => ({ rule, severity: 'high' as const });
  expect(describeRules([of('a'), of('a'), of('b')])).toBe('high a, high b');
  expect(describeRules(['a', 'b', 'c', 'd', 'e'].map(of))).toBe('high a, high b, high c, and 2 more');
});

it('says where a record comes from', () => {
  expect(stampOf(testSetup(''))).toEqual({ time: 1000, session: 's', server: 'files' });
});

it('nothing is done about what is suppressed', () => {
  const [detection] = find('f', EVIL);
  if (detection === undefined) throw new Error('nothing was found');
  expect(toAction({ detection, suppressed: 'ours' }, 'deny')).toBe('allow');
  expect(toAction({ detection, suppressed: undefined }, 'deny')).toBe('deny');
});

describe('subjectOf', () => {
  it.each([
    [{ tool: 't' }, { kind: 'tool', name: 't' }],
    [{ resource: 'doc://a' }, { kind: 'resource', name: 'doc://a' }],
    [{ prompt: 'p' }, { kind: 'prompt', name: 'p' }],
    [{}, undefined],
  ])('%j', (call, expected) => {
    expect(subjectOf({ method: 'm', server: 's', ...call })).toEqual(expected);
  });

  it('what is about no call has none', () => {
    expect(subjectOf(undefined)).toBeUndefined();
  });
});
