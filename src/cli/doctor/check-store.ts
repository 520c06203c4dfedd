import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openStoreReader } from '../../store/read-open.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { toFailures } from './check-settings.ts';

/** Can it be read, and may calls be recorded in it? A call that can't be recorded is denied. */
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
    if (count === undefined) return [ok('store', `${file}: none yet, it is made by the first call`)];
    return [ok('store', `${file}: ${count} event${count === 1 ? '' : 's'}`)];
  } catch (error) {
    return toFailures('store', error);
  }
}

/**
 * Do desktop apps, which have no shell's variables, write the store that this shell reads?
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
