import { EXIT } from '../../errors.ts';
import { removeLeftovers } from '../../wrap/files/read-config.ts';
import type { FileOutcome } from '../../wrap/files/run-files.ts';
import { type UnwrappedFile, applyUnwrap, planUnwrap, type UnwrapRequest } from '../../wrap/unwrap.ts';
import type { Routes } from '../../wrap/routes.ts';
import { readHooks } from '../../wrap/hooks/read-hooks.ts';
import type { Selection } from '../../wrap/read-servers.ts';
import { quoteWord } from '../../core/shell/quote-word.ts';
import { contradiction, defineCommand, usageError } from '../command.ts';
import type { LoginState } from '../login/login-state.ts';
import { note } from '../terminal/notes.ts';
import { printable } from '../terminal/text.ts';
import { checkHookClient, hooksToJson, hookSurroundings, runHooks } from './hooks.ts';
import { listUnwrapped, problemOf, remarksAbout } from './wrap-report.ts';
import { printDiffs, printNotes, printOutcomes, toJson, namesIn } from './server-listing.ts';
import { lookForRemote } from './wrap-routes.ts';
import { requirePerson, requireRoot } from '../terminal/person.ts';
import { isGone } from './wrap-standing.ts';
import { checkAll, checkNames, lookAround, SELECTION_FLAGS, type Surroundings, toSelection } from './wrap-surroundings.ts';

/** `clawai unwrap`: gives clients back what they had. */
export const unwrapCommand = defineCommand({
  meta: {
    name: 'unwrap',
    description: 'Remove clawai from the configs, and as a hook.',
    notes: [
      'If nobody else has changed a file since, it gets its old bytes back. Otherwise only the values that clawai changed are restored, and all other edits stay.',
      'You need a terminal; an agent may only use --dry-run. --no-terminal is for administrators: only root may use it. Set HOME to the home of the user whose configs to change; clawai then acts as that user.',
    ],
    exitCodes: { 1: 'a file could not be read or written, and is unchanged', 2: 'nothing was tried' },
    examples: ['clawai unwrap --all', 'clawai unwrap github --dry-run', 'clawai unwrap --hooks --client codex'],
  },
  words: { hint: 'SERVER…', description: 'The names of servers in the configs.' },
  args: {
    ...SELECTION_FLAGS,
    hooks: { type: 'boolean', description: 'Remove the hooks, and leave servers alone. --all removes them too.' },
    'no-terminal': { type: 'boolean', description: 'Run without a terminal, as root.' },
    'dry-run': { type: 'boolean', description: 'Print what would change as a diff, and write nothing.' },
    json: { type: 'boolean', description: 'Print one JSON object.' },
  },
  async run({ flags, words }) {
    const { all, client, json, hooks, 'dry-run': isDry } = flags;
    // The check comes before any read: root must not follow a user's links.
    if (flags['no-terminal']) requireRoot('unwrap');
    checkAll(words, all);
    if (hooks && (all || words.length > 0)) throw contradiction(all ? '--hooks and --all' : '--hooks and names of servers');
    if (hooks) checkHookClient(client);
    const selection = hooks ? NO_SELECTION : toSelection({ words, client });
    const around = await lookAround();
    const { routes, logins } = await lookForRemote(isDry);
    const request: UnwrapRequest = { ...around, selection, routes };
    if (words.length > 0) checkNames(words, namesIn(planUnwrap({ ...request, selection: { ...selection, servers: undefined } })));
    if (!all && !hooks && words.length === 0) return sayWhatToChoose(request);
    if (!isDry) {
      if (!flags['no-terminal']) requirePerson('unwrap');
      removeLeftovers(around.located, around.state);
    }
    const outcomes = (hooks ? [] : isDry ? planUnwrap(request) : await applyUnwrap(request)).filter(
      ({ clients, file }) => (client === undefined || clients.includes(client)) && !isGone(file),
    );
    if (!isDry && all && client === undefined) forgetGone(around, routes);
    if (!json && !hooks) report(outcomes, { around, isDry });
    if (!json && !isDry) await sayWhatIsKept(logins);
    const hooked = hookSurroundings(around, client);
    const isAny = hooks || (all && readHooks(hooked).some(({ state, isRecorded }) => state !== 'none' || isRecorded));
    const done = isAny ? await runHooks(hooked, { change: 'remove', isDry, json }) : undefined;
    if (json) process.stdout.write(toJson(outcomes, { isDry, hooks: hooksToJson(done?.outcomes ?? [], { isDry }) }));
    const hasFailed = done?.hasFailed === true || outcomes.some((outcome) => problemOf(outcome) !== undefined);
    return hasFailed ? EXIT.mismatch : EXIT.ok;
  },
});

