import { printable } from '../../terminal/printable.ts';
import { shortPath } from '../../terminal/short-path.ts';
import type { EffectivePolicy, SettledValue, ShownRule } from './effective-policy.ts';

const MOST_CHARACTERS = 160;
/** Where the project's rules are asked, if there are any. */
const PROJECT = 6;

/** The policy for people: what is asked first comes first. */
export function renderPolicy(shown: EffectivePolicy): string {
  const {
    policy,
    config,
    settings,
    self,
    serverPolicy,
    flow,
    rules,
    defaults,
    project,
    pinning,
    rateLimits,
    detection,
    classify,
    approval,
  } = shown;
  const lines = [
    `policy  ${shortPath(policy.file)} (${policy.from}), sha256 ${policy.hash.slice(0, 16)}…`,
    `config  ${config.file === undefined ? 'none' : shortPath(config.file)} (${config.from})`,
    ...settings.map(renderValue),
    '',
    '1. self: denies whatever reaches for clawai itself; nothing can allow it',
    ...group(
      self.paths.map(({ what, path, real }) => [
        what,
        path === real ? shortPath(path) : `${shortPath(path)} → ${shortPath(real)}`,
      ]),
    ),
    ...group([
      ['policies of projects', self.anywhere],
      ['commands', `${self.commands.map((command) => `clawai ${command}`).join(', ')}; what ends clawai by its name`],
    ]),
    '',
    '2. server_policy: denies servers that there may not be, whatever the rules say',
    ...serverPolicy.map(renderSetting),
    '',
    '3. flow: what becomes of calls that are harmless one by one and harmful together; no rule skips it',
    ...flow.map(renderValue),
    '',
    `4. rules: the first that matches decides${rules.length === 0 ? ' (there are none)' : ''}`,
    ...rules.flatMap(renderRule),
    '',
    '5. defaults: what no rule is about',
    ...defaults.map(renderValue),
    ...(project === undefined
      ? []
      : ['', `${PROJECT}. rules of the project, ${shortPath(project.file)}: asked by themselves; the stricter decision stands`]),
    ...(project?.rules ?? []).flatMap(renderRule),
    '',
    `${project === undefined ? PROJECT : PROJECT + 1}. pinning: what becomes of a definition, or a server, that is not as it was approved; no rule skips it`,
    ...pinning.map(renderValue),
    '',
    `${project === undefined ? PROJECT + 1 : PROJECT + 2}. rate_limits: denies what is called more often than it may be; what is denied counts for nothing`,
    ...rateLimits.map(renderValue),
    '',
    `${project === undefined ? PROJECT + 2 : PROJECT + 3}. detection: what becomes of texts that should not reach a model; no rule skips it`,
    ...detection.map(renderSetting),
    '',
    ...(classify.length === 0 ? [] : ['classify: what kinds of tools these are', ...classify.map(renderSetting), '']),
    'approval: how a person is asked where the decision is "prompt"',
    ...approval.map(renderValue),
  ];
  return `${lines.join('\n')}\n`;
}

function renderValue({ name, value, from }: SettledValue): string {
  return `   ${printable(name)} = ${printable(value)}  (${shortPath(from)})`;
}

/** The same for values that may be long lists. */
function renderSetting(value: SettledValue): string {
  return renderValue({ ...value, value: cut(value.value) });
}

function renderRule({ number, id, action, conditions, description, from }: ShownRule): string[] {
  const name = id === undefined ? '' : ` ${printable(id)}`;
  const what = conditions.map(([field, value]) => `        ${field} = ${cut(printable(value))}`);
  return [
    `   ${String(number).padStart(2)}. ${action}${name}  (${shortPath(from)})`,
    ...(description === undefined ? [] : [`        ${printable(description)}`]),
    ...what,
  ];
}

/** Long lists are in the file, and in --json. */
function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

/** What has the same title stands below it once. */
function group(pairs: readonly (readonly [title: string, text: string])[]): string[] {
  const groups = Map.groupBy(pairs, ([title]) => title);
  return Array.from(groups, ([title, of]) => [`   ${title}`, ...of.map(([, text]) => `      ${text}`)]).flat();
}
