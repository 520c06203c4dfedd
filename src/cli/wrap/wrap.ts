import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { findPolicy, loadPolicy } from '../../config/policy-file.ts';
import { loadConfig } from '../../config/config-file.ts';
import { describeGone } from '../../config/describe-change.ts';
import { hasPolicyMark } from '../../config/policy-mark.ts';
import { ClawaiError, EXIT } from '../../errors.ts';
import { removeLeftovers } from '../../wrap/files/read-config.ts';
import type { FileOutcome } from '../../wrap/files/run-files.ts';
import { isChange } from '../../wrap/plan-entry.ts';
import type { PlannedFile } from '../../wrap/wrap-file.ts';
import { applyWrap, planWrap, type WrapRequest } from '../../wrap/wrap.ts';
import { defineCommand, usageError } from '../command.ts';
import { note } from '../terminal/notes.ts';
import { refuseAgents } from '../terminal/person.ts';
import { askBrought } from './ask-brought.ts';
import { askRemotes, type LoginChoice } from './ask-remotes.ts';
import { lookForRemote } from './wrap-routes.ts';
import { listWrapped, problemOf, remarksAbout, remarksOfPolicies } from './wrap-report.ts';
import { printDiffs, printNotes, printOutcomes, toJson, namesIn } from './server-listing.ts';
import { VERSION } from '../machine/version.ts';
import { CLOSABLE, findWays, groupWays, namesOf, quoteCommands } from './ways-out.ts';
import { checkAll, checkNames, lookAround, SELECTION_FLAGS, type Surroundings, toSelection } from './wrap-surroundings.ts';

