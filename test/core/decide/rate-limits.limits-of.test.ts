import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { limitsOf } from '../../../src/core/decide/rate-limits.ts';
import { policyFrom } from '../../support/policy.ts';

const LIMITS = `[rate_limits]
enabled = true
[rate_limits.server.web]
rpm = 10
[rate_limits.server.web.tool.search]
rpm = 2
[rate_limits.server.only.tool.search]
rpm = 3
`;

function limits(call: Partial<Call>, text = LIMITS): readonly string[] {
  const { rateLimits } = policyFrom(text);
  const full: Call = { method: 'tools/call', server: 'web', ...call };
  return limitsOf(rateLimits, full).map(({ of, rpm, burst }) => `${of} ${rpm}/${burst}`);
}

function keys(server: string, tool: string): readonly string[] {
  const { rateLimits } = policyFrom(LIMITS);
  const tools = new Map([[tool, { rpm: 1, burst: 1 }]]);
  const servers = new Map([[server, { limit: undefined, tools }]]);
  return limitsOf({ ...rateLimits, servers }, { method: 'tools/call', server, tool }).map(({ key }) => key);
}

describe('limitsOf', () => {
  it.each([
    [{ tool: 'search' }, ['server 10/1', 'tool 2/1']],
    [{ tool: 'searches' }, ['server 10/1']],
    [{ tool: 'Search' }, ['server 10/1']],
    [{ server: 'only', tool: 'search' }, ['server 60/10', 'tool 3/1']],
    [{ server: 'other', tool: 'search' }, ['server 60/10']],
    [{ method: 'resources/read', resource: 'x://y' }, ['server 10/1']],
    [{ method: 'prompts/get', prompt: 'search' }, ['server 10/1']],
    [{ method: 'skills/get', resource: 'x://y' }, ['server 10/1']],
    [{ method: 'resources/directory/read', resource: 'x://y' }, ['server 10/1']],
    [{ method: 'tools/list' }, []],
    [{ method: 'ping' }, []],
    [{ method: 'sampling/createMessage' }, []],
    [{ method: 'resources/subscribe', resource: 'x://y' }, []],
  ])('%j takes from %j', (call, expected) => {
    expect(limits(call)).toEqual(expected);
  });

  it('nothing is limited where that is not enabled', () => {
    expect(limits({ tool: 'search' }, LIMITS.replace('enabled = true', 'enabled = false'))).toEqual([]);
    expect(limits({ tool: 'search' }, '')).toEqual([]);
  });

  it("an agent's own tools have only the limits that are named for them", () => {
    const call = { server: 'native', tool: 'Bash', origin: 'native' } as const;
    const table = '\n[rate_limits.server.native';
    expect(limits(call)).toEqual([]);
    expect(limits(call, `${LIMITS}${table}]\nrpm = 30\n`)).toEqual(['server 30/5']);
    expect(limits(call, `${LIMITS}${table}.tool.Bash]\nrpm = 6\n`)).toEqual(['tool 6/1']);
    expect(limits({ ...call, tool: 'Read' }, `${LIMITS}${table}.tool.Bash]\nrpm = 6\n`)).toEqual([]);
  });

  it('calls of one server share its bucket, and no name makes a server share that of another, or of a tool', () => {
    expect(keys('a', 'x')[0]).toBe(keys('a', 'y')[0]);
    const names = ['', 'a', 'a:b', 'a"', '"', '["a"]', 'a","b', 'b', 'a\u0000b', '\ud800', '\udfff', 'tool', '__proto__'];
    const all = names.flatMap((server) => names.flatMap((tool) => keys(server, tool)));
    expect(new Set(all).size).toBe(names.length + names.length ** 2);
  });
});
