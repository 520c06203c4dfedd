import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Machine } from '../../clients/client.ts';
import type { JsonProblem } from '../../clients/edit-json.ts';
import type { HookPlace, HookProgram } from '../../clients/hook-places.ts';
import { findFiles } from '../../clients/locate.ts';
import { pathsOf, resolvePath } from '../../clients/path-templates.ts';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { codeOf, toDiskError } from '../../host/disk.ts';
import { takeLock } from '../../host/lock.ts';
import { makePrivateFolder } from '../../host/make-folder.ts';
import { sha256 } from '../files/state-folder.ts';
import { maskConfig } from '../files/mask-config.ts';
import { unifiedDiff } from '../files/unified-diff.ts';
import { forgetHookSeen, hookSeen } from './hook-seen.ts';
import type { HookRecord, HookRecords } from './hook-records.ts';
import { addHook, type HookState, isOwnFile, readHook, removeHook } from './hook-text.ts';

/** Most times that a change is planned anew because somebody wrote the file in between. */
const MAX_ROUNDS = 5;

export interface HookSurroundings {
  readonly places: readonly HookPlace[];
  readonly machine: Machine;
  /** The current folder. */
  readonly project: string;
  readonly records: HookRecords;
  /** The program that the hook of a client shall start. */
  readonly program: (client: string) => HookProgram;
  readonly version: string;
}

/** How the hook of one client stands. */
export interface HookStanding {
  readonly place: HookPlace;
  /** The path as the client knows it. */
  readonly file: string;
  /** True if there is a trace of the client on this machine. */
  readonly isPresent: boolean;
  /** True if it was installed, and nobody has removed it by `unwrap`. */
  readonly isRecorded: boolean;
  readonly state: HookState;
  /** The path in the file that switches hooks off. */
  readonly off: string | undefined;
  /** When the client last asked, in milliseconds since the epoch. */
  readonly seen: number | undefined;
  /** Why the file can't be read; the state is `none` then. */
  readonly problem: string | undefined;
}

/** The outcome for one client, done or planned. */
export interface HookOutcome {
  readonly place: HookPlace;
  readonly file: string;
  readonly action: 'install' | 'update' | 'same' | 'remove' | 'none' | 'failed';
  /** True if the file has the very bytes from before our first change, or is gone as it was then. */
  readonly isPristine: boolean;
  readonly error: ClawaiError | undefined;
  /** The change as a unified diff. */
  readonly diff: string;
}

/** Tells how each client's hook stands; a client without a file on this platform has none. */
export function readHooks(around: HookSurroundings): readonly HookStanding[] {
  const { machine, records, program } = around;
  const own = records.list();
  return eachFile(around, (place, file) => {
    const isRecorded = own.some(
      (record) => record.client === place.client && (!hasSeveral(place, machine) || record.file === realPathOf(file)),
    );
    const about = { place, file, isPresent: hasTraces(place, machine), seen: hookSeen(records.path, place.client), isRecorded };
    try {
      const { state, off } = stateOf(place, readText(file)?.text, program(place.client));
      return { ...about, state, off: off ?? offElsewhere(place, around), problem: undefined };
    } catch (error) {
      if (!(error instanceof ClawaiError)) throw error;
      return { ...about, state: 'none', off: undefined, problem: error.message };
    }
  });
}

/** Plans the hooks of these clients; nothing is written. */
export function planHooks(around: HookSurroundings, change: 'install' | 'remove'): readonly HookOutcome[] {
  return each(around, (place, file) => planOne(around, { place, file, change }).outcome);
}

/** Installs or removes the hooks of these clients. One that fails is one of the outcomes, and its file is as before. */
export async function changeHooks(around: HookSurroundings, change: 'install' | 'remove'): Promise<readonly HookOutcome[]> {
  makePrivateFolder(around.records.path);
  const lock = await takeLock({
    path: join(around.records.path, 'lock'),
    kind: 'owned-directory',
    staleAfterMs: 10_000,
    waitMs: 60_000,
    purpose: around.records.path,
    diesWithOwner: true,
  });
  try {
    return each(around, (place, file) => changeOne(around, { place, file, change }));
  } finally {
    lock.release();
  }
}

interface One {
  readonly place: HookPlace;
  readonly file: string;
  readonly change: 'install' | 'remove';
}

interface Plan {
  readonly outcome: HookOutcome;
  readonly found: FoundText | undefined;
  /** The new text; null removes the file, undefined leaves it. */
  readonly becomes: Buffer | null | undefined;
  /** Undefined if nothing of ours is in the file. */
  readonly record: HookRecord | undefined;
}

