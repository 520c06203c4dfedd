import type { RateLimit } from '../../core/finding.ts';
import type { RateLimits, ServerRate } from '../../core/policy/parse-rate-limits.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import { changeSettings, type SettingChange, writtenIn } from './change-settings.ts';
import type { Mutation } from './mutant.ts';

/** Changes rate limits, if there are any: no limits, each of them tighter and looser, each gone. */
export const changeRates: Mutation = {
  kind: 'change-rates',
  changes(policy) {
    const { rateLimits } = policy;
    if (!rateLimits.enabled) return [];
    const isWritten = writtenIn(policy);
    const change = (path: PolicyPath, limits: RateLimits, what: string): SettingChange => ({
      path: ['rate_limits', ...path],
      settings: { rateLimits: limits },
      what,
      need: `steps that make as many calls as the limit allows, and one more, ${what}`,
    });
    const withServer = (server: string, rate: ServerRate): RateLimits => ({
      ...rateLimits,
      servers: new Map([...rateLimits.servers, [server, rate]]),
    });
    const defaults = limitChanges(rateLimits.default).map(({ limit, what }) =>
      change(['default_rpm'], { ...rateLimits, default: limit }, `${what} of every other server`),
    );
    return changeSettings(policy, [
      change(['enabled'], { ...rateLimits, enabled: false }, 'enabled = false in [rate_limits]'),
      ...(isWritten('rate_limits', 'default_rpm') || isWritten('rate_limits', 'default_burst') ? defaults : []),
      ...[...rateLimits.servers].flatMap(([server, rate]) => {
        const place = ['server', server];
        const { limit, tools } = rate;
        const own = limit === undefined ? [] : limitChanges(limit);
        return [
          ...own.map((each) =>
            change([...place, 'rpm'], withServer(server, { ...rate, limit: each.limit }), `${each.what} of ${server}`),
          ),
          ...[...tools].flatMap(([tool, limited]) => [
            ...limitChanges(limited).map((each) =>
              change(
                [...place, 'tool', tool],
                withServer(server, { ...rate, tools: new Map([...tools, [tool, each.limit]]) }),
                `${each.what} of ${server}/${tool}`,
              ),
            ),
            change(
              [...place, 'tool', tool],
              withServer(server, { ...rate, tools: new Map([...tools].filter(([name]) => name !== tool)) }),
              `no limit of ${server}/${tool}`,
            ),
          ]),
        ];
      }),
    ]);
  },
};

function limitChanges({ rpm, burst }: RateLimit): readonly { readonly limit: RateLimit; readonly what: string }[] {
  const bursts = [burst - 1, burst + 1].filter((other) => other >= 1);
  return [
    ...[rpm / 2, rpm * 2].map((other) => ({ limit: { rpm: other, burst }, what: `rpm = ${other} for ${rpm}` })),
    ...bursts.map((other) => ({ limit: { rpm, burst: other }, what: `burst = ${other} for ${burst}` })),
  ];
}
