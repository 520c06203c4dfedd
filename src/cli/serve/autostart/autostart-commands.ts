import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadConfig } from '../../../config/config-file.ts';
import type { Config } from '../../../config/config.ts';
import { findPolicy } from '../../../config/policy-file.ts';
import { loadStartPolicy } from '../../../config/start-policy.ts';
import { ClawaiError, EXIT } from '../../../errors.ts';
import { writeAtomically } from '../../../host/atomic-write.ts';
import { codeOf, toDiskError } from '../../../host/disk.ts';
import { startProgram } from '../../../host/start-program.ts';
import { findServing, type Serving } from '../../../remote/serve-record.ts';
import { findLauncher, ownInstallation } from '../../../wrap/launcher.ts';
import { defineCommand } from '../../command.ts';
import { note } from '../../terminal/notes.ts';
import { refuseAgents } from '../../terminal/person.ts';
import { type Autostart, autostartOn } from './autostart.ts';

/** Milliseconds for `serve` to listen after the system has started it, for it to end, and for each of the system's own commands. */
const PATIENCE = 10_000;
const LOOK_EVERY = 100;
const COMMAND_PATIENCE = 30_000;

const JSON_FLAG = { json: { type: 'boolean', description: 'Print one JSON object.' } } as const;

/** `clawai service install`: has `serve` start at login. */
export const installServiceCommand = defineCommand({
  meta: {
    name: 'service install',
    description: 'Start clawai serve now, and whenever you log in. The system starts it again if it fails.',
    notes: [
      'On Linux it is a systemd unit of the user, on macOS a launchd agent. A second run renews it, for example after an update of Node.',
      'On Linux it runs as long as you are logged in; `loginctl enable-linger` keeps it running.',
    ],
    examples: ['clawai service install'],
    exitCodes: { 1: 'it was installed, and does not run', 2: 'nothing was changed' },
  },
  args: {
    policy: { type: 'string', hint: 'FILE', description: 'The policy that decides.' },
    config: { type: 'string', hint: 'FILE', description: 'The config: the address, the servers, and what is recorded.' },
    'dry-run': { type: 'boolean', description: 'Print the file that would be written, and change nothing.' },
    ...JSON_FLAG,
  },
  async run({ flags }) {
    const machine = { env: process.env, platform: process.platform, home: homedir() };
    const config = await loadConfig({ flag: flags.config, ...machine });
    // A serve that cannot start would be started for ever.
    const found = findPolicy({ flag: flags.policy, ...machine });
    await loadStartPolicy({ found, stateDir: config.stateDir, place: { cwd: machine.home, home: machine.home } });
    // At login, the variables of this shell are not there: another policy would decide.
    const { CLAWAI_POLICY: policy = '', CLAWAI_CONFIG: named = '' } = process.env;
    const files = Object.entries({ policy: flags.policy ?? policy, config: flags.config ?? named }).flatMap(([name, file]) =>
      file === '' ? [] : [`--${name}`, resolve(file)],
    );
    const start = autostart(config, files);
    if (flags['dry-run']) {
      process.stdout.write(flags.json ? toJson({ file: start.file, text: start.text }) : `${start.file}\n\n${start.text}`);
      return EXIT.ok;
    }
    refuseAgents('service install');
    const before = await findServing(config.stateDir);
    if (before.kind !== 'stopped' && !(await succeeds(start.isActive)))
      throw new ClawaiError(`clawai serve runs already, as process ${before.record.pid}`, {
        code: 'listen_failed',
        hint: 'stop it first (Ctrl+C in its terminal)',
      });
    const old = readOwn(start);
    if (process.platform === 'darwin' && old !== undefined) await runAll(start.uninstall, { mayFail: true });
    mkdirSync(dirname(start.file), { recursive: true });
    writeAtomically(start.file, Buffer.from(start.text), { mode: 0o600 });
    try {
      await runAll(start.install);
    } catch (error) {
      if (old === undefined) rmSync(start.file, { force: true });
      else writeAtomically(start.file, Buffer.from(old), { mode: 0o600 });
      throw error;
    }
    const serving = await serveThatRuns(config, before);
    const isRunning = serving?.kind === 'running';
    if (flags.json)
      process.stdout.write(
        toJson({ file: start.file, running: isRunning, url: serving?.kind === 'running' ? serving.record.url : null }),
      );
    else if (serving?.kind === 'running')
      process.stdout.write(`clawai serve runs at ${serving.record.url}, and starts when you log in\n`);
    if (!isRunning) note(`clawai serve was installed and does not run: \`${start.log}\` shows what it said`);
    return isRunning ? EXIT.ok : EXIT.mismatch;
  },
});

/** `clawai service uninstall`: takes that back. */
export const uninstallServiceCommand = defineCommand({
  meta: {
    name: 'service uninstall',
    description: 'Stop clawai serve, and do not start it at login any more.',
    notes: [
      'Wrapped servers with a URL cannot be reached then, until `clawai serve` runs again or `clawai unwrap` gives them their own URL.',
    ],
    examples: ['clawai service uninstall'],
  },
  args: { ...JSON_FLAG },
  async run({ flags }) {
    refuseAgents('service uninstall');
    // A config that cannot be read must not keep it here.
    const start = autostart({ stateDir: '' }, []);
    const isThere = readOwn(start) !== undefined;
    if (isThere) {
      // The file goes even if the system cannot be asked: it would start serve at the next login.
      await runAll(start.uninstall).finally(() => rmSync(start.file, { force: true }));
    }
    if (flags.json) process.stdout.write(toJson({ file: start.file, removed: isThere }));
    else
      process.stdout.write(
        isThere ? 'clawai serve is stopped, and does not start at login\n' : 'clawai serve was not installed\n',
      );
    return EXIT.ok;
  },
});

