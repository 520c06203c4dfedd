import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Finds the absolute path of a program on PATH; undefined if there is none. Relative folders are skipped: they differ by project, and an
 * untrusted file may lie there.
 */
export function findProgram(name: string, path: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    if (isExecutable(file)) return file;
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // The file is missing, or not executable for us.
    return false;
  }
}
