import { homedir } from 'node:os';
import { loadConfig } from '../../../config/config-file.ts';
import { findFile } from '../../../config/find-file.ts';
import { findPolicy } from '../../../config/policy-file.ts';
import { emptyPolicy, loadStartPolicy } from '../../../config/start-policy.ts';
import { compilePolicy } from '../../../core/match/compile.ts';
import { CHANGING_COMMANDS } from '../../../core/self/clawai-commands.ts';
import { EXIT } from '../../../errors.ts';
import { realPath } from '../../../host/paths.ts';
import { defineCommand } from '../../command.ts';
import { ownFiles, listOwnPaths } from '../../machine/own-paths.ts';
import { printable, shortPath } from '../../terminal/text.ts';
import { findStdinPolicy } from '../../terminal/streams.ts';
import { toEffectivePolicy, type EffectivePolicy, type SettledValue, type ShownRule } from './effective-policy.ts';

/** `clawai policy show`: what decides, in the order it is asked, and where each of it comes from. */
export const policyShowCommand = defineCommand({
  meta: {
    name: 'policy show',
    description: 'Show what decides a call, in order, and where each value comes from.',
    notes: [
      'It shows what `clawai proxy` would use if it were started here. The protection of clawai itself comes first, with every file on this machine that it covers.',
    ],
    examples: ['clawai policy show', 'clawai policy show --policy policies/strict.toml --json'],
  },
  args: {
    policy: {
      type: 'string',
      hint: 'FILE',
      description: 'The policy, or - for stdin. The default is the one that `clawai proxy` would use.',
    },
    config: { type: 'string', hint: 'FILE', description: 'The config. The default is the one that `clawai proxy` would use.' },
    json: { type: 'boolean', description: 'Print one JSON object.' },
  },
  async run({ flags }) {
    const machine = { env: process.env, platform: process.platform, home: homedir() };
    const found = flags.policy === '-' ? await findStdinPolicy() : findPolicy({ flag: flags.policy, ...machine });
    const configFile = findFile('config', { flag: flags.config, ...machine });
    const config = await loadConfig({ flag: flags.config, ...machine });
    const place = { cwd: process.cwd(), home: machine.home };
    const start = await loadStartPolicy({ found, stateDir: config.stateDir, place });
    const policy = start.policy ?? emptyPolicy();
    const file = start.kind === 'gone' ? start.file : found.file;
    const own = listOwnPaths(
      {
        ...machine,
        stateDir: config.stateDir,
        files: ownFiles(flags.policy === '-' ? { ...start, file: undefined } : start, config),
      },
      realPath,
    );
    const compiled = compilePolicy(policy, { project: start.project?.policy, isGone: start.kind === 'gone' });
    const shown = toEffectivePolicy({
      policy: { value: policy, file, from: originOf(start.kind, found), hash: compiled.hash },
      project: start.project,
      config: { value: config, from: configFile.isThere ? nameOf(configFile.source) : 'there is none, so the defaults' },
      own,
      commands: CHANGING_COMMANDS,
    });
    process.stdout.write(flags.json ? `${JSON.stringify(shown, null, 2)}\n` : renderPolicy(shown));
    return EXIT.ok;
  },
});

function originOf(kind: 'file' | 'shipped' | 'gone', found: ReturnType<typeof findPolicy>): string {
  if (kind === 'gone') return "the user's; it is gone, so everything is denied";
  return found.kind === 'file' ? nameOf(found.source) : 'the default that comes with clawai; you have none';
}

function nameOf(source: string): string {
  return source === 'user' ? "the user's" : source;
}

const MOST_CHARACTERS = 160;
/** The place of the project's rules among what is asked. */
const PROJECT = 6;

/** The policy for people: what is asked first comes first. */
function renderPolicy(shown: EffectivePolicy): string {
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
    schema,
    dlp,
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
    `${project === undefined ? PROJECT : PROJECT + 1}. schema: what becomes of a call whose arguments do not fit the tool's schema; no rule skips it`,
    ...schema.map(renderValue),
    '',
    `${project === undefined ? PROJECT + 1 : PROJECT + 2}. dlp: what becomes of secrets on their way to servers and models; no rule skips it`,
    ...dlp.map(renderSetting),
    '',
    `${project === undefined ? PROJECT + 2 : PROJECT + 3}. pinning: what becomes of a definition, or a server, that is not as it was approved; no rule skips it`,
    ...pinning.map(renderValue),
    '',
    `${project === undefined ? PROJECT + 3 : PROJECT + 4}. rate_limits: denies what is called more often than it may be; what is denied counts for nothing`,
    ...rateLimits.map(renderValue),
    '',
    `${project === undefined ? PROJECT + 4 : PROJECT + 5}. detection: what becomes of texts that should not reach a model; no rule skips it`,
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

/** Cuts a long list, which is in the file, and in --json. */
function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

/** Groups texts below their title, so that it stands there once. */
function group(pairs: readonly (readonly [title: string, text: string])[]): string[] {
  const groups = Map.groupBy(pairs, ([title]) => title);
  return Array.from(groups, ([title, of]) => [`   ${title}`, ...of.map(([, text]) => `      ${text}`)]).flat();
}
