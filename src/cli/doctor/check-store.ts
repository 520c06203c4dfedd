import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { ClawaiError } from '../../errors.ts';
import { toDiskError } from '../../host/disk.ts';
import { openWriter } from '../../store/open-writer.ts';
import { isPlainFile } from '../../store/private-file.ts';
import { openStoreReader } from '../../store/reading/read-open.ts';
import { toWriteFault } from '../../store/write-fault.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { toFailures } from './check-settings.ts';

/** Checks that the store can be read, and calls be recorded in it. A call that can't be recorded is denied. */
export function checkStore(file: string): readonly Check[] {
  try {
    const reader = openStoreReader(file);
    const count = reader?.count();
    reader?.close();
    const refused = whatRefuses(file);
    if (refused !== undefined) {
      const todo = 'see that it belongs to you, and that its disk may be written';
      return [fail('store', `${refused} may not be written, so every call would be denied`, todo)];
    }
    const folder = nearestFolder(dirname(file));
    if (!statSync(folder).isDirectory()) {
      const todo = 'set state_dir in config.toml to a folder, or move the file away';
      return [fail('store', `${folder} is no folder, so no store can be made below it, and every call would be denied`, todo)];
    }
    if (count !== undefined && !isPlainFile(file)) {
      const beside = ['-wal', '-shm', '-journal'].map((suffix) => basename(file) + suffix).join(', ');
      return [fail('store', `${file} cannot be used: one of ${beside} beside it is no file`, 'move it away')];
    }
    const fault = tryOut(file, folder);
    if (fault !== undefined) return fault;
    const events = `${count} event${count === 1 ? '' : 's'}`;
    return [
      ok('store', `${file}: ${count === undefined ? 'none yet, it is made by the first call' : events}`),
      ...checkOwner(dirname(file)),
    ];
  } catch (error) {
    return toFailures('store', error);
  }
}

/**
 * Makes a store for a moment, in a folder of its own and by the same steps as the first call does: of a disk that is full, or a place in which nothing can
 * be made, no permission tells.
 *
 * @param folder the nearest that is there
 */
function tryOut(file: string, folder: string): readonly Check[] | undefined {
  let trial: string | undefined;
  try {
    trial = mkdtempSync(join(folder, '.clawai-doctor-'));
    openWriter({ file: join(trial, relative(folder, file)), sync: 'normal' }).close();
    return undefined;
  } catch (thrown) {
    const tried = trial === undefined ? file : join(trial, relative(folder, file));
    const fault = isSystemError(thrown)
      ? toDiskError(thrown, { file, failure: 'cannot be created', code: 'store_unavailable' })
      : toWriteFault(tried, thrown);
    if (!(fault instanceof ClawaiError)) throw thrown;
    // The message names the store itself: the folder of the trial is gone by then.
    const text = fault.message.replaceAll(tried, file);
    return [fail('store', `${text}, so every call would be denied`, fault.hint ?? ELSEWHERE)];
  } finally {
    if (trial !== undefined) rmSync(trial, { recursive: true, force: true });
  }
}

const ELSEWHERE = 'set state_dir in config.toml to a folder on a local disk';

function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}

/** Warns of a folder of another user, who can put another store in the place of this one. */
function checkOwner(folder: string): readonly Check[] {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (process.getuid === undefined || owner === undefined || owner === process.getuid()) return [];
  const text = `${folder} belongs to another user, who can change or remove what is recorded`;
  return [warn('store', text, 'set state_dir in config.toml to a folder of your own')];
}

/**
 * Checks that desktop apps, which have no shell's variables, write the store that this shell reads.
 *
 * @param here the store by this environment
 * @param there by that of a desktop app
 */
export function checkOneStore(here: string, there: string): readonly Check[] {
  if (here === there) return [];
  const text = `servers of desktop apps record in ${there}, while commands in this shell read ${here}`;
  return [warn('store', text, 'set state_dir in config.toml, which both read, instead of a variable in the shell')];
}

/** The first that would be written and may not be: SQLite writes the file and others beside it. */
function whatRefuses(file: string): string | undefined {
  const folder = nearestFolder(dirname(file));
  return [file, folder].find((path) => existsSync(path) && !mayWrite(path));
}

function nearestFolder(folder: string): string {
  const above = dirname(folder);
  return existsSync(folder) || above === folder ? folder : nearestFolder(above);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
