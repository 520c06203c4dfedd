import { describe, expect, it } from 'vitest';
import { locate } from '../../../src/core/policy/locate.ts';
import { policyErrors } from '../../support/policy-errors.ts';
import { policyFrom } from '../../support/policy.ts';

const ON = '[rate_limits]\nenabled = true\n';

describe('[rate_limits]', () => {
  it.each([
    ['', false, { rpm: 60, burst: 10 }],
    ['[rate_limits]', false, { rpm: 60, burst: 10 }],
    [ON, true, { rpm: 60, burst: 10 }],
    ['[rate_limits]\nenabled = false\ndefault_rpm = 6', false, { rpm: 6, burst: 1 }],
    [`${ON}default_rpm = 30`, true, { rpm: 30, burst: 5 }],
    [`${ON}default_burst = 3`, true, { rpm: 60, burst: 3 }],
    [`${ON}default_rpm = 0.5\ndefault_burst = 1000000`, true, { rpm: 0.5, burst: 1_000_000 }],
    [`${ON}default_rpm = 1e6`, true, { rpm: 1_000_000, burst: 166_666 }],
  ])('%j', (text, enabled, limit) => {
    expect(policyFrom(text).rateLimits).toEqual({ enabled, default: limit, servers: new Map() });
  });

  it.each([
    [0.001, 1],
    [1, 1],
    [6, 1],
    [11, 1],
    [12, 2],
    [59.9, 9],
    [600, 100],
  ])('hazard 39: %f calls a minute, and no word of a burst, are %i at once, never none', (rpm, burst) => {
    const { rateLimits } = policyFrom(
      `${ON}default_rpm = ${rpm}\n[rate_limits.server.s]\nrpm = ${rpm}\ntool.t.rpm = ${rpm}\n[rate_limits.server.only_tools]\ntool.t.rpm = ${rpm}`,
    );
    const server = rateLimits.servers.get('s');
    const limits = [
      rateLimits.default,
      server?.limit,
      server?.tools.get('t'),
      rateLimits.servers.get('only_tools')?.tools.get('t'),
    ];
    expect(limits).toEqual(limits.map(() => ({ rpm, burst })));
  });

  it('servers and tools of their own', () => {
    const { servers } = policyFrom(`${ON}default_rpm = 120
[rate_limits.server.weather-api]
rpm = 10
burst = 3
[rate_limits.server.web.tool."search/all"]
rpm = 1
[rate_limits.server.web.tool.fetch]
rpm = 600
burst = 2
[rate_limits.server.bursty]
burst = 1
`).rateLimits;
    expect(servers).toEqual(
      new Map([
        ['weather-api', { limit: { rpm: 10, burst: 3 }, tools: new Map() }],
        [
          'web',
          {
            limit: undefined,
            tools: new Map([
              ['search/all', { rpm: 1, burst: 1 }],
              ['fetch', { rpm: 600, burst: 2 }],
            ]),
          },
        ],
        ['bursty', { limit: { rpm: 120, burst: 1 }, tools: new Map() }],
      ]),
    );
  });

  it.each(['__proto__', 'constructor', 'toString', '', 'a.b', '"'])('a server and a tool named %j', (name) => {
    const key = JSON.stringify(name);
    const { servers } = policyFrom(
      `${ON}[rate_limits.server.${key}]\nrpm = 2\n[rate_limits.server.${key}.tool.${key}]\nrpm = 3`,
    ).rateLimits;
    expect([...servers.keys()]).toEqual([name]);
    expect(servers.get(name)).toEqual({ limit: { rpm: 2, burst: 1 }, tools: new Map([[name, { rpm: 3, burst: 1 }]]) });
    expect(({} as { rpm?: number }).rpm).toBeUndefined();
  });

  it.each([
    ['rate_limits = 60', /^rate_limits: rate_limits must be a table, not an integer/],
    [`${ON}rpm = 60`, /^rate_limits.rpm: unknown key "rpm" in \[rate_limits\]/],
    ['[rate_limits]\nenabled = "yes"', /^rate_limits.enabled: .*must be true or false, not a string/],
    [`${ON}default_rpm = 0`, /^rate_limits.default_rpm: default_rpm must be a number above 0 and at most 1000000/],
    [`${ON}default_rpm = -1`, /must be a number above 0/],
    [`${ON}default_rpm = inf`, /must be a number above 0/],
    [`${ON}default_rpm = nan`, /must be a number above 0/],
    [`${ON}default_rpm = 1000001`, /must be a number above 0/],
    [`${ON}default_rpm = 9007199254740993`, /must be a number above 0/],
    [`${ON}default_rpm = "60"`, /^rate_limits.default_rpm: .*must be a number above 0 and at most 1000000, not a string/],
    [`${ON}default_burst = 0`, /^rate_limits.default_burst: default_burst must be an integer from 1 to 1000000/],
    [`${ON}default_burst = 0.5`, /must be an integer from 1/],
    [`${ON}default_burst = 1.5`, /must be an integer from 1/],
    [`${ON}default_burst = 1000001`, /must be an integer from 1/],
    [`${ON}default_burst = true`, /must be an integer from 1 to 1000000, not a boolean/],
    [`${ON}server = 5`, /^rate_limits.server: .*must be a table/],
    [`${ON}server.files = 5`, /^rate_limits.server.files: .*must be a table, not an integer/],
    [`${ON}[[rate_limits.server]]\nrpm = 5`, /^rate_limits.server: .*must be a table, not a list/],
    [`${ON}server.files.rpn = 5`, /^rate_limits.server.files.rpn: unknown key "rpn" in a server's rate limits/],
    [`${ON}server.files.rpm = 0`, /^rate_limits.server.files.rpm: rpm must be a number above 0/],
    [`${ON}server.files.burst = 0`, /^rate_limits.server.files.burst: burst must be an integer/],
    [`${ON}server.files.tool = "read"`, /^rate_limits.server.files.tool: .*must be a table/],
    [`${ON}server.files.tool.read = 5`, /^rate_limits.server.files.tool.read: .*must be a table/],
    [
      `${ON}server.files.tool.read.rate = 5\nserver.files.tool.read.rpm = 5`,
      /^rate_limits.server.files.tool.read.rate: unknown key/,
    ],
    [`${ON}server.files.tool.read.burst = 5`, /^rate_limits.server.files.tool.read: a rate limit of a tool needs "rpm"/],
    [`${ON}[rate_limits.server.files.tool.read]`, /^rate_limits.server.files.tool.read: a rate limit of a tool needs "rpm"/],
  ])('%j is refused', (text, message) => {
    expect(policyErrors(text)).toEqual([expect.stringMatching(message)]);
  });

  it.each(['default_rpm = 5', 'default_burst = 5', 'server.files.rpm = 5'])(
    'hazard 42: %j alone is refused, since it would limit nothing',
    (line) => {
      expect(policyErrors(`[rate_limits]\n${line}`)).toEqual([
        expect.stringMatching(/has no effect while \[rate_limits\] is not enabled/),
      ]);
      expect(policyErrors(`[rate_limits]\nenabled = false\n${line}`)).toEqual([]);
    },
  );

  it('a fault is found where it is written, whatever the server is called', () => {
    const text = `${ON}[rate_limits.server.__proto__]\nrpm = 0`;
    expect(policyErrors(text)).toEqual([expect.stringMatching(/^rate_limits.server.__proto__.rpm/)]);
    expect(locate(text, ['rate_limits', 'server', '__proto__', 'rpm'])).toMatchObject({ line: 4 });
  });
});
