import { homedir } from 'node:os';
import { HOOK_PLACES } from '../../clients/hook-places.ts';
import { suggestName } from '../../suggest.ts';
import { changeHooks, type HookOutcome, planHooks } from '../../wrap/hooks/edit-hooks.ts';
import { type HookStanding, type HookSurroundings, readHooks } from '../../wrap/hooks/read-hooks.ts';
import { hookLauncher, hookProgram } from '../../wrap/hooks/hook-program.ts';
import { HookRecords } from '../../wrap/hooks/hook-records.ts';
import { usageError } from '../command.ts';
import { type Check, fail, ok, warn } from '../doctor/check.ts';
import { hooksFolder } from '../machine/own-paths.ts';
import { formatDiff } from '../terminal/colour.ts';
import { askYes } from '../terminal/person.ts';
import { countOfThings, formatAgo, isoTime } from '../terminal/layout.ts';
import { shortPath } from '../terminal/text.ts';
import { type ListedFile, type ListedRow, printNotes, printOutcomes } from './server-listing.ts';
import type { Surroundings } from './wrap-surroundings.ts';

/** The clients whose hooks a command is about: the named one, or all that have run on this machine or have our hook. */
export function hookSurroundings({ version }: Pick<Surroundings, 'version'>, client?: string): HookSurroundings {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const all: HookSurroundings = {
    places: HOOK_PLACES,
    machine,
    project: process.cwd(),
    records: new HookRecords(hooksFolder(machine)),
    program: (id) => hookProgram(hookLauncher(), id, process.env),
    version,
  };
  // Their shells differ there, and what denies where a hook fails is written for one.
  if (process.platform === 'win32') return { ...all, places: [] };
  if (client !== undefined) return { ...all, places: HOOK_PLACES.filter((place) => place.client === client) };
  const known = new Set(
    readHooks(all)
      .filter(isConcerned)
      .map(({ place }) => place.client),
  );
  return { ...all, places: HOOK_PLACES.filter((place) => known.has(place.client)) };
}

/** Throws ClawaiError `usage` for a client whose hook we don't install. */
export function checkHookClient(client: string | undefined): void {
  if (process.platform === 'win32')
    throw usageError('clawai installs no hooks on Windows yet', '`clawai wrap --all` guards the servers');
  const ids = HOOK_PLACES.map((place) => place.client);
  if (client === undefined || ids.includes(client)) return;
  const meant = suggestName(client, ids);
  throw usageError(
    `clawai installs no hook in ${JSON.stringify(client)}`,
    meant === undefined ? `clients: ${ids.join(', ')}` : `did you mean ${meant}?`,
  );
}

/** Tells whether there is anything to say about a client's hook. */
function isConcerned({ isPresent, isRecorded, state }: HookStanding): boolean {
  return isPresent || isRecorded || state !== 'none';
}

/** Installs or removes hooks, or plans it, and says so unless it is for programs. False if one failed. */
export async function runHooks(
  around: HookSurroundings,
  { change, isDry, json }: { readonly change: 'install' | 'remove'; readonly isDry: boolean; readonly json: boolean },
): Promise<{ readonly outcomes: readonly HookOutcome[]; readonly hasFailed: boolean }> {
  const outcomes = isDry ? planHooks(around, change) : await changeHooks(around, change);
  if (!json) report(outcomes, { change, isDry });
  return { outcomes, hasFailed: outcomes.some(({ action }) => action === 'failed') };
}

