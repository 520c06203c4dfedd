import { CATEGORIES } from '../../core/call.ts';
import { ACTIONS } from '../../core/decision.ts';
import type { OnChange, Pinning, SchemaSettings } from '../../core/policy/parse-settings.ts';
import type { Policy } from '../../core/policy/tables.ts';
import { isTomlTable, parseToml, type TomlValue } from '../../core/policy/toml.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import type { Change, Mutation } from './mutant.ts';
import { mutateGlob } from './mutate-matcher.ts';

/** Changes the globs that tell the kind of a tool by its name: each changed or gone. */
export const changeClassify: Mutation = {
  kind: 'change-classify',
  changes: (policy) =>
    changeSettings(
      policy,
      CATEGORIES.flatMap((category) =>
        changesOfList(policy.classify[category] ?? []).map(({ list, index, what }) => ({
          path: ['classify', category, index],
          settings: { classify: { ...policy.classify, [category]: list } },
          what: `${category} in [classify] ${what}`,
          need: `a call, or a session, in which it counts that such a tool is one to "${category}", without "category" in its "context"`,
        })),
      ),
    ),
};

/** Changes which servers are permitted: no word about them, and each glob of the lists that count changed or gone. */
export const changeServers: Mutation = {
  kind: 'change-servers',
  changes(policy) {
    const { serverPolicy } = policy;
    const { mode } = serverPolicy;
    if (mode === 'none') return [];
    const lists = mode === 'allowlist' ? (['allow', 'deny'] as const) : (['deny'] as const);
    return changeSettings(policy, [
      {
        path: ['server_policy', 'policy'],
        settings: { serverPolicy: { ...serverPolicy, mode: 'none' } },
        what: 'policy = "none" in [server_policy]',
        need: 'a call to a server that is not permitted',
      },
      ...lists.flatMap((name) =>
        changesOfList(serverPolicy[name]).map(({ list, index, what }): SettingChange => ({
          path: ['server_policy', name, index],
          settings: { serverPolicy: { ...serverPolicy, [name]: list } },
          what: `${name} in [server_policy] ${what}`,
          need: `a call to a server whose name only one of them matches, ${what}`,
        })),
      ),
    ]);
  },
};

interface ListChange {
  readonly list: readonly string[];
  readonly index: number;
  readonly what: string;
}

/** `hide` and `deny` differ in what a server's lists have, which no fixture sees. */
const TOLD_APART: readonly OnChange[] = ['deny', 'prompt', 'alert'];

const CHANGED = 'a call with "context": {"pin": "changed"}';

/** Changes how definitions that differ from the approved ones are treated. */
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
    // Pinning that only alerts decides nothing, on or off.
    if (!pinning.enabled) return pinning.onChange === 'alert' ? [] : changeSettings(policy, [switched]);
    const now = pinning.onChange === 'hide' ? 'deny' : pinning.onChange;
    const actions = otherThan(now, TOLD_APART).map((onChange) => change('on_change', { onChange }, CHANGED));
    if (pinning.onChange === 'alert') return changeSettings(policy, actions);
    const { trustFirstUse } = pinning;
    const first = change('trust_first_use', { trustFirstUse: !trustFirstUse }, 'a call with "context": {"pin": "new"}');
    return changeSettings(policy, [switched, ...actions, first]);
  },
};

const MISFIT = 'a call whose arguments do not fit the "inputSchema" of its "context": {"definition": …}';

/** Changes how arguments that do not fit the tool's schema are treated. */
export const changeSchema: Mutation = {
  kind: 'change-schema',
  changes(policy) {
    const { schema } = policy;
    if (!writtenIn(policy)('schema') || !schema.enabled) return [];
    const change = (key: string, settings: Partial<SchemaSettings>, need: string): SettingChange => ({
      path: ['schema', key],
      settings: { schema: { ...schema, ...settings } },
      what: `${key} = ${JSON.stringify(Object.values(settings)[0])} in [schema]`,
      need,
    });
    const other = schema.unknownArguments === 'schema' ? 'mismatch' : 'schema';
    const ofUnknown = 'a call with an argument that its schema does not name, and "expectedSchema"';
    return changeSettings(policy, [
      change('enabled', { enabled: false }, `${MISFIT}, and "expectedSchema": false`),
      ...otherThan(schema.onMismatch, ['alert', 'prompt', 'deny']).map((onMismatch) =>
        change('on_mismatch', { onMismatch }, MISFIT),
      ),
      change('unknown_arguments', { unknownArguments: other }, ofUnknown),
    ]);
  },
};

/** Changes the decision about a call that no rule matches, which every policy has, and what else `[defaults]` says. */
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

/** Tells whether a key is written in the policy. Any other has its default, which a policy is not asked to prove. */
export type IsWritten = (...path: PolicyPath) => boolean;

/** Creates a test for the keys that are written in a policy. */
export function writtenIn({ text }: Pick<Policy, 'text'>): IsWritten {
  const toml = parseToml(text);
  return (...path) => {
    let value: TomlValue | undefined = toml.ok ? toml.table : undefined;
    for (const key of path) value = isTomlTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return value !== undefined;
  };
}

/** A setting that could be another one. */
export interface SettingChange {
  readonly path: PolicyPath;
  /** The settings that replace the policy's own. */
  readonly settings: Partial<Policy>;
  readonly what: string;
  readonly need: string;
}

export function changeSettings(policy: Policy, changes: readonly SettingChange[]): readonly Change[] {
  return changes.map(({ settings, ...change }) => ({ ...change, policy: { ...policy, ...settings } }));
}

/** The words without this one. */
export function otherThan<Word extends string>(word: Word, words: readonly Word[]): readonly Word[] {
  return words.filter((other) => other !== word);
}

function flip(action: 'allow' | 'deny'): 'allow' | 'deny' {
  return action === 'allow' ? 'deny' : 'allow';
}

/** Each glob of a list gone, and each changed. */
function changesOfList(globs: readonly string[]): readonly ListChange[] {
  return globs.flatMap((glob, index) => [
    { list: globs.toSpliced(index, 1), index, what: `without ${JSON.stringify(glob)}` },
    ...mutateGlob(glob).map((other) => ({
      list: globs.with(index, other),
      index,
      what: `with ${JSON.stringify(other)} for ${JSON.stringify(glob)}`,
    })),
  ]);
}
