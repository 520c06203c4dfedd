import { FLOW_ACTIONS, type FlowRuleName } from '../../core/finding.ts';
import { formatDuration } from '../../core/quantity.ts';
import type { Flow } from '../../core/policy/types.ts';
import type { Mutation } from './mutant.ts';
import { changeSettings, otherThan, type SettingChange, writtenIn } from './change-settings.ts';

type RuleKey = Exclude<keyof Flow, 'enabled'>;

const RULES: readonly (readonly [FlowRuleName, RuleKey])[] = [
  ['read_then_send', 'readThenSend'],
  ['cross_server_flow', 'crossServerFlow'],
  ['burst', 'burst'],
  ['shadow_tool', 'shadowTool'],
];

/** The rules on what calls make together, where the policy has `[flow]`: each off, with other actions, and with each of its settings another. */
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
      RULES.flatMap(([name, key]) => {
        const place = (setting: string): readonly string[] =>
          setting === 'action' && !isWritten('flow', name, 'action') ? ['flow', 'action'] : ['flow', name, setting];
        return changesOfRule(flow, key).map(({ setting, what, value }): SettingChange => ({
          path: place(setting),
          settings: { flow: { ...flow, [key]: { ...flow[key], ...value } } },
          what: `${name}: ${what}`,
          need: needOf(name, setting),
        }));
      }),
    );
  },
};

interface RuleSetting {
  readonly setting: string;
  readonly what: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function changesOfRule(flow: Flow, key: RuleKey): readonly RuleSetting[] {
  const rule = flow[key];
  const enabled: RuleSetting = { setting: 'enabled', what: `enabled = ${!rule.enabled}`, value: { enabled: !rule.enabled } };
  if (!rule.enabled) return [enabled];
  const actions = otherThan(rule.action, FLOW_ACTIONS).map((action) => ({
    setting: 'action',
    what: `action = "${action}" for "${rule.action}"`,
    value: { action },
  }));
  return [enabled, ...actions, ...windowsOf(rule), ...othersOf(rule)];
}

function windowsOf(rule: Flow[RuleKey]): readonly RuleSetting[] {
  if (!('window' in rule)) return [];
  return [rule.window / 2, rule.window * 2].map((window) => ({
    setting: 'window',
    what: `window = "${formatDuration(Math.ceil(window))}" for "${formatDuration(rule.window)}"`,
    value: { window: Math.ceil(window) },
  }));
}

function othersOf(rule: Flow[RuleKey]): readonly RuleSetting[] {
  const found: RuleSetting[] = [];
  if ('maxCalls' in rule) {
    for (const maxCalls of [rule.maxCalls - 1, rule.maxCalls + 1])
      found.push({ setting: 'max_calls', what: `max_calls = ${maxCalls} for ${rule.maxCalls}`, value: { maxCalls } });
  }
  if ('sameTurnOnly' in rule) {
    const sameTurnOnly = !rule.sameTurnOnly;
    found.push({ setting: 'same_turn_only', what: `same_turn_only = ${sameTurnOnly}`, value: { sameTurnOnly } });
  }
  if ('evidence' in rule) {
    const evidence = rule.evidence === 'category' ? 'value' : 'category';
    found.push({ setting: 'evidence', what: `evidence = "${evidence}"`, value: { evidence } });
  }
  return found;
}

function needOf(name: FlowRuleName, setting: string): string {
  if (setting === 'window')
    return `steps that are as far from each other as "at" the end of the window of ${name}, and "expectedFlow"`;
  if (setting === 'max_calls') return 'as many calls as there may be, and one more, and "expectedFlow" of both';
  if (setting === 'same_turn_only') return 'steps with and without the same "turn", and "expectedFlow"';
  if (setting === 'evidence')
    return `steps that ${name} finds although nothing of a "result" is in later arguments, and "expectedFlow"`;
  return `steps in which ${name} finds something, with "expected" and "expectedFlow"`;
}
