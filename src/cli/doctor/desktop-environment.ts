import { statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folders in which programs started from a desktop look for commands. macOS gives them these four and no shell's settings;
 * desktop sessions of Linux have /usr/local/bin besides.
 */
const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/usr/bin', '/bin', '/usr/sbin', '/sbin'],
  linux: ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'],
};

/** What Windows gives to every program; without these not even Node starts. */
const WINDOWS_VARIABLES = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
];

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** The least environment in which a desktop app starts a server: on Unix-like systems PATH and HOME alone. */
export function desktopEnvironment({ env, platform, home }: Surroundings): Record<string, string> {
  if (platform !== 'win32') return { PATH: desktopFolders(platform).join(':'), HOME: home };
  const given = Object.entries(env).filter(([name]) => WINDOWS_VARIABLES.includes(name.toUpperCase()));
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Those folders; none where the search path is the same for all programs, as on Windows. */
export function desktopFolders(platform: NodeJS.Platform): readonly string[] {
  return FOLDERS[platform] ?? FOLDERS.linux ?? [];
}

/** The first of these folders that has a program of this name. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Is this a file that somebody may execute? */
export function isProgram(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFile() && (process.platform === 'win32' || (stats.mode & 0o111) !== 0);
  } catch {
    // Nothing is there, or nothing that we may look at: nothing that we could start either.
    return false;
  }
}
