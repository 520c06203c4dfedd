import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a project has its policy, in any of its folders. */
const PROJECT_POLICY = join('.clawai', 'policy.toml');

export interface ProjectPlace {
  /** The folder in which the client started us, absolute: the project is around it. */
  readonly cwd: string;
  readonly home: string;
}

/**
 * The policy of the project that we were started in: `.clawai/policy.toml` in the working directory or the nearest folder above it.
 * The home directory and the root of the disk are nobody's project, and end the search. A name that leads nowhere is found too:
 * reading it says so.
 */
export function findProjectPolicy({ cwd, home }: ProjectPlace): string | undefined {
  const ends = new Set([home, realOf(home)]);
  for (let folder = cwd; !ends.has(folder) && dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, PROJECT_POLICY);
    if (isThere(file)) return file;
  }
  return undefined;
}

/** The working directory has no links in it, and the home may. */
function realOf(home: string): string {
  try {
    return realpathSync.native(home);
  } catch {
    // No such home; then nothing lies in it either.
    return home;
  }
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A folder that can't be entered may have one, and reading it will say so; a file of the folder's name has none.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOTDIR' && code !== 'ENOENT';
  }
}
