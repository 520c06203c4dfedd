import { describe, expect, it } from 'vitest';
import { formatPage } from '../../../src/cli/report/page.ts';
import { summarise } from '../../../src/cli/report/summarise.ts';
import { formatReport } from '../../../src/cli/report/text.ts';
import type { Body } from '../../support/recorded-store.ts';
import { recordedFlow, stored } from '../../support/report-events.ts';

const NOW = Date.UTC(2026, 5, 1);

function pageOf(bodies: readonly Body[]): string {
  const report = summarise(
    bodies.map((body) => stored(body)),
    { session: 's-1' },
  );
  return formatPage(report, formatReport(report, { width: 100, colour: false, now: NOW }), NOW);
}

function timeOf(minute: number): string {
  return new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();
}

/** A value that one call gave another, each of its own tool. */
function flow(at: number, more: Body = {}): Body {
  return recordedFlow({
    timestamp: timeOf(2 * at + 1),
    tool_name: `send_${at}`,
    call_id: `to.${at}`,
    evidence: 'an account number',
    evidence_source: `from.${at}`,
    evidence_place: 'iban',
    related_calls: [{ timestamp: timeOf(2 * at), server_id: 'files', tool_name: `read_${at}`, call_id: `from.${at}` }],
    ...more,
  });
}

function count(page: string, part: string): number {
  return page.split(part).length - 1;
}

describe('the report as a page', () => {
  it.each([
    [0, 0],
    [1, 1],
    [5, 5],
    [50, 50],
    [500, 50],
  ])('of %i ways of values, %i are drawn; many are behind a line, and the rest is counted', (flows, drawn) => {
    const page = pageOf(Array.from({ length: flows }, (_, i) => flow(i)));
    expect([count(page, '<path '), count(page, '<polygon '), count(page, '<circle '), count(page, '<li ')]).toEqual([
      drawn,
      drawn,
      2 * drawn,
      2 * drawn,
    ]);
    expect(count(page, `<summary>${drawn - 12} more</summary>`)).toBe(drawn > 12 ? 1 : 0);
    expect(page.includes('450 findings that are not drawn')).toBe(flows === 500);
    expect(page.includes('No flow was found')).toBe(flows === 0);
    expect(page.length).toBeLessThan(80_000);
    for (const name of ['div', 'ol', 'li', 'svg', 'g', 'b', 'time', 'p', 'details', 'pre'])
      expect([name, count(page, `<${name}>`) + count(page, `<${name} `)]).toEqual([name, count(page, `</${name}>`)]);
  });

  it('runs nothing and loads nothing', () => {
    const page = pageOf([flow(0)]);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/<script|<img|<link|<iframe|\bon\w+=|url\(|https?:|@import/i);
  });

  it('names of servers and tools are text, whatever is in them, and their length is bounded', () => {
    const hostile = `"'><script>alert(1)</script><svg onload=x>\u202E&amp;\u0000`;
    const long = 'x'.repeat(10_000);
    const page = pageOf([
      flow(0, { server_id: hostile, tool_name: hostile, evidence: hostile, evidence_place: hostile, rule: hostile }),
      flow(1, { server_id: long, tool_name: long, session_id: hostile }),
    ]);
    expect(page).not.toMatch(/<script|<svg onload|\u202E|\u0000/);
    expect(page).toContain('&lt;script&gt;');
    expect(page.length).toBeLessThan(80_000);
  });

  it('a call that got a value and gave it on is drawn once, and arcs that overlap lie beside each other', () => {
    const onward = (at: number, from: string): Body =>
      flow(at, {
        evidence_source: from,
        related_calls: [{ timestamp: timeOf(0), server_id: 'files', tool_name: 'read', call_id: from }],
      });
    const chained = pageOf([onward(0, 'start'), onward(1, 'to.0')]);
    expect([count(chained, '<li '), count(chained, '<path ')]).toEqual([3, 2]);
    const places = [...pageOf([onward(0, 'a'), onward(1, 'a'), onward(2, 'a')]).matchAll(/<path d="M[\d.]+ [\d.]+Q([\d.]+) /g)];
    expect(new Set(places.map(([, x]) => x)).size).toBe(3);
  });

  it('without a time, a value or a source, it says what there is', () => {
    const page = pageOf([
      flow(0, { rule: 'burst', evidence: undefined, evidence_place: undefined, reason: 'too <many>' }),
      flow(1, { evidence: undefined, evidence_source: undefined, evidence_place: undefined }),
      flow(2, { related_calls: [{ timestamp: 'never', server_id: 'a', tool_name: 'b' }] }),
    ]);
    expect(page).toContain('too &lt;many&gt;');
    expect(page).toContain('</b> perhaps what was read<');
    expect(page).not.toMatch(/NaN|undefined|Invalid|null/);
    expect(count(page, '<path ')).toBe(2);
  });
});
