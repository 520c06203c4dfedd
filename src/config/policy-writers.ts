import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Permission to write for the group and for everybody; the bit of folders in which only owners replace their files. */
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * The path through which others than the user could change a policy: the file, or the folder in which they could put another in its
 * place. Undefined where there is none, and on Windows, whose permissions are not told by modes. Never throws.
 */
export function findOpenPath(file: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    if ((statSync(file).mode & OTHERS_WRITE) !== 0) return file;
    const folder = dirname(file);
    const { mode } = statSync(folder);
    return (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0 ? folder : undefined;
  } catch {
    // Gone meanwhile, which is told elsewhere.
    return undefined;
  }
}
