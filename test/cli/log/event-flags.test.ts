import { describe, expect, it } from 'vitest';
import { toLimit, toQuery } from '../../../src/cli/log/event-flags.ts';

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