function each(around: HookSurroundings, work: (place: HookPlace, file: string) => HookOutcome): readonly HookOutcome[] {
  return eachFile(around, (place, file, isThere) => {
    if (!isThere) return { place, file, action: 'none' as const, isPristine: false, error: undefined, diff: '' };
    try {
      return work(place, file);
    } catch (error) {
      if (!(error instanceof ClawaiError)) throw error;
      return { place, file, action: 'failed' as const, isPristine: false, error, diff: '' };
    }
  });
}

/** Calls `work` for each file of these clients. @param work `isThere`: false for a pattern that matches none */
function eachFile<T>(
  { places, machine }: HookSurroundings,
  work: (place: HookPlace, file: string, isThere: boolean) => T,
): readonly T[] {
  return places.flatMap((place) => {
    const file = fileOf(place, machine);
    if (file === undefined) return [];
    if (!hasSeveral(place, machine)) return [work(place, file, true)];
    const matched = findFiles(place.file, machine, []);
    return matched.length === 0 ? [work(place, file, false)] : matched.map((one) => work(place, one, true));
  });
}

/** Tells whether a client may have several files with hooks. */
function hasSeveral(place: HookPlace, machine: Machine): boolean {
  return resolvePath(place.file, machine, undefined)?.segments.some((segment) => segment.includes('*')) === true;
}

function realPathOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

function changeOne(around: HookSurroundings, one: One): HookOutcome {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const plan = planOne(around, one);
    if (write(around, one, plan)) return plan.outcome;
  }
  throw new ClawaiError(`${one.file} keeps changing while it is being edited`, {
    code: 'client_config_busy',
    place: { file: one.file },
    hint: `quit ${one.place.name} and try again`,
  });
}

function planOne(around: HookSurroundings, { place, file, change }: One): Plan {
  const found = readText(file);
  const known = around.records.find(found?.path ?? file);
  return change === 'install' ? planInstall(around, { place, file, found, known }) : planRemoval({ place, file, found, known });
}

interface Found {
  readonly place: HookPlace;
  readonly file: string;
  readonly found: FoundText | undefined;
  readonly known: HookRecord | undefined;
}

function planInstall({ program, version }: HookSurroundings, { place, file, found, known }: Found): Plan {
  const { client, form } = place;
  const wanted = program(client);
  const about = { place, file, isPristine: false, error: undefined };
  const { state } = stateOf(place, found?.text, wanted);
  if (state === 'current') return { outcome: { ...about, action: 'same', diff: '' }, found, becomes: undefined, record: known };
  const text = form.kind === 'file' ? form.content(wanted) : textWithHook(place, found?.text, wanted);
  if (form.kind === 'file' && found !== undefined && !isOwnFile(found.text)) {
    throw new ClawaiError(`${file} is not from clawai`, {
      code: 'client_config_unwritable',
      place: { file },
      hint: 'move it away, and run this again',
    });
  }
  const before =
    known !== undefined && found !== undefined && known.ours.includes(found.hash)
      ? known.before
      : state === 'none'
        ? (found?.bytes.toString('base64') ?? null)
        : undefined;
  return {
    outcome: { ...about, action: state === 'none' ? 'install' : 'update', diff: diffOf(file, found?.text, text) },
    found,
    becomes: Buffer.from(text),
    record: {
      format: 1,
      client,
      file: found?.path ?? file,
      before,
      ours: [...(found === undefined ? [] : [found.hash]), sha256(text)],
      time: new Date().toISOString(),
      version,
    },
  };
}

function planRemoval({ place, file, found, known }: Found): Plan {
  const about = { place, file, error: undefined };
  if (found === undefined)
    return { outcome: { ...about, action: 'none', isPristine: false, diff: '' }, found, becomes: undefined, record: undefined };
  const isOnlyOurs = known?.ours.includes(found.hash) === true && known.before !== undefined;
  const becomes = isOnlyOurs
    ? known.before === null
      ? null
      : Buffer.from(known.before ?? '', 'base64')
    : withoutHook(place, found.text);
  const isChange = becomes === null || !becomes.equals(found.bytes);
  return {
    outcome: {
      ...about,
      action: isChange ? 'remove' : 'none',
      isPristine: isChange && isOnlyOurs,
      diff: isChange ? diffOf(file, found.text, becomes?.toString('utf8')) : '',
    },
    found,
    becomes: isChange ? becomes : undefined,
    record: undefined,
  };
}

/** False if somebody else has written the file meanwhile. */
function write({ records }: HookSurroundings, { place, file }: One, { found, becomes, record }: Plan): boolean {
  const path = found?.path ?? file;
  if (becomes === undefined) {
    if (record === undefined) records.remove(path);
    return true;
  }
  const known = records.find(path);
  try {
    if (record !== undefined) records.write(record);
    if (becomes === null) {
      if (readText(file)?.hash !== found?.hash) throw new ChangedMeanwhile();
      rmSync(path);
      removeEmpty(dirname(path));
    } else put(place, { file, path, found, becomes });
  } catch (error) {
    if (known !== undefined) records.write(known);
    else if (record !== undefined) records.remove(path);
    if (error instanceof ChangedMeanwhile) return false;
    throw toDiskError(error, { file, failure: 'cannot be written', code: 'client_config_unwritable' });
  }
  if (record === undefined) records.remove(path);
  // Earlier questions say nothing of this hook, which the client may not trust.
  forgetHookSeen(records.path, place.client);
  return true;
}

