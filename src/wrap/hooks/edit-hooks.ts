import { rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HookPlace, HookProgram } from '../../clients/hook-places.ts';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { toDiskError } from '../../host/disk.ts';
import { takeLock } from '../../host/lock.ts';
import { makePrivateFolder } from '../../host/make-folder.ts';
import { maskConfig } from '../files/mask-config.ts';
import { refuseHardLinks } from '../files/read-config.ts';
import { sha256 } from '../files/state-folder.ts';
import { unifiedDiff } from '../../policy-tools/format/unified-diff.ts';
import type { HookRecord } from './hook-records.ts';
import { forgetHookSeen } from './hook-seen.ts';
import { addHook, isOwnFile, removeHook } from './hook-text.ts';
import { eachFile, type FoundText, type HookSurroundings, readText, stateOf, unreadable } from './read-hooks.ts';

/** Most times that a change is planned anew because somebody wrote the file in between. */
const MAX_ROUNDS = 5;

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
  const plan =
    change === 'install' ? planInstall(around, { place, file, found, known }) : planRemoval({ place, file, found, known });
  if (found !== undefined && plan.becomes instanceof Buffer) refuseHardLinks(file, found.path);
  return plan;
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

function diffOf(file: string, before: string | undefined, after: string | undefined): string {
  const masked = (text = ''): string => maskConfig(text, () => false);
  return unifiedDiff(file, masked(before), masked(after));
}
