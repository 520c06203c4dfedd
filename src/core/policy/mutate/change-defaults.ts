import { ACTIONS } from '../../decision.ts';
import type { Mutation } from './mutant.ts';
import { changeSettings, otherThan, type SettingChange, writtenIn } from './setting-changes.ts';

/** What becomes of a call that no rule is about, which every policy decides, and what else `[defaults]` says. */
export const changeDefaults: Mutation = {
  kind: 'change-default',
  changes(policy) {
    const { defaults } = policy;
    const isWritten = writtenIn(policy);
    const change = (key: string, settings: Partial<typeof defaults>, need: string): readonly SettingChange[] => {
      if (key !== 'action' && !isWritten('defaults', key)) return [];
      const [value] = Object.values(settings);
      const path = ['defaults', key];
      return [{ path, settings: { defaults: { ...defaults, ...settings } }, what: `${key} = "${value}" in [defaults]`, need }];
    };
    return changeSettings(policy, [
      ...otherThan(defaults.action, ACTIONS).flatMap((action) =>
        change('action', { action }, `a call that no rule matches, and "expected": "${defaults.action}"`),
      ),
      ...change(
        'unknown_methods',
        { unknownMethods: flip(defaults.unknownMethods) },
        'a message with a method that is not known',
      ),
      ...change('unknown_server', { unknownServer: flip(defaults.unknownServer) }, 'a call with "context": {"pin": "unlisted"}'),
      ...change('native', { native: flip(defaults.native) }, 'a call with "server": "native" that no rule matches'),
      ...change('unmapped_tool', { unmappedTool: flip(defaults.unmappedTool) }, 'a call with "context": {"unmapped": true}'),
    ]);
  },
};

function flip(action: 'allow' | 'deny'): 'allow' | 'deny' {
  return action === 'allow' ? 'deny' : 'allow';
}