/** `clawai service status`: tells whether `serve` starts at login, and runs. */
export const serviceStatusCommand = defineCommand({
  meta: {
    name: 'service status',
    description: 'Show whether clawai serve starts at login, and whether it runs.',
    examples: ['clawai service status'],
    exitCodes: { 0: 'it runs', 1: 'it does not run' },
  },
  args: { config: { type: 'string', hint: 'FILE', description: 'The config that it was installed with.' }, ...JSON_FLAG },
  async run({ flags }) {
    const config = await loadConfig({ flag: flags.config, env: process.env, platform: process.platform, home: homedir() });
    const start = autostart(config, []);
    const text = readIfThere(start.file);
    const isInstalled = text !== undefined && start.isOurs(text);
    const isSame = text === start.text;
    const serving = await findServing(config.stateDir);
    const isRunning = serving.kind === 'running';
    if (flags.json) {
      const url = serving.kind === 'running' ? serving.record.url : null;
      process.stdout.write(
        toJson({ file: isInstalled ? start.file : null, changed: isInstalled && !isSame, running: isRunning, url }),
      );
    } else {
      process.stdout.write(`at login  ${isInstalled ? `yes: ${start.file}` : 'no: `clawai service install` has it started'}\n`);
      process.stdout.write(`running   ${describeServing(serving)}\n`);
      if (text !== undefined && !isInstalled) note(`${start.file} is not clawai's`);
      if (isInstalled && !isSame)
        note(
          'the file is not what `clawai service install` would write now: it was given other flags, or something has changed since',
        );
    }
    return isRunning ? EXIT.ok : EXIT.mismatch;
  },
});

/** Reads the file that starts `serve` at login; undefined if there is none. @throws ClawaiError if it is somebody else's */
function readOwn({ file, isOurs }: Autostart): string | undefined {
  const text = readIfThere(file);
  if (text === undefined || isOurs(text)) return text;
  throw new ClawaiError("this file is not clawai's, so clawai leaves it alone", {
    code: 'usage',
    place: { file },
    hint: 'give it another name first, or remove it',
  });
}

/** @throws ClawaiError if it cannot be read */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'usage' });
  }
}

function describeServing(serving: Serving): string {
  if (serving.kind === 'running') return `yes: ${serving.record.url}, process ${serving.record.pid}`;
  return serving.kind === 'stopped' ? 'no' : `no: process ${serving.record.pid} is there, but ${serving.why}`;
}

/** @throws ClawaiError on systems on which clawai cannot be started at login */
function autostart({ stateDir }: Pick<Config, 'stateDir'>, flags: readonly string[]): Autostart {
  const { env, platform } = process;
  const { node, entry } = ownInstallation();
  // A program at login has no search path to rely on.
  const { words } = findLauncher({ platform, node, entry, everyonesFolders: [] });
  const command = [...words, 'serve', ...flags];
  const start = autostartOn({ env, platform, home: homedir(), uid: process.getuid?.(), command, stateDir });
  if (start !== undefined) return start;
  throw new ClawaiError(`clawai cannot be started at login on ${platform}`, {
    code: 'usage',
    hint: 'have your system run `clawai serve` when you log in',
  });
}

/** Waits until a `serve` runs that was not there before. */
async function serveThatRuns({ stateDir }: Pick<Config, 'stateDir'>, before: Serving): Promise<Serving | undefined> {
  const old = before.kind === 'stopped' ? undefined : before.record.id;
  for (const end = performance.now() + PATIENCE; performance.now() < end;) {
    const serving = await findServing(stateDir);
    if (serving.kind === 'running' && serving.record.id !== old) return serving;
    await setTimeout(LOOK_EVERY);
  }
  return undefined;
}

/** @throws ClawaiError `command_failed` with what the system says */
async function runAll(commands: Autostart['install'], { mayFail = false } = {}): Promise<void> {
  for (const [program, ...args] of commands) {
    const { said, code } = await run(program, args);
    if (code === 0 || mayFail) continue;
    throw new ClawaiError(`\`${[program, ...args].join(' ')}\` failed${said === '' ? '' : `: ${said}`}`, {
      code: code === undefined ? 'command_not_found' : 'command_failed',
      hint: 'start `clawai serve` by hand until your system can do it',
    });
  }
}

async function succeeds([program, ...args]: Autostart['isActive']): Promise<boolean> {
  return (await run(program, args)).code === 0;
}

async function run(
  program: string,
  args: readonly string[],
): Promise<{ readonly said: string; readonly code: number | undefined }> {
  const started = startProgram(program, args, { env: process.env, stdio: 'pipe', timeout: COMMAND_PATIENCE });
  let said = '';
  for (const stream of [started.stdout, started.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  started.stdin?.end();
  const { code } = await started.ended;
  return { said: said.trim().slice(0, 1000), code };
}

function toJson(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