class ChangedMeanwhile extends Error {}

function put(
  { form }: HookPlace,
  {
    file,
    path,
    found,
    becomes,
  }: { readonly file: string; readonly path: string; readonly found: FoundText | undefined; readonly becomes: Buffer },
): void {
  makePrivateFolder(dirname(path));
  const stats = found === undefined ? undefined : statSync(path);
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw Object.assign(new Error('read-only'), { code: 'EACCES' });
  const mode = stats === undefined ? (form.kind === 'file' && form.isExecutable ? 0o700 : 0o600) : stats.mode & 0o7777;
  writeAtomically(path, becomes, {
    mode,
    owner: stats && { uid: stats.uid, gid: stats.gid },
    beforeReplacing() {
      if (readText(file)?.hash !== found?.hash) throw new ChangedMeanwhile();
    },
  });
}

/** A folder that was made for our file alone goes with it. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds more.
  }
}

interface FoundText {
  /** Real path. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly text: string;
}

/** @throws ClawaiError `client_config_unreadable` */
function readText(file: string): FoundText | undefined {
  try {
    const path = realpathSync.native(file);
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) throw new ClawaiError(`${file} is not UTF-8 text`, { code: 'client_config_unreadable', place: { file } });
    return { path, bytes, hash: sha256(bytes), text: bytes.toString('utf8') };
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'client_config_unreadable' });
  }
}

function offElsewhere({ alsoOff = [] }: HookPlace, { machine, project }: HookSurroundings): string | undefined {
  const found = alsoOff.find(({ file, pattern }) => {
    const path = resolvePath(file, machine, project);
    return path !== undefined && pattern.test(readText(pathsOf(machine).join(path.base, ...path.segments))?.text ?? '');
  });
  return found?.name;
}

function fileOf({ file }: HookPlace, machine: Machine): string | undefined {
  const path = resolvePath(file, machine, undefined);
  return path && pathsOf(machine).join(path.base, ...path.segments);
}

function hasTraces({ traces, file }: HookPlace, machine: Machine): boolean {
  const templates = Array.isArray(traces) ? (traces as readonly string[]) : [];
  const isThere = templates.some((template) => {
    const path = resolvePath([template], machine, undefined);
    return path !== undefined && existsSync(pathsOf(machine).join(path.base, ...path.segments));
  });
  return isThere || findFiles(file, machine, []).length > 0;
}

function stateOf(place: HookPlace, text: string | undefined, program: HookProgram): Pick<HookStanding, 'state' | 'off'> {
  const { client, form } = place;
  if (text === undefined || (form.kind === 'list' && text.trim() === '')) return { state: 'none', off: undefined };
  if (form.kind === 'file') {
    const state = text === form.content(program) ? 'current' : isOwnFile(text) ? 'other' : 'none';
    return { state, off: undefined };
  }
  const read = readHook(text, { client, form }, program);
  if (!read.ok) throw unreadable(place, read.problem);
  return read;
}

function textWithHook({ client, form, ...place }: HookPlace, text: string | undefined, program: HookProgram): string {
  if (form.kind === 'file') return form.content(program);
  if (text === undefined || text.trim() === '') {
    const hooks = Object.fromEntries(form.events.map((event) => [event, [form.entry(program)]]));
    return `${JSON.stringify({ ...form.base, hooks }, undefined, 2)}\n`;
  }
  const edited = addHook(text, { client, form }, program);
  if (!edited.ok) throw unreadable({ client, form, ...place }, edited.problem);
  return edited.text;
}

/** Null if the file goes. */
function withoutHook(place: HookPlace, text: string): Buffer | null {
  const { client, form } = place;
  if (form.kind === 'file') return isOwnFile(text) ? null : Buffer.from(text);
  if (text.trim() === '') return Buffer.from(text);
  const edited = removeHook(text, { client, form });
  if (!edited.ok) throw unreadable(place, edited.problem);
  return Buffer.from(edited.text);
}

function unreadable({ name }: HookPlace, { message, line, column }: JsonProblem): ClawaiError {
  return new ClawaiError(`the hooks of ${name}, line ${line}, column ${column}: ${message}`, {
    code: 'client_config_unreadable',
    hint: 'repair the file, and run this again',
  });
}

function diffOf(file: string, before: string | undefined, after: string | undefined): string {
  const masked = (text = ''): string => maskConfig(text, () => false);
  return unifiedDiff(file, masked(before), masked(after));
}
