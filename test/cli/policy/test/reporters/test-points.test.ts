import { Parser } from 'tap-parser';
import { describe, expect, it } from 'vitest';
import type { ReportContext } from '../../../../../src/cli/policy/test/reporters/describe-result.ts';
import { formatTapReport } from '../../../../../src/cli/policy/test/reporters/test-points.ts';
import type { TestReport } from '../../../../../src/cli/policy/test/test-report.ts';
import { CONTEXT, decision, fixture, mutationOf, report, resultOf } from '../../../../support/test-reports.ts';

/** As a reader of TAP sees it: each test point, and how many there are of each kind. */
function read(of: TestReport, context: ReportContext = CONTEXT) {
  const points: { ok: boolean; name: string; skip: boolean | string; diag: unknown }[] = [];
  const parser = new Parser({ strict: true });
  parser.on('assert', ({ ok, name, skip, diag }) => points.push({ ok, name, skip, diag }));
  const extra: string[] = [];
  parser.on('extra', (text: string) => extra.push(text));
  parser.end(formatTapReport(of, context));
  expect(extra).toEqual([]);
  expect(parser.failures.filter(({ tapError }) => typeof tapError === 'string')).toEqual([]);
  return { points, count: parser.count, fail: parser.fail };
}

describe('formatTapReport', () => {
  it('has a test point for each fixture, with what differs', () => {
    const results = report(
      resultOf(fixture('good', { expected: 'deny' }), decision('deny', 0)),
      resultOf(fixture('bad', { expected: 'allow' }), decision('prompt', 1)),
      resultOf(fixture('silent'), decision('allow')),
    );
    const { points, count, fail } = read(results);
    expect({ count, fail }).toEqual({ count: 3, fail: 1 });
    expect(points).toMatchObject([
      { ok: true, name: 'good', skip: false },
      { ok: false, name: 'bad', diag: { expected: 'allow', actual: 'prompt by rule 2 at p.toml:9', fixture: 'bad.json' } },
      { ok: true, name: 'silent', skip: 'nothing is expected: allow by the default' },
    ]);
  });

  it('has coverage as the last test point where it is asked for', () => {
    const results = report(resultOf(fixture('f', { expected: 'deny' }), decision('deny', 0)));
    expect(read(results, { ...CONTEXT, minCoverage: 100 }).points[1]).toMatchObject({
      ok: false,
      name: 'coverage',
      diag: { expected: '100 %', actual: '50 %', missed: ['p.toml:9  rule 2'] },
    });
    expect(read(results, { ...CONTEXT, minCoverage: 50 }).points[1]).toMatchObject({ ok: true, name: 'coverage' });
  });

  it('no name makes a directive, another line or another outcome', () => {
    for (const name of ['x # SKIP', 'x # TODO', 'a\nnot ok 2 - b', 'back\\slash #', 'ok 7']) {
      const { points, count, fail } = read(report(resultOf(fixture(name, { expected: 'allow' }), decision('deny', 0))));
      expect({ count, fail, points: points.length }).toEqual({ count: 1, fail: 1, points: 1 });
      expect(points[0]).toMatchObject({ skip: false, ok: false });
    }
  });

  it('has mutants as the last test point where they are asked for', () => {
    const results = report(resultOf(fixture('f', { expected: 'deny' }), decision('deny', 0)));
    const last = (killed: number, survived: number, minMutation?: number): unknown =>
      read({ ...results, mutation: mutationOf(killed, survived) }, { ...CONTEXT, minMutation }).points.at(-1);
    expect(last(3, 1, 100)).toMatchObject({
      ok: false,
      name: 'mutation',
      diag: {
        expected: '100 %',
        actual: '75 %',
        survived: [expect.stringContaining('p.toml:3  no fixture notices "keys": tool')],
      },
    });
    expect(last(3, 1)).toMatchObject({ ok: true, name: 'mutation', diag: { actual: '75 %' } });
    expect(last(3, 0, 100)).toMatchObject({ ok: true, name: 'mutation' });
    expect(read({ ...results, mutation: null }).points.at(-1)).toMatchObject({ name: 'mutation', skip: 'fixtures fail' });
  });
});
