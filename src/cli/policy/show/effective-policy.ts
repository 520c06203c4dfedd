import type { Config, Setting } from '../../../config/config.ts';
import { CATEGORIES } from '../../../core/call.ts';
import { FAMILIES, type Family } from '../../../core/detect/types.ts';
import { FLOW_RULES, type RateLimit } from '../../../core/finding.ts';
import { type Key, type Keys, type OwnKey, propertyOf } from '../../../core/policy/keys.ts';
import { locate } from '../../../core/policy/locate.ts';
import type { Detection, Suppression } from '../../../core/policy/parse-detection.ts';
import type { Dlp } from '../../../core/policy/parse-dlp.ts';
import { type Flow, FLOW_TABLES } from '../../../core/policy/parse-flow.ts';
import type { RateLimits } from '../../../core/policy/parse-rate-limits.ts';
import { type Policy, TABLES } from '../../../core/policy/tables.ts';
import { isTomlTable, parseToml, type TomlTable, type TomlValue } from '../../../core/policy/toml.ts';
import type { PolicyPath, Rule } from '../../../core/policy/types.ts';
import { formatDuration } from '../../../core/quantity.ts';
import { type OwnPath, PROJECT_FOLDER } from '../../../core/self/own-paths.ts';

/** A value and where it comes from: `FILE:LINE`, or `default` where nobody has said otherwise. */
export interface SettledValue {
  readonly name: string;
  readonly value: string;
  readonly from: string;
}

/** One rule, by what it says. */
export interface ShownRule {
  /** The rule's number, from 1, in the order in which rules are asked. */
  readonly number: number;
  readonly id: string | undefined;
  readonly action: string;
  /** The conditions on a call, as they are written: `tool` → `"fs_*"`. */
  readonly conditions: readonly (readonly [field: string, value: string])[];
  readonly description: string | undefined;
  readonly from: string;
}

/** Everything that decides a call, in the order in which it is asked. */
export interface EffectivePolicy {
  readonly policy: { readonly file: string; readonly from: string; readonly hash: string };
  readonly config: { readonly file: string | undefined; readonly from: string };
  readonly settings: readonly SettledValue[];
  readonly self: {
    readonly paths: readonly OwnPath[];
    readonly anywhere: string;
    readonly commands: readonly string[];
  };
  /** Settings for allowed servers, and for tools that a server never listed. */
  readonly serverPolicy: readonly SettledValue[];
  /** Settings on calls that are harmless one by one; no rule that allows skips them. */
  readonly flow: readonly SettledValue[];
  readonly rules: readonly ShownRule[];
  readonly defaults: readonly SettledValue[];
  /** Rules of the project, which are asked by themselves; the stricter of the two decisions stands. */
  readonly project: { readonly file: string; readonly rules: readonly ShownRule[] } | undefined;
  /** Settings on arguments that do not fit the tool's schema; no rule that allows skips them. */
  readonly schema: readonly SettledValue[];
  /** Settings on secrets in arguments and in requests to models; no rule that allows skips them. */
  readonly dlp: readonly SettledValue[];
  /** Settings on changed definitions and servers; no rule that allows skips them. */
  readonly pinning: readonly SettledValue[];
  /** Settings of rate limits; calls that are denied for another reason do not count. */
  readonly rateLimits: readonly SettledValue[];
  /** Settings of detection, which is asked last and looks at results too. */
  readonly detection: readonly SettledValue[];
  /** The user's categories of tools, for rules that ask for them. */
  readonly classify: readonly SettledValue[];
  readonly approval: readonly SettledValue[];
}

interface EffectiveSources {
  readonly policy: { readonly value: Policy; readonly file: string; readonly from: string; readonly hash: string };
  readonly project: { readonly file: string; readonly policy: Policy } | undefined;
  readonly config: { readonly value: Config; readonly from: string };
  readonly own: readonly OwnPath[];
  /** Commands of clawai that an agent may not have run. */
  readonly commands: readonly string[];
}

