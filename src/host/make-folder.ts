import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder that only the user can read, and its missing parents.
 *
 * It creates them one by one: Node's recursive mkdir loops for ever on a file system that reports an existing parent as missing, such as
 * procfs.
 *
 * @throws the operating system's errors
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makePrivateFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process created it meanwhile. If the path holds something else, writing into it fails with the reason.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