/** `clawai wrap`: lets the clients on this machine start their servers behind clawai. */
export const wrapCommand = defineCommand({
  meta: {
    name: 'wrap',
    description:
      "Put clawai in front of the MCP servers in your clients' configs. Clients then start a server as `clawai proxy -- CMD`, or reach it through `clawai serve` if it has a URL.",
    notes: [
      'Only the values that must change do; comments, order and layout stay. clawai keeps the old values, so that `clawai unwrap` restores the same bytes. A second run changes nothing.',
      'It reads the configs of all known clients: those of this user, and those of the project around this folder. Servers with a URL are wrapped only while `clawai serve` runs. They are asked first, also with --dry-run, whether they work behind it. A server that does not answer within two seconds is left alone. So is one that wants a login, unless clawai is to log in: with --login, or if you say so on a terminal.',
      'Files under version control are listed and left alone, unless you choose what to write: --portable writes entries that work on every machine, --local writes entries of your own, and --scope project writes paths of this machine.',
      '--hooks makes clawai the hook of your agents: they ask it before each call of their own tools, such as the shell. The hook goes into the settings of the user. With --all or names of servers, both are done; on a terminal, --all asks about the hooks.',
      'On another machine, `clawai wrap --all` records the entries that came with the project, if they are exactly what this version writes. Until then, `clawai status` does not count them as wrapped.',
    ],
    exitCodes: { 1: 'a file could not be read or written, and is unchanged', 2: 'nothing was tried' },
    examples: [
      'clawai wrap --all --dry-run',
      'clawai wrap --all',
      'clawai wrap github files --client cursor',
      'clawai wrap --all --portable npx',
      'clawai wrap --hooks',
    ],
  },
  words: { hint: 'SERVER…', description: 'The names of servers in the configs.' },
  args: {
    ...SELECTION_FLAGS,
    scope: {
      type: 'enum',
      options: ['user', 'project', 'local'],
      description: 'Only servers of the user, of a project, or of one user in a project.',
    },
    hooks: {
      type: 'boolean',
      description: 'Install clawai as the hook of the agents that have run here, or of --client. It decides their own tools too.',
    },
    policy: {
      type: 'string',
      hint: 'FILE',
      description: 'The policy for these servers. The default is the one that `clawai proxy` finds.',
    },
    portable: {
      type: 'enum',
      options: ['npx', 'name'],
      description: `In files of projects, also those in git, write how every machine starts clawai: with npx (\`npx -y clawai@${VERSION}\`), or by its name if everybody has installed it.`,
    },
    local: {
      type: 'boolean',
      description:
        'For servers of projects, write entries of your own that take precedence, and leave their file alone (Claude Code).',
    },
    login: {
      type: 'boolean',
      description: 'Wrap remote servers that want a login too. clawai then logs in, by `clawai login`.',
    },
    'dry-run': { type: 'boolean', description: 'Print what would change as a diff, and write nothing.' },
    json: { type: 'boolean', description: 'Print one JSON object.' },
  },
  async run({ flags, words }) {
    const { all, client, scope, json, portable, local, hooks, 'dry-run': isDry } = flags;
    checkAll(words, all);
    checkWay(flags);
    if (hooks && !all && words.length === 0) return onlyHooks({ client, isDry, json });
    const selection = toSelection({ words, client, scope });
    // A server that is wrapped already gets that policy too.
    if (flags.policy !== undefined) refuseAgents('wrap --policy');
    const policy = await checkPolicy(flags.policy);
    const around = await lookAround();
    const isShown = isDry || (!all && words.length === 0);
    if (local) checkOwnScope(around);
    const { routes, stateDir, error } = await lookForRemote(isShown);
    // Wrapping remote servers without knowing which there are would give them second URLs.
    if (error !== undefined) throw error;
    const start: WrapRequest = {
      ...around,
      selection,
      launcher: around.launcher.words,
      policy,
      portable,
      own: local,
      sharedToo: scope === 'project',
      routes,
    };
    if (words.length > 0) checkNames(words, namesIn(planWrap({ ...start, selection: { ...selection, servers: undefined } })));
    const login = loginChoice(flags, words);
    const { answerTo, managed, remember } = await askRemotes(start, login);
    const asked = { ...start, answerTo };
    if (!all && words.length === 0) return sayWhatToChoose(asked);
    const request = { ...asked, isAgreed: isDry || json ? undefined : await askBrought(asked) };
    if (!isDry) removeLeftovers(around.located, around.state);
    const outcomes = (isDry ? planWrap(request) : await applyWrap(request)).filter((outcome) => isAbout(outcome, client));
    const forgotten = isDry || stateDir === undefined ? undefined : remember(stateDir);
    // Loading what a dry run does not need would take longer than planning.
    const trust = isDry ? undefined : await (await import('./wrap-trust.ts')).reviewLaunches(outcomes);
    const notes = [...(forgotten === undefined ? [] : [forgotten]), ...(trust?.notes ?? [])];
    if (json) for (const text of notes) note(text);
    else report(outcomes, { request, around, isDry, notes });
    // The files are changed, whether or not the person stays to answer.
    await trust?.settle();
    if (login.isPersonHere && managed.size > 0) await (await import('./log-in-now.ts')).logInNow(managed);
    const mayOffer = all && !json && !isDry;
    const hooked = hooks || mayOffer ? await installHooks({ client, isDry, json, isOffered: !hooks }) : NO_HOOKS;
    if (json) process.stdout.write(toJson(outcomes, { isDry, hooks: hooked.listed }));
    const hasFailed = hooked.hasFailed || outcomes.some((outcome) => !outcome.isTheirs && problemOf(outcome) !== undefined);
    return hasFailed ? EXIT.mismatch : EXIT.ok;
  },
});

function loginChoice(
  { login, all, json, 'dry-run': isDry }: Record<'login' | 'all' | 'json' | 'dry-run', boolean>,
  words: readonly string[],
): LoginChoice {
  const isChosen = (all || words.length > 0) && !isDry && !json;
  return { isWanted: login, isPersonHere: isChosen && process.stdin.isTTY && process.stdout.isTTY };
}

interface HooksToInstall {
  readonly client: string | undefined;
  readonly isDry: boolean;
  readonly json: boolean;
  /** True if the person at the terminal is asked first. */
  readonly isOffered?: boolean;
}

const NO_HOOKS = { listed: [], hasFailed: false };

async function installHooks({ client, isDry, json, isOffered = false }: HooksToInstall): Promise<{
  readonly listed: readonly object[];
  readonly hasFailed: boolean;
}> {
  const { hooksToJson, hookSurroundings, offerHooks, runHooks } = await import('./hooks.ts');
  const around = hookSurroundings({ version: VERSION }, client);
  if (isOffered && !(await offerHooks(around))) return NO_HOOKS;
  const { outcomes, hasFailed } = await runHooks(around, { change: 'install', isDry, json });
  return { listed: hooksToJson(outcomes, { isDry }), hasFailed };
}

