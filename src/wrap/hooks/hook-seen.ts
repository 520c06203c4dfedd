import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../host/disk.ts';
import { makePrivateFolder } from '../../host/make-folder.ts';

/** Notes that a client has asked its hook. A call is never denied because that can't be noted. @param folder of the records of hooks */
export function noteHookSeen(folder: string, client: string): void {
  const file = join(folder, `${client}.seen`);
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') create(folder, file);
  }
}

function create(folder: string, file: string): void {
  try {
    makePrivateFolder(folder);
    writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // Only `status` would have said it.
  }
}

/** Returns when a client last asked its hook, in milliseconds since the epoch; undefined if it never did. */
export function hookSeen(folder: string, client: string): number | undefined {
  try {
    return statSync(join(folder, `${client}.seen`), { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

export function forgetHookSeen(folder: string, client: string): void {
  rmSync(join(folder, `${client}.seen`), { force: true });
}
