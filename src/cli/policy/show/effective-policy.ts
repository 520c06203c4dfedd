import { locate } from '../../../core/policy/locate.ts';
import { isTomlTable, parseToml, type TomlTable, type TomlValue } from '../../../core/policy/toml.ts';
import type { Policy, PolicyPath, Rule } from '../../../core/policy/types.ts';
import { formatDuration } from '../../../core/duration.ts';
import { CATEGORIES } from '../../../core/registry/category.ts';
import { type OwnPath, PROJECT_FOLDER } from '../../../core/self/own-paths.ts';
import type { Config, Setting } from '../../../config/config.ts';
import { toDetectionSettings } from './effective-detection.ts';
import { toFlowSettings } from './effective-flow.ts';
import { toRateSettings } from './effective-rate-limits.ts';
import { formatTomlValue } from './format-toml-value.ts';

/** A value and where it comes from: `FILE:LINE`, or `default` where nobody has said otherwise. */
export interface SettledValue {
  readonly name: string;
  readonly value: string;
  readonly from: string;
}

/** One rule, by what it says. */
export interface ShownRule {
  /** From 1, in the order they are asked. */
  readonly number: number;
  readonly id: string | undefined;
  readonly action: string;
  /** What a call must have, as it is written: `tool` → `"fs_*"`. */
  readonly conditions: readonly (readonly [field: string, value: string])[];
  readonly description: string | undefined;
  readonly from: string;
}

/** What decides a call, in the order in which it is asked. */
export interface EffectivePolicy {
  readonly policy: { readonly file: string; readonly from: string; readonly hash: string };
  readonly config: { readonly file: string | undefined; readonly from: string };
  readonly settings: readonly SettledValue[];
  readonly self: {
    readonly paths: readonly OwnPath[];
    readonly anywhere: string;
    readonly commands: readonly string[];
  };
  /** Which servers there may be, and whether a server may have tools that it never listed. */
  readonly serverPolicy: readonly SettledValue[];
  /** Calls that are harmless one by one; no rule that allows skips it. */
  readonly flow: readonly SettledValue[];
  readonly rules: readonly ShownRule[];
  readonly defaults: readonly SettledValue[];
  /** Rules of the project, which are asked by themselves; the stricter of the two decisions stands. */
  readonly project: { readonly file: string; readonly rules: readonly ShownRule[] } | undefined;
  /** No rule that allows skips it. */
  readonly pinning: readonly SettledValue[];
  /** What is denied for another reason counts for nothing. */
  readonly rateLimits: readonly SettledValue[];
  /** Asked last; what comes back is looked at too. */
  readonly detection: readonly SettledValue[];
  /** What the user says of kinds of tools, where rules ask for them. */
  readonly classify: readonly SettledValue[];
  readonly approval: readonly SettledValue[];
}

export interface EffectiveSources {
  readonly policy: { readonly value: Policy; readonly file: string; readonly from: string; readonly hash: string };
  readonly project: { readonly file: string; readonly policy: Policy } | undefined;
  readonly config: { readonly value: Config; readonly from: string };
  readonly own: readonly OwnPath[];
  /** Commands of clawai that an agent may not have run. */
  readonly commands: readonly string[];
}

