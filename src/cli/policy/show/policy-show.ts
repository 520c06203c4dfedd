import { homedir } from 'node:os';
import { loadConfig } from '../../../config/config-file.ts';
import { findFile } from '../../../config/find-file.ts';
import { findPolicy } from '../../../config/policy-file.ts';
import { loadStartPolicy } from '../../../config/start-policy.ts';
import { compilePolicy } from '../../../core/policy/compile.ts';
import { CHANGING_COMMANDS } from '../../../core/self/clawai-commands.ts';
import { EXIT } from '../../../errors.ts';
import { realPath } from '../../../host/real-path.ts';
import { defineCommand } from '../../command.ts';
import { listOwnPaths } from '../../machine/own-paths.ts';
import { ownFiles } from '../../machine/own-files.ts';
import { toEffectivePolicy } from './effective-policy.ts';
import { renderPolicy } from './render-policy.ts';
import { findStdinPolicy } from '../../terminal/stdin.ts';

/** `clawai policy show`: what decides, in the order it is asked, and where each of it comes from. */
export const policyShowCommand = defineCommand({
  meta: {
    name: 'policy show',
    description: 'Show what decides a call, in the order it is asked, and where each value comes from.',
    notes: [
      'It is what `clawai proxy` would go by if it were started here. What protects clawai itself comes first and is listed with every file that it covers on ' +
        'this machine.',
    ],
    examples: ['clawai policy show', 'clawai policy show --policy policies/strict.toml --json'],
  },
  args: {
    policy: {
      type: 'string',
      hint: 'FILE',
      description: 'The policy, or - for stdin; without it, the one that `clawai proxy` would use.',
    },
    config: { type: 'string', hint: 'FILE', description: 'The config; without it, the one that `clawai proxy` would use.' },
    json: { type: 'boolean', description: 'Print one JSON object.' },
  },
  async run({ flags }) {
    const machine = { env: process.env, platform: process.platform, home: homedir() };
    const found = flags.policy === '-' ? await findStdinPolicy() : findPolicy({ flag: flags.policy, ...machine });
    const configFile = findFile('config', { flag: flags.config, ...machine });
    const config = await loadConfig({ flag: flags.config, ...machine });
    const place = { cwd: process.cwd(), home: machine.home };
    const start = await loadStartPolicy({ found, stateDir: config.stateDir, place });
    const policy = start.policy ?? start.empty;
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