/** Asks the person at the terminal whether hooks shall be installed too, where some are missing. */
export async function offerHooks(around: HookSurroundings): Promise<boolean> {
  const missing = readHooks(around).filter(
    ({ state, problem, place }) => state !== 'current' && problem === undefined && place.needsTrust !== true,
  );
  if (missing.length === 0 || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  const names = missing.map(({ place }) => place.name).join(', ');
  process.stdout.write(
    `\nThe agents' own tools (shell, edits, web) pass no server. As a hook, clawai decides these too: ${names}.\n`,
  );
  return askYes('Install the hooks?');
}

export function hooksToJson(outcomes: readonly HookOutcome[], { isDry }: { readonly isDry: boolean }): readonly object[] {
  return outcomes.map(({ place, file, action, isPristine, error, diff }) => ({
    client: place.client,
    file,
    action,
    pristine: isPristine,
    error: error === undefined ? null : { code: error.code, message: error.message, hint: error.hint ?? null },
    ...(isDry ? { diff } : {}),
  }));
}

const WORDS: Readonly<
  Record<HookOutcome['action'], Pick<ListedRow, 'tone'> & { readonly done: string; readonly planned: string }>
> = {
  install: { done: 'installed', planned: 'to install', tone: 'good' },
  update: { done: 'renewed', planned: 'to renew', tone: 'good' },
  same: { done: 'as it was', planned: 'as it is', tone: 'plain' },
  remove: { done: 'removed', planned: 'to remove', tone: 'good' },
  none: { done: 'no hook', planned: 'no hook', tone: 'plain' },
  failed: { done: 'failed', planned: 'not possible', tone: 'bad' },
};

/** A hook cannot ask in the window of its client. */
const WHERE_TO_ANSWER =
  'a call about which the policy asks waits for you in `clawai approvals`; the shipped policies ask about each command of a shell';

function report(
  outcomes: readonly HookOutcome[],
  { change, isDry }: { readonly change: 'install' | 'remove'; readonly isDry: boolean },
): void {
  if (isDry) for (const { diff } of outcomes) if (diff !== '') process.stdout.write(`${formatDiff(diff)}\n`);
  printOutcomes(
    outcomes
      .filter(({ action }) => action !== 'none')
      .map(({ place, file, action, error }): ListedFile => {
        const { done, planned, tone } = WORDS[action];
        return {
          file: shortPath(file),
          readers: place.name,
          problem: error === undefined ? undefined : [error.message, error.hint].filter(Boolean).join('; '),
          rows: error === undefined ? [{ state: isDry ? planned : done, tone, server: 'hook', text: '' }] : [],
        };
      }),
  );
  const changed = outcomes.filter(({ action }) => action === 'install' || action === 'update' || action === 'remove');
  // The notes say which file can have a hook, if there is none.
  const noted = outcomes.filter((outcome) => changed.includes(outcome) || outcome.action === 'none');
  const notes = new Set(noted.flatMap(({ place }) => place.notes.map((text) => `${place.name}: ${text}`)));
  if (change === 'install' && notes.size + changed.length > 0) printNotes([...notes, WHERE_TO_ANSWER]);
  const isAny = outcomes.some(({ action }) => action === 'same');
  process.stdout.write(`${summary(changed, { change, isDry, isAny })}\n`);
}

function summary(
  changed: readonly HookOutcome[],
  { change, isDry, isAny }: { readonly change: 'install' | 'remove'; readonly isDry: boolean; readonly isAny: boolean },
): string {
  const hooks = countOfThings(changed.length, 'hook');
  if (isDry) return `${hooks} would be ${change === 'install' ? 'installed' : 'removed'}. Nothing was written.`;
  if (change === 'install') {
    const renewed = changed.filter(({ action }) => action === 'update').length;
    const added = changed.length - renewed;
    const done = [
      ...(added === 0 ? [] : [`Installed ${countOfThings(added, 'hook')}.`]),
      ...(renewed === 0 ? [] : [`Renewed ${countOfThings(renewed, 'hook')}.`]),
    ].join(' ');
    if (done === '') return isAny ? 'All hooks are as they should be.' : 'There was no hook to install.';
    return `${done} \`clawai unwrap --hooks\` removes ${changed.length === 1 ? 'it' : 'them'}.`;
  }
  const same = changed.filter(({ isPristine }) => isPristine).length;
  return changed.length === 0 ? 'There was no hook to remove.' : `Removed ${hooks}, ${same} of them to the byte as before.`;
}

/** The clients' hooks as `status` lists them. */
export function listHooks(standings: readonly HookStanding[], now: number): readonly ListedFile[] {
  return standings.filter(isConcerned).map(({ place, file, problem, ...standing }) => ({
    file: shortPath(file),
    readers: place.name,
    problem,
    rows: problem === undefined ? [{ ...wordFor({ ...standing, place }, now), server: 'hook' }] : [],
  }));
}

/** The checks of `doctor`: hooks that clients start, and those that should be there and are not. */
export function checkHooks(standings: readonly HookStanding[], now: number): readonly Check[] {
  return standings
    .filter((standing) => standing.isRecorded || standing.state !== 'none')
    .map((standing): Check => {
      const { place, problem, file } = standing;
      const subject = `${place.name}: ${shortPath(file)}`;
      if (problem !== undefined) return fail('hooks', `${subject} cannot be read: ${problem}`);
      const { state, text, tone } = wordFor(standing, now);
      const [what, todo] = text.split('; ');
      if (tone === 'bad') return fail('hooks', `${subject} is ${state}: ${what}`, todo);
      return tone === 'attention' ? warn('hooks', `${subject}: ${what}`, todo) : ok('hooks', `${subject}: ${what}`);
    });
}

/** The same for programs. */
export function hooksStatus(standings: readonly HookStanding[]): readonly object[] {
  return standings.filter(isConcerned).map(({ place, file, state, off, seen, problem, isRecorded }) => ({
    client: place.client,
    file,
    state: state === 'current' ? 'installed' : state === 'other' ? 'changed' : isRecorded ? 'removed' : 'none',
    switched_off_by: off ?? null,
    last_asked: isoTime(seen),
    problem: problem ?? null,
  }));
}

/** Tells whether a hook that was installed does not decide any more. */
export function isHookWrong({ isRecorded, state, off, problem }: HookStanding): boolean {
  return (isRecorded && (state !== 'current' || problem !== undefined)) || (state !== 'none' && off !== undefined);
}

function wordFor(
  { state, off, seen, isRecorded, place }: Pick<HookStanding, 'state' | 'off' | 'seen' | 'isRecorded' | 'place'>,
  now: number,
): Omit<ListedRow, 'server'> {
  const command = `\`clawai wrap --hooks --client ${place.client}\``;
  if (state !== 'none' && off !== undefined) return { state: 'off', tone: 'bad', text: `${off} switches all hooks off` };
  if (state === 'current') {
    if (seen !== undefined) return { state: 'installed', tone: 'good', text: `asked ${formatAgo(seen, now)}` };
    // Until it has asked, nobody knows whether its user lets it.
    const [first] = place.notes;
    return place.needsTrust === true
      ? { state: 'not seen', tone: 'attention', text: `it never asked; ${first ?? ''}` }
      : { state: 'installed', tone: 'good', text: 'it never asked' };
  }
  if (state === 'other')
    return { state: 'changed', tone: 'bad', text: `it is not what this clawai writes; ${command} renews it` };
  if (isRecorded)
    return {
      state: 'removed',
      tone: 'bad',
      text: `it was installed, and somebody removed it since; ${command} installs it again`,
    };
  return { state: 'no hook', tone: 'plain', text: `${command} lets clawai decide this agent's own tools too` };
}
