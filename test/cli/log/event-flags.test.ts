import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLimit, toQuery, parseTime } from '../../../src/cli/log/event-flags.ts';

describe('flags that choose events', () => {
  it('are a query', () => {
    const query = toQuery(
      { type: 'mcp_detection, mcp_tool_seen', session: 's', server: 'a*', action: 'block', since: '1m' },
      100_000,
    );
    expect(query).toMatchObject({ types: ['mcp_detection', 'mcp_tool_seen'], session: 's', action: 'block', since: 40_000 });
    expect([query.server?.matches('ab'), query.tool, query.until]).toEqual([true, undefined, undefined]);
  });

  it.each<[Parameters<typeof toQuery>[0], string, string]>([
    [{ type: 'mcp_tool_caled' }, '--type: "mcp_tool_caled" is unknown', 'did you mean mcp_tool_called?'],
    [{ type: 'zzz' }, '--type: "zzz" is unknown', 'types: mcp_tool_called, '],
    [{ type: 'mcp_detection,' }, '--type: "" is unknown', 'types: '],
    [{ tool: 'a\0b' }, '--tool: a glob cannot contain a NUL character', 'a glob such as get_*'],
    [{ since: 'soon' }, '--since: "soon" is no time', '1h'],
    [{ since: '1h', until: '2h' }, '--since is not before --until', 'nothing can lie between them'],
  ])('%j is refused', (flags, message, hint) => {
    expect(() => toQuery(flags, 0)).toThrow(
      expect.objectContaining({ code: 'usage', message, hint: expect.stringContaining(hint) }),
    );
  });
});

describe('how many', () => {
  it.each([
    [{ limit: undefined, all: false }, 100],
    [{ limit: undefined, all: true }, undefined],
    [{ limit: '7', all: false }, 7],
    [{ limit: '1000000', all: false }, 1_000_000],
  ])('%j', (flags, expected) => {
    expect(toLimit(flags)).toBe(expected);
  });

  it.each(['0', '-1', '1.5', '1e3', '1000001', '99999999999', 'all', ' 1'])('%j is refused', (limit) => {
    expect(() => toLimit({ limit, all: false })).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('both are refused', () => {
    expect(() => toLimit({ limit: '5', all: true })).toThrow('--limit and --all contradict each other');
  });
});

const NOW = Date.parse('2026-03-15T10:00:00.000Z');

describe('a time', () => {
  it.each<[string, number]>([
    ['0s', NOW],
    ['30s', NOW - 30_000],
    ['15m', NOW - 900_000],
    ['1h', NOW - 3_600_000],
    ['7d', NOW - 7 * 86_400_000],
    ['2w', NOW - 14 * 86_400_000],
    ['2026-01-31', new Date(2026, 0, 31).getTime()],
    ['2024-02-29', new Date(2024, 1, 29).getTime()],
    ['2026-01-31T18:30', new Date(2026, 0, 31, 18, 30).getTime()],
    ['2026-01-31 18:30:05', new Date(2026, 0, 31, 18, 30, 5).getTime()],
    ['2026-01-31T18:30:05.25', new Date(2026, 0, 31, 18, 30, 5, 250).getTime()],
    ['2026-01-31T18:30Z', Date.UTC(2026, 0, 31, 18, 30)],
    ['2026-01-31T18:30:05.123456Z', Date.UTC(2026, 0, 31, 18, 30, 5, 123)],
    ['2026-01-31T18:30+02:00', Date.UTC(2026, 0, 31, 16, 30)],
    ['2026-01-31T18:30:00-0530', Date.UTC(2026, 1, 1, 0, 0)],
  ])('%s', (text, expected) => {
    expect(parseTime('since', text, NOW)).toBe(expected);
  });

  it.each(
    '|1|h|1y|-1h|1.5h|1 h|1H|now|yesterday|2026|2026-1-1|2026-13-01|2026-00-10|2026-02-30|2025-02-29|2026-01-31T24:00|2026-01-31T18:60|2026-01-31T18|2026-01-31Z|2026-01-31T18:30+15:00|31.1.2026|1h '.split(
      '|',
    ),
  )('%j is none, and the forms are shown', (text) => {
    expect(() => parseTime('until', text, NOW)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `--until: ${JSON.stringify(text)} is no time`,
        hint: expect.stringMatching(/1h.*2026-01-31.*2026-01-31T18:30Z?/),
      }),
    );
  });

  it('as JavaScript writes it is read as it was meant', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(parseTime('since', date.toISOString(), NOW)).toBe(date.getTime());
      }),
    );
  });
});
