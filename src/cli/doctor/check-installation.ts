import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findLauncher, ownInstallation } from '../../wrap/launcher.ts';
import { schemaState } from '../init/init-config.ts';
import { VERSION } from '../machine/version.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** Checks the clawai that runs now, and the one that clients are to start. */
export function checkInstallation(): readonly Check[] {
  const own = ownInstallation();
  const { words, warning } = findLauncher(own);
  return [
    ok('version', `clawai ${VERSION}`),
    // An unfit one would not have come this far: the launcher looks for a fit one and runs that.
    ok('node', `${process.version}, ${own.node}`),
    checkEntry(own.entry),
    ...(warning === undefined ? [] : [warn('installation', warning)]),
    words.length === 1
      ? ok('command', 'wrapped servers start `clawai` by name, which desktop apps find')
      : ok('command', `wrapped servers start it by absolute paths, ${whyAbsolute(own.platform)}`),
  ];
}

function checkEntry(entry: string): Check {
  if (existsSync(entry)) return ok('entry', entry);
  return fail('entry', `${entry} is missing`, 'install clawai again');
}

function whyAbsolute(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'since clients find no script by name on Windows';
  const folders = desktopFolders(platform);
  const found = findProgram('clawai', folders);
  if (found === undefined) return `since desktop apps have no \`clawai\` in ${folders.join(':')}`;
  return `since ${found} is not this installation, or has no fit Node beside it`;
}

/** The schemas for editors that `clawai init` has written into this folder; nothing where there are none, or they are this version's. */
export function checkSchemas(folder: string): readonly Check[] {
  if (schemaState(folder) !== 'old') return [];
  return [warn('schemas', `those for editors in ${folder} are not of this version of clawai`, 'clawai init')];
}

/**
 * The folders in which programs started from a desktop look for commands. macOS gives them these four and no shell's settings;
 * desktop sessions of Linux have /usr/local/bin besides.
 */
const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/usr/bin', '/bin', '/usr/sbin', '/sbin'],
  linux: ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'],
};

/** Variables that Windows gives to every program; without these not even Node starts. */
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

interface Surroundings {
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

/** The search path of desktop apps; empty if all programs share one, as on Windows. */
export function desktopFolders(platform: NodeJS.Platform): readonly string[] {
  return FOLDERS[platform] ?? FOLDERS.linux ?? [];
}

/** The first of these folders that has a program of this name. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** True for a file that somebody may execute. */
export function isProgram(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFile() && (process.platform === 'win32' || (stats.mode & 0o111) !== 0);
  } catch {
    // A file that is missing, or that we may not look at, can't be started either.
    return false;
  }
}
