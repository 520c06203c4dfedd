import type { OnChange, Pinning } from '../types.ts';
import type { Mutation } from './mutant.ts';
import { changeSettings, otherThan, type SettingChange, writtenIn } from './setting-changes.ts';

/** `hide` and `deny` differ in what a server's lists have, which no fixture sees. */
const TOLD_APART: readonly OnChange[] = ['deny', 'prompt', 'alert'];

const CHANGED = 'a call with "context": {"pin": "changed"}';

/** What becomes of definitions that are not as they were approved. */
export const changePinning: Mutation = {
  kind: 'change-pinning',
  changes(policy) {
    const { pinning } = policy;
    const isWritten = writtenIn(policy);
    if (!isWritten('pinning')) return [];
    const change = (key: string, settings: Partial<Pinning>, need: string): SettingChange => ({
      path: ['pinning', key],
      settings: { pinning: { ...pinning, ...settings } },
      what: `${key} = ${JSON.stringify(Object.values(settings)[0])} in [pinning]`,
      need,
    });
    const switched = change('enabled', { enabled: !pinning.enabled }, CHANGED);
    // What only alerts decides nothing, on or off.
    if (!pinning.enabled) return pinning.onChange === 'alert' ? [] : changeSettings(policy, [switched]);
    const now = pinning.onChange === 'hide' ? 'deny' : pinning.onChange;
    const actions = otherThan(now, TOLD_APART).map((onChange) => change('on_change', { onChange }, CHANGED));
    if (pinning.onChange === 'alert') return changeSettings(policy, actions);
    const { trustFirstUse } = pinning;
    const first = change('trust_first_use', { trustFirstUse: !trustFirstUse }, 'a call with "context": {"pin": "new"}');
    return changeSettings(policy, [switched, ...actions, first]);
  },
};
