import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The path of a project's policy, in any of its folders. */
const PROJECT_POLICY = join('.clawai', 'policy.toml');

export interface ProjectPlace {
  /** The folder in which the client started us, absolute; it lies in the project. */
  readonly cwd: string;
  readonly home: string;
}

/**
 * Finds the policy of the project that we were started in: `.clawai/policy.toml` in the working directory or the nearest folder above it.
 * The search ends at the home directory and the root, which are not projects. A dangling link is found too: reading it reports the fault.
 */
export function findProjectPolicy({ cwd, home }: ProjectPlace): string | undefined {
  const ends = new Set([home, realOf(home)]);
  for (let folder = cwd; !ends.has(folder) && dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, PROJECT_POLICY);
    if (isThere(file)) return file;
  }
  return undefined;
}

/** Resolves links in the home path; the working directory has none. */
function realOf(home: string): string {
  try {
    return realpathSync.native(home);
  } catch {
    // The home does not exist, so no policy lies in it.
    return home;
  }
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // An inaccessible folder may contain one, and reading it reports the fault; a file in the folder's place contains none.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOTDIR' && code !== 'ENOENT';
  }
}