/** No server of any client. */
const NO_SELECTION: Selection = { servers: [], scopes: undefined, clients: undefined };

type Outcome = FileOutcome<UnwrappedFile>;

/** Configs that somebody removed have nothing to be given back. Should one return, its command lines say what they were. */
function forgetGone({ state }: Surroundings, routes: Routes): void {
  for (const { file, entries } of state.list().records) {
    if (!isGone(file)) continue;
    routes.forget(entries.map(({ pointer }) => ({ file, pointer })));
    state.remove(file);
  }
}

function countChanges(outcomes: readonly Outcome[]): {
  readonly servers: number;
  readonly files: number;
  readonly pristine: number;
} {
  const changed = outcomes.filter(({ report: done }) => done !== undefined && done.before !== done.after);
  const entries = changed.flatMap(({ report: done }) => done?.entries ?? []);
  return {
    servers: entries.filter(({ action }) => action === 'restore' || action === 'recover').length,
    files: changed.length,
    pristine: changed.filter(({ report: done }) => done?.isPristine === true).length,
  };
}

function report(
  outcomes: readonly Outcome[],
  { around, isDry }: { readonly around: Surroundings; readonly isDry: boolean },
): void {
  const { servers, files, pristine } = countChanges(outcomes);
  if (isDry) printDiffs(outcomes);
  printOutcomes(outcomes.map((outcome) => listUnwrapped(outcome, isDry ? 'planned' : 'done')));
  printNotes(remarksAbout(outcomes, around.located));
  const what = `${servers} server${servers === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}`;
  const same = pristine === 0 ? '' : `, ${pristine} of them to the byte as before`;
  const others = pristine < files ? '; what else has changed there since stays' : '';
  if (isDry) process.stdout.write(`${what} would be unwrapped${same}${others}. Nothing was written.\n`);
  else process.stdout.write(servers === 0 ? 'There was nothing to unwrap.\n' : `Unwrapped ${what}${same}${others}.\n`);
}

/** Unwrapping does not log out: whoever wraps again need not log in again. */
async function sayWhatIsKept(before: readonly LoginState[]): Promise<void> {
  if (!before.some(({ isLoggedIn }) => isLoggedIn)) return;
  const now = new Set((await lookForRemote(true)).logins.map(({ url }) => url));
  for (const { server, url, isLoggedIn } of before) {
    if (isLoggedIn && !now.has(url))
      note(`clawai keeps its login to ${printable(server)}: \`clawai logout ${quoteWord(url)}\` forgets it`);
  }
}

function sayWhatToChoose(request: UnwrapRequest): number {
  const outcomes = planUnwrap(request);
  printOutcomes(outcomes.map((outcome) => listUnwrapped(outcome, 'planned')));
  const isAny = countChanges(outcomes).servers > 0;
  throw usageError(
    isAny ? 'say which servers to unwrap' : 'there is nothing to unwrap',
    isAny
      ? '`clawai unwrap --all` unwraps those above, `clawai unwrap NAME…` some'
      : '`clawai status` shows how every server stands',
  );
}