/** Installs hooks, and leaves servers alone. */
async function onlyHooks(asked: HooksToInstall): Promise<number> {
  const { checkHookClient } = await import('./hooks.ts');
  checkHookClient(asked.client);
  // A policy that is invalid would have each call denied.
  await checkPolicy(undefined);
  const { listed, hasFailed } = await installHooks(asked);
  if (asked.json) process.stdout.write(toJson([], { isDry: asked.isDry, hooks: listed }));
  return hasFailed ? EXIT.mismatch : EXIT.ok;
}

interface Way {
  readonly portable: string | undefined;
  readonly local: boolean;
  readonly scope: string | undefined;
  readonly policy: string | undefined;
}

/** Flags that say how the files of projects are wrapped, and contradict each other. Throws ClawaiError `usage`. */
function checkWay({ portable, local, scope, policy }: Way): void {
  const way = local ? '--local' : portable === undefined ? undefined : '--portable';
  if (way === undefined) return;
  const clash =
    local && portable !== undefined
      ? '--portable'
      : scope !== undefined && (local || scope !== 'project')
        ? `--scope ${scope}`
        : policy !== undefined && !local
          ? '--policy'
          : undefined;
  if (clash === undefined) return;
  const why = clash === '--policy' ? 'a policy is a file of this machine' : 'they say where to write different things';
  throw usageError(`${way} and ${clash} contradict each other: ${why}`, 'give one of them');
}

/** An entry of one's own needs a client that has such a scope, and a config of it. */
function checkOwnScope({ located, clients }: Surroundings): void {
  // Claude Code asks before it starts a project's server, and not for entries of one's own.
  refuseAgents('wrap --local');
  if (located.some(({ location }) => location.hides !== undefined)) return;
  const able = clients.filter(({ locations }) => locations.some(({ hides }) => hides !== undefined)).map(({ name }) => name);
  throw usageError(
    `--local writes to the config of ${able.join(' or ')}, and there is none`,
    'start it once; --portable is for all clients',
  );
}

/**
 * A policy or a config that starts nothing would take every wrapped server away from its client, so it is read before.
 *
 * @returns the absolute path of a named policy
 */
async function checkPolicy(flag: string | undefined): Promise<string | undefined> {
  // Variables of this shell alone do not get to the servers of most clients.
  const { CLAWAI_POLICY: _policy, CLAWAI_CONFIG: _config, ...env } = process.env;
  const machine = { env, platform: process.platform, home: homedir() };
  const found = findPolicy({ flag, ...machine });
  // Tests read the shipped one; parsing it again would take as long as all configs.
  if (found.kind === 'file') await loadPolicy(found.file);
  const { stateDir } = await loadConfig(machine);
  if (found.kind === 'shipped' && hasPolicyMark(stateDir, found.missingFile)) {
    throw new ClawaiError(describeGone(found.missingFile, true), { code: 'policy_not_found', hint: 'run `clawai init` first' });
  }
  return flag === undefined ? undefined : resolve(flag);
}

type Outcome = FileOutcome<PlannedFile>;

/** A file of another client than the one asked for is nobody's business here. */
function isAbout({ clients }: Outcome, client: string | undefined): boolean {
  return client === undefined || clients.includes(client);
}

function countChanges(outcomes: readonly Outcome[]): { readonly servers: number; readonly files: number } {
  const changed = outcomes.map(({ report: done }) => done?.entries.filter(({ action }) => isChange(action)).length ?? 0);
  return { servers: changed.reduce((sum, count) => sum + count, 0), files: changed.filter((count) => count > 0).length };
}

interface Reported {
  readonly request: WrapRequest;
  readonly around: Surroundings;
  readonly isDry: boolean;
  readonly notes: readonly string[];
}

