import { FLOW_RULES, type FlowRuleName, type RateLimit } from '../../core/finding.ts';
import { formatDuration } from '../../core/quantity.ts';
import { type Bounds, type Key, type Keys, propertyOf } from '../../core/policy/keys.ts';
import { FLOW_TABLES } from '../../core/policy/parse-flow.ts';
import type { Mutation } from './mutant.ts';
import { changeSettings, otherThan, type SettingChange, writtenIn } from './change-settings.ts';
import type { RateLimits, ServerRate } from '../../core/policy/parse-rate-limits.ts';
import type { PolicyPath } from '../../core/policy/types.ts';

/** Changes the flow rules if the policy has `[flow]`: each off, with other actions, and with each of its settings another. */
export const changeFlow: Mutation = {
  kind: 'change-flow',
  changes(policy) {
    const { flow } = policy;
    const isWritten = writtenIn(policy);
    if (!isWritten('flow')) return [];
    if (!flow.enabled) {
      const need = 'a session in which a rule of [flow] would find something, and "expectedFlow": []';
      return changeSettings(policy, [
        { path: ['flow', 'enabled'], settings: { flow: { ...flow, enabled: true } }, what: 'enabled = true in [flow]', need },
      ]);
    }
    return changeSettings(
      policy,
      FLOW_RULES.flatMap((name) => {
        const { keys, property } = FLOW_TABLES[name];
        const rule = flow[property];
        const place = (setting: string): readonly string[] =>
          setting === 'action' && !isWritten('flow', name, 'action') ? ['flow', 'action'] : ['flow', name, setting];
        return changesOfRule(rule.enabled ? keys : { enabled: keys.enabled }, rule).map(
          ({ setting, what, value }): SettingChange => ({
            path: place(setting),
            settings: { flow: { ...flow, [property]: { ...rule, ...value } } },
            what: `${name}: ${what}`,
            need: needOf(name, setting),
          }),
        );
      }),
    );
  },
};

interface RuleSetting {
  readonly setting: string;
  readonly what: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Each value another one. Windows come before what else a rule has of its own. */
function changesOfRule(keys: Keys, rule: object): readonly RuleSetting[] {
  const values = new Map(Object.entries(rule));
  const rank = ({ kind }: Key): number => (kind === 'integer' ? 1 : 0);
  return Object.entries(keys)
    .toSorted(([, a], [, b]) => rank(a) - rank(b))
    .flatMap(([setting, key]) => {
      const property = propertyOf(setting);
      const value: unknown = values.get(property);
      const change = (other: unknown, what: string): RuleSetting => ({
        setting,
        what: `${setting} = ${what}`,
        value: { [property]: other },
      });
      switch (key.kind) {
        case 'flag':
          return [change(value !== true, String(value !== true))];
        case 'word': {
          const instead = key.words.length > 2 ? ` for "${String(value)}"` : '';
          return otherThan(String(value), key.words).map((other) => change(other, `"${other}"${instead}`));
        }
        case 'duration': {
          const usual = Number(value);
          const others = [Math.ceil(usual / 2), usual * 2].filter(isAllowed(key));
          return others.map((other) => change(other, `"${formatDuration(other)}" for "${formatDuration(usual)}"`));
        }
        case 'integer':
          return [Number(value) - 1, Number(value) + 1]
            .filter(isAllowed(key))
            .map((other) => change(other, `${other} for ${String(value)}`));
        default:
          return [];
      }
    });
}

/** Nobody can write a number out of the key's bounds. */
function isAllowed({ least, most }: Bounds): (value: number) => boolean {
  return (value) => value >= least && value <= most;
}

function needOf(name: FlowRuleName, setting: string): string {
  if (setting === 'window')
    return `steps that are as far from each other as "at" the end of the window of ${name}, and "expectedFlow"`;
  if (setting === 'max_calls') return 'as many calls as the limit allows, and one more, and "expectedFlow" of both';
  if (setting === 'same_turn_only') return 'steps with and without the same "turn", and "expectedFlow"';
  if (setting === 'evidence')
    return `steps that ${name} finds although nothing of a "result" is in later arguments, and "expectedFlow"`;
  return `steps in which ${name} finds something, with "expected" and "expectedFlow"`;
}

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
