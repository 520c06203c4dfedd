import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import type { Machine } from '../../clients/client.ts';
import type { JsonProblem } from '../../clients/edit-json.ts';
import type { HookPlace, HookProgram } from '../../clients/hook-places.ts';
import { findFiles } from '../../clients/locate.ts';
import { pathsOf, resolvePath } from '../../clients/path-templates.ts';
import { ClawaiError } from '../../errors.ts';
import { codeOf, toDiskError } from '../../host/disk.ts';
import { sha256 } from '../files/state-folder.ts';
import type { HookRecords } from './hook-records.ts';
import { hookSeen } from './hook-seen.ts';
import { type HookState, isOwnFile, readHook } from './hook-text.ts';
import { tryRealPath } from '../../host/real-path.ts';

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

/** Tells how each client's hook stands; a client without a file on this platform has none. */
export function readHooks(around: HookSurroundings): readonly HookStanding[] {
  const { machine, records, program } = around;
  const own = records.list();
  return eachFile(around, (place, file) => {
    const isRecorded = own.some(
      (record) => record.client === place.client && (!hasSeveral(place, machine) || record.file === (tryRealPath(file) ?? file)),
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

/** Calls `work` for each file of these clients. @param work `isThere`: false for a pattern that matches none */
export function eachFile<T>(
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

export interface FoundText {
  /** Real path. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly text: string;
}

/** @throws ClawaiError `client_config_unreadable` */
export function readText(file: string): FoundText | undefined {
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

export function stateOf(place: HookPlace, text: string | undefined, program: HookProgram): Pick<HookStanding, 'state' | 'off'> {
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

export function unreadable({ name }: HookPlace, { message, line, column }: JsonProblem): ClawaiError {
  return new ClawaiError(`the hooks of ${name}, line ${line}, column ${column}: ${message}`, {
    code: 'client_config_unreadable',
    hint: 'repair the file, and run this again',
  });
}