function report(outcomes: readonly Outcome[], { request, around, isDry, notes }: Reported): void {
  const { servers, files } = countChanges(outcomes);
  if (isDry) printDiffs(outcomes);
  printOutcomes(outcomes.map((outcome) => listWrapped(outcome, isDry ? 'planned' : 'done')));
  printNotes([...notesAbout(outcomes, around, request), ...waysFor(outcomes, request), ...notes]);
  const what = `${servers} server${servers === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}`;
  const broken = outcomes.filter((outcome) => problemOf(outcome) !== undefined).length;
  const rest = broken === 0 ? '' : `; ${broken} file${broken === 1 ? ' was' : 's were'} left as found`;
  if (isDry) process.stdout.write(`${what} would be wrapped${rest}. Nothing was written.\n`);
  else if (servers === 0)
    process.stdout.write(`There was nothing to change${rest}. \`clawai status\` shows how every server stands.\n`);
  else
    process.stdout.write(`Wrapped ${what}${rest}. \`clawai unwrap --all\` undoes it, \`clawai status\` shows how it stands.\n`);
}

/** Ways to wrap servers that were left alone and need not be. */
function waysFor(outcomes: readonly Outcome[], request: WrapRequest): readonly string[] {
  const skipped = outcomes.flatMap(({ realFile, report: done }) =>
    (done?.entries ?? [])
      .filter(({ reason }) => reason !== undefined && CLOSABLE.has(reason))
      .map((entry) => ({ ...entry, realFile, obstacle: entry.reason })),
  );
  const ways = findWays(request, skipped);
  const led = skipped
    .map((entry) => ways.get(entry) ?? { server: entry.server, ways: [] })
    .filter((entry) => entry.ways.length > 0);
  return groupWays(led).map(({ servers, commands }) => `${namesOf(servers)}: ${quoteCommands(commands)} does it`);
}

function notesAbout(
  outcomes: readonly Outcome[],
  { located, policies, launcher }: Surroundings,
  { portable, own }: WrapRequest,
): readonly string[] {
  const entries = outcomes.flatMap(({ report: done }) => done?.entries ?? []);
  const ofEntries = entries
    .filter(({ action }) => action !== 'skip')
    .flatMap(({ server, notes }) => notes.map((text) => `${server}: ${text}`));
  const variable =
    (process.env['CLAWAI_POLICY'] ?? '') === ''
      ? []
      : ['$CLAWAI_POLICY of this shell is not handed on by most clients; --policy is'];
  return [
    ...(launcher.warning === undefined ? [] : [launcher.warning]),
    ...variable,
    ...remarksOfPolicies(policies),
    ...remarksAbout(outcomes, located, portable !== undefined),
    ...(own === true && countChanges(outcomes).servers > 0
      ? ['Claude Code starts entries of your own without asking, while for those of a project it asks']
      : []),
    ...(portable === undefined || countChanges(outcomes).servers === 0 ? [] : [WHAT_OTHERS_DO[portable]]),
    ...new Set(ofEntries),
  ];
}

/** Steps on other machines for files of projects. */
const WHAT_OTHERS_DO = {
  npx: 'commit the files of projects; on another machine, `clawai wrap --all` records what came with them, and until then `clawai status` does not count it',
  name: 'commit the files of projects; each machine, this one too, has to find `clawai` by its name (`npm install --global clawai`), and on another one `clawai wrap --all` records what came with them',
};

/** Lists what there is, and how to choose, if nothing was chosen. Guessing would edit files that nobody named. */
function sayWhatToChoose(request: WrapRequest): number {
  const outcomes = planWrap(request);
  printOutcomes(outcomes.map((outcome) => listWrapped(outcome, 'planned')));
  const { servers } = countChanges(outcomes);
  const { portable, own, sharedToo } = request;
  const way = portable !== undefined ? ` --portable ${portable}` : own === true ? ' --local' : '';
  const flags = `${way}${sharedToo === true ? ' --scope project' : ''}`;
  throw usageError(
    servers === 0 ? 'there is nothing to wrap' : 'say which servers to wrap',
    servers === 0
      ? '`clawai status` shows which configs were found and what is wrapped already'
      : `\`clawai wrap --all${flags}\` wraps those above, \`clawai wrap NAME…${flags}\` some; with --dry-run nothing is written`,
  );
}