/** Puts together the policy in effect. Pure. */
export function toEffectivePolicy({ policy, project, config, own, commands }: EffectiveSources): EffectivePolicy {
  const { value, file, from, hash } = policy;
  const written = readTable(value.text);
  const settled = (path: PolicyPath, name: string, shown: string, elsewhere: PolicyPath = path): SettledValue => {
    const place = [path, elsewhere].find((each) => isWritten(written, each));
    return { name, value: shown, from: place === undefined ? 'default' : placeOf(value.text, place, file) };
  };
  const table = (name: string, keys: Keys, values: object): readonly SettledValue[] =>
    showValues(keys, values, (key, shown) => settled([name, key], key, shown));
  const { unknown_server, unmapped_tool, unknown_methods, native } = TABLES.defaults.keys;
  return {
    policy: { file, from, hash },
    config: { file: config.value.file, from: config.from },
    settings: [setting(config.value, 'mode', config.value.mode), setting(config.value, 'on_error', config.value.onError)],
    self: { paths: own, anywhere: `${PROJECT_FOLDER}/ in any folder`, commands },
    serverPolicy: [
      ...table('server_policy', TABLES.server_policy.keys, { ...value.serverPolicy, policy: value.serverPolicy.mode }),
      ...table('defaults', { unknown_server, unmapped_tool }, value.defaults),
    ],
    flow: toFlowSettings(value.flow, settled),
    rules: toRules(value, file),
    defaults: [
      settled(['defaults', 'action'], 'action', value.defaults.action),
      ...table('defaults', { unknown_methods, native }, value.defaults),
    ],
    project: project === undefined ? undefined : { file: project.file, rules: toRules(project.policy, project.file) },
    schema: table('schema', TABLES.schema.keys, value.schema),
    dlp: toDlpSettings(value.dlp, settled),
    pinning: table('pinning', TABLES.pinning.keys, value.pinning),
    rateLimits: toRateSettings(value.rateLimits, settled),
    detection: toDetectionSettings(value.detection, settled),
    classify: CATEGORIES.flatMap((category) => {
      const globs = value.classify[category];
      return globs === undefined ? [] : [settled(['classify', category], category, formatTomlValue([...globs]))];
    }),
    approval: [
      settled(['approval', 'channels'], 'channels', value.approval.channels.join(', ') || 'none'),
      ...table('approval', TABLES.approval.keys, value.approval),
    ],
  };
}

function setting({ file, fromFile }: Config, name: Setting, value: string): SettledValue {
  return { name, value, from: file !== undefined && fromFile.has(name) ? file : 'default' };
}

const SUBJECTS = [
  'method',
  'server',
  'tool',
  'resource',
  'prompt',
  'args',
  'category',
  'fingerprint',
  'unless',
  'require_person',
];

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

/** Families that are off unless the policy asks for them, since they raise false alarms. */
const OFF_BY_DEFAULT: ReadonlySet<Family> = new Set(['shell_injection']);

/**
 * Settings of `[detection]`: actions, threshold, rules and suppressions; if it is switched off, only that it is.
 *
 * @param settle gives a value, by its path, its name and how it is shown, the place where it is written
 */
function toDetectionSettings<T>(
  detection: Detection,
  settle: (path: PolicyPath, name: string, shown: string) => T,
): readonly T[] {
  const { enabled, threshold, ...others } = TABLES.detection.keys;
  const { rules, suppress } = detection;
  const settled = (name: string, value: string): T => settle(['detection', name], name, value);
  if (!detection.enabled) return showValues({ enabled }, detection, settled);
  return [
    ...showValues({ enabled, threshold, ...others }, detection, settled),
    ...FAMILIES.map((family) => {
      const value = rules.families[family] ?? !OFF_BY_DEFAULT.has(family);
      return settle(['detection', 'families', family], `families.${family}`, String(value));
    }),
    ...rules.patterns.map(({ name, pattern, severity }, index) =>
      settle(['detection', 'pattern', index], `pattern custom.${name}`, `${JSON.stringify(pattern)}, ${severity}`),
    ),
    ...suppress.map((suppression, index) =>
      settle(['detection', 'suppress', index], `suppress ${suppressionName(suppression)}`, JSON.stringify(suppression.reason)),
    ),
  ];
}

/** `exfiltration.* at files:read_*`. */
function suppressionName({ server, tool, rule }: Suppression): string {
  return `${rule} at ${tool === undefined ? server : `${server}:${tool}`}`;
}

/**
 * Settings of `[dlp]`: actions, kinds, what differs for servers, and patterns; if it is switched off, only that it is.
 *
 * @param settle gives a value, by its path, its name and how it is shown, the place where it is written
 */