/** Puts together what holds. Pure. */
export function toEffectivePolicy({ policy, project, config, own, commands }: EffectiveSources): EffectivePolicy {
  const { value, file, from, hash } = policy;
  const written = readTable(value.text);
  const settled = (path: PolicyPath, name: string, shown: string, elsewhere: PolicyPath = path): SettledValue => {
    const place = [path, elsewhere].find((each) => isWritten(written, each));
    return { name, value: shown, from: place === undefined ? 'default' : placeOf(value.text, place, file) };
  };
  return {
    policy: { file, from, hash },
    config: { file: config.value.file, from: config.from },
    settings: [setting(config.value, 'mode', config.value.mode), setting(config.value, 'on_error', config.value.onError)],
    self: { paths: own, anywhere: `${PROJECT_FOLDER}/ in any folder`, commands },
    serverPolicy: [
      settled(['server_policy', 'policy'], 'policy', value.serverPolicy.mode),
      settled(['server_policy', 'allow'], 'allow', formatTomlValue([...value.serverPolicy.allow])),
      settled(['server_policy', 'deny'], 'deny', formatTomlValue([...value.serverPolicy.deny])),
      settled(['defaults', 'unknown_server'], 'unknown_server', value.defaults.unknownServer),
      settled(['defaults', 'unmapped_tool'], 'unmapped_tool', value.defaults.unmappedTool),
    ],
    flow: toFlowSettings(value.flow, settled),
    rules: toRules(value, file),
    defaults: [
      settled(['defaults', 'action'], 'action', value.defaults.action),
      settled(['defaults', 'unknown_methods'], 'unknown_methods', value.defaults.unknownMethods),
      settled(['defaults', 'native'], 'native', value.defaults.native),
    ],
    project: project === undefined ? undefined : { file: project.file, rules: toRules(project.policy, project.file) },
    pinning: [
      settled(['pinning', 'enabled'], 'enabled', String(value.pinning.enabled)),
      settled(['pinning', 'trust_first_use'], 'trust_first_use', String(value.pinning.trustFirstUse)),
      settled(['pinning', 'on_change'], 'on_change', value.pinning.onChange),
    ],
    rateLimits: toRateSettings(value.rateLimits, settled),
    detection: toDetectionSettings(value.detection, settled),
    classify: CATEGORIES.flatMap((category) => {
      const globs = value.classify[category];
      return globs === undefined ? [] : [settled(['classify', category], category, formatTomlValue([...globs]))];
    }),
    approval: [
      settled(['approval', 'channels'], 'channels', value.approval.channels.join(', ') || 'none'),
      settled(['approval', 'timeout'], 'timeout', formatDuration(value.approval.timeout)),
    ],
  };
}

function setting({ file, fromFile }: Config, name: Setting, value: string): SettledValue {
  return { name, value, from: file !== undefined && fromFile.has(name) ? file : 'default' };
}

const SUBJECTS = ['method', 'server', 'tool', 'resource', 'prompt', 'args', 'category', 'fingerprint', 'unless'];

function toRules({ text, rules }: Policy, file: string): ShownRule[] {
  const table = readTable(text);
  const written = Array.isArray(table['rule']) ? (table['rule'] as readonly TomlValue[]) : [];
  return rules.map((rule) => toRule(rule, { written: written[rule.index], from: placeOf(text, ['rule', rule.index], file) }));
}

function toRule(rule: Rule, { written, from }: { readonly written: TomlValue | undefined; readonly from: string }): ShownRule {
  const table = written !== undefined && isTomlTable(written) ? written : {};
  const conditions = SUBJECTS.flatMap((field) => {
    const value = table[field];
    return value === undefined ? [] : [[field, formatTomlValue(value)] as const];
  });
  return { number: rule.index + 1, id: rule.id, action: rule.action, conditions, description: rule.description, from };
}

function readTable(text: string): TomlTable {
  const result = parseToml(text);
  return result.ok ? result.table : {};
}

function isWritten(table: TomlTable, path: PolicyPath): boolean {
  let value: TomlValue | undefined = table;
  for (const step of path) value = value === undefined ? undefined : memberOf(value, step);
  return value !== undefined;
}

function memberOf(value: TomlValue, step: string | number): TomlValue | undefined {
  if (typeof step === 'number') return Array.isArray(value) ? (value as readonly TomlValue[])[step] : undefined;
  return isTomlTable(value) ? value[step] : undefined;
}

function placeOf(text: string, path: PolicyPath, file: string): string {
  return `${file}:${locate(text, path).line}`;
}
