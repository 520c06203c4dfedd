import { quoteWord } from '../../core/shell/quote-word.ts';
import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import { EXIT } from '../../errors.ts';
import { configDirectory } from '../../host/directories.ts';
import { storeFile } from '../../store/private-file.ts';
import { readHooks } from '../../wrap/hooks/read-hooks.ts';
import { checkHooks, hookSurroundings } from '../wrap/hooks.ts';
import { defineCommand } from '../command.ts';
import { type Check, type Level, renderChecks, warn } from './check.ts';
import { checkServers } from './check-servers.ts';
import { checkCallers, checkRemote } from './check-remote.ts';
import { checkInstallation, checkSchemas, desktopEnvironment } from './check-installation.ts';
import { checkConfig, checkPolicy, checkProjectPolicy, toFailures } from './check-settings.ts';
import { checkOneStore, checkStore } from './check-store.ts';
import { checkWebhooks } from './check-webhooks.ts';
import type { LiveProof } from './live.ts';
import { isQuiet, withProgress } from '../terminal/notes.ts';
import { remarksOfPolicies } from '../wrap/wrap-report.ts';
import { readStandings } from '../wrap/wrap-standing.ts';
import { lookAround } from '../wrap/wrap-surroundings.ts';
import { prettyJson } from '../terminal/text.ts';
import { stdoutLook } from '../terminal/colour.ts';

/** `clawai doctor`: what is wrong with this set-up, and what to do about it. */
export const doctorCommand = defineCommand({
  meta: {
    name: 'doctor',
    description: 'Check what clawai needs to protect you. Print what is wrong and how to mend it.',
    notes: [
      '--live starts a small server behind clawai, with the command line that `clawai wrap` writes and the environment that a desktop app has. It makes one call that its policy allows and one that it denies. Both are recorded under the server clawai-doctor.',
      '--live also starts each client that has clawai as its hook and needs no window, with a model on this machine. The model calls a command that every policy denies, and that would change nothing. It must not be run.',
    ],
    exitCodes: { 1: 'something failed; warnings do not count' },
    examples: ['clawai doctor', 'clawai doctor --live'],
  },
  args: {
    live: { type: 'boolean', description: 'Prove that a denied call reaches no server, and that hooks stop one.' },
    json: { type: 'boolean', description: 'Print one JSON object.' },
  },
  async run({ flags }) {
    const checks = await withProgress('looking at this set-up', checkAll());
    const live = flags.live ? await proveAll() : undefined;
    if (flags.json) process.stdout.write(toJson(checks, live));
    else await report(checks, live);
    const isFine = [...checks, ...(live?.checks ?? [])].every(({ level }) => level !== 'fail');
    return isFine ? EXIT.ok : EXIT.mismatch;
  },
});

async function proveAll(): Promise<LiveProof> {
  const { proveLive } = await import('./live.ts');
  const proof = await withProgress('proving it with a server of its own', proveLive());
  const { proveHooks } = await import('./live-hooks.ts');
  const hooks = await withProgress('proving the hooks with the clients themselves', proveHooks());
  return { ...proof, checks: [...proof.checks, ...hooks] };
}

async function checkAll(): Promise<readonly Check[]> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const { checks: ofConfig, config } = await checkConfig(machine);
  const ofServers = await checkAllServers();
  return [
    ...checkInstallation(),
    ...(await checkPolicy(machine, config?.stateDir)),
    ...(await checkProjectPolicy({ cwd: process.cwd(), home: machine.home })),
    ...ofConfig,
    ...checkSchemas(configDirectory(machine)),
    ...(config === undefined ? [] : checkStore(storeFile(config.stateDir))),
    ...(config === undefined ? [] : await checkDesktopStore(storeFile(config.stateDir))),
    ...ofServers,
    ...(config === undefined ? [] : checkWebhooks(config.webhooks, config.stateDir)),
  ];
}

/** Checks all servers; an unreadable record of them is reported like any other fault. */
async function checkAllServers(): Promise<readonly Check[]> {
  try {
    const around = await lookAround();
    const standings = await readStandings(around);
    return [
      ...(await checkServers(standings)),
      ...remarksOfPolicies(around.policies).map((text) => warn('policies', text)),
      ...checkRemote(standings),
      ...(await checkCallers(standings)),
      ...checkHooks(readHooks(hookSurroundings(around)), Date.now()),
    ];
  } catch (error) {
    return toFailures('servers', error);
  }
}

/** A desktop app finds another config than this shell where that has variables set, and so perhaps another store. */
async function checkDesktopStore(here: string): Promise<readonly Check[]> {
  const surroundings = { env: process.env, platform: process.platform, home: homedir() };
  try {
    const config = await loadConfig({ ...surroundings, env: desktopEnvironment(surroundings) });
    const there = storeFile(config.stateDir);
    return here === there ? [] : [...checkOneStore(here, there), ...checkStore(there)];
  } catch (error) {
    return toFailures('config', error);
  }
}

async function report(checks: readonly Check[], live: LiveProof | undefined): Promise<void> {
  const look = stdoutLook();
  const all = [...checks, ...(live?.checks ?? [])];
  if (isQuiet())
    return void process.stdout.write(
      renderChecks(
        all.filter(({ level }) => level !== 'ok'),
        look,
      ),
    );
  process.stdout.write(renderChecks(checks, look));
  if (live !== undefined) {
    const { callTable } = await import('../log/event-formats.ts');
    const table = callTable(look, Date.now());
    process.stdout.write(`\n${renderChecks(live.checks, look)}`);
    if (live.events.length > 0) process.stdout.write(`\nfrom the audit:\n${table(live.events)}`);
    process.stdout.write(`\nstarted by: ${[live.command.command, ...live.command.args].map(quoteWord).join(' ')}\n`);
  }
  const count = (level: Level): number => all.filter((check) => check.level === level).length;
  process.stdout.write(`\n${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed\n`);
}

function toJson(checks: readonly Check[], live: LiveProof | undefined): string {
  const proof =
    live === undefined
      ? null
      : {
          checks: live.checks,
          command: [live.command.command, ...live.command.args],
          events: live.events.map(({ body }): unknown => JSON.parse(body ?? 'null')),
        };
  const ok = [...checks, ...(live?.checks ?? [])].every(({ level }) => level !== 'fail');
  return prettyJson({ ok, checks, live: proof });
}