function toDlpSettings<T>(dlp: Dlp, settle: (path: PolicyPath, name: string, shown: string) => T): readonly T[] {
  const { enabled, ...others } = TABLES.dlp.keys;
  const settled = (name: string, value: string): T => settle(['dlp', name], name, value);
  if (!dlp.enabled) return showValues({ enabled }, dlp, settled);
  return [
    ...showValues({ enabled, ...others }, dlp, settled),
    ...Array.from(dlp.servers, ([server, action]) =>
      settle(['dlp', 'server', server], `server.${formatTomlKey(server)}`, action),
    ),
    ...dlp.patterns.map(({ name, regex }, index) =>
      settle(['dlp', 'pattern', index], `pattern ${name}`, JSON.stringify(regex.source)),
    ),
  ];
}

/**
 * Settings of `[flow]`: the values of each rule; if one is switched off, only that it is.
 *
 * @param settle gives a value, by its path, its name and how it is shown, the place where it is written; or else where `elsewhere` is,
 *   which it follows from
 */
function toFlowSettings<T>(
  flow: Flow,
  settle: (path: PolicyPath, name: string, shown: string, elsewhere?: PolicyPath) => T,
): readonly T[] {
  const isOn = settle(['flow', 'enabled'], 'enabled', String(flow.enabled));
  if (!flow.enabled) return [isOn];
  return [
    isOn,
    ...FLOW_RULES.flatMap((rule) => {
      const { keys, property } = FLOW_TABLES[rule];
      const values = flow[property];
      return showValues(values.enabled ? keys : { enabled: keys.enabled }, values, (name, shown, key) =>
        settle(['flow', rule, name], `${rule}.${name}`, shown, 'follows' in key ? ['flow', name] : undefined),
      );
    }),
  ];
}

/**
 * `[rate_limits]`: the limits of all, then those of servers and of tools, in the order of the file.
 *
 * @param settle gives a value, by its path, its name and how it is shown, the place where it is written
 */
function toRateSettings<T>(
  { enabled, default: fallback, servers }: RateLimits,
  settle: (path: PolicyPath, name: string, shown: string) => T,
): readonly T[] {
  const settled = (steps: readonly string[], value: string): T =>
    settle(['rate_limits', ...steps], steps.map(formatTomlKey).join('.'), value);
  const settledLimit = (steps: readonly string[], { rpm, burst }: RateLimit): readonly T[] => [
    settled([...steps, 'rpm'], String(rpm)),
    settled([...steps, 'burst'], String(burst)),
  ];
  return [
    settled(['enabled'], String(enabled)),
    settled(['default_rpm'], String(fallback.rpm)),
    settled(['default_burst'], String(fallback.burst)),
    ...Array.from(servers).flatMap(([server, { limit, tools }]) => [
      ...(limit === undefined ? [] : settledLimit(['server', server], limit)),
      ...Array.from(tools).flatMap(([tool, each]) => settledLimit(['server', server, 'tool', tool], each)),
    ]),
  ];
}

/**
 * The values of a table as they are shown, in the order of its description.
 *
 * @param values by their keys in camel case
 * @param settle gets the key, how its value is shown, and its description
 */
function showValues<T>(
  keys: Keys,
  values: object,
  settle: (name: string, shown: string, key: Exclude<Key, OwnKey>) => T,
): readonly T[] {
  const byName = new Map(Object.entries(values));
  return Object.entries(keys).flatMap(([name, key]) =>
    key.kind === 'own' ? [] : [settle(name, show(key, byName.get(propertyOf(name))), key)],
  );
}

function show({ kind }: Key, value: unknown): string {
  if (kind === 'duration') return formatDuration(Number(value));
  return kind === 'globs' ? formatTomlValue(value as string[]) : String(value);
}

const BARE_KEY = /^[\w-]+$/;

/** A value as it may stand in a TOML file, in one line. */
function formatTomlValue(value: TomlValue): string {
  if (Array.isArray(value)) return `[${(value as readonly TomlValue[]).map(formatTomlValue).join(', ')}]`;
  if (isTomlTable(value)) {
    const pairs = Object.entries(value).map(([key, each]) => {
      return `${formatTomlKey(key)} = ${each === undefined ? '' : formatTomlValue(each)}`;
    });
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** A key as it may stand in a TOML file. */
function formatTomlKey(key: string): string {
  return BARE_KEY.test(key) ? key : JSON.stringify(key);
}
