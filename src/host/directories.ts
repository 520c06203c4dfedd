import { existsSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';

/** The facts that decide where our files lie. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Home directory of the user. */
  readonly home: string;
}

/**
 * Returns the folder of the user's configuration: `$XDG_CONFIG_HOME/clawai`, by default `~/.config/clawai`; on Windows `%APPDATA%\clawai`.
 */
export function configDirectory(machine: Machine): string {
  return ourFolder(machine, {
    posix: { variable: 'XDG_CONFIG_HOME', fallback: ['.config'] },
    windows: { variable: 'APPDATA', fallback: ['AppData', 'Roaming'] },
  });
}

/**
 * Returns the folder of clawai's state: `$XDG_STATE_HOME/clawai`, by default `~/.local/state/clawai`; on Windows `%LOCALAPPDATA%\clawai`.
 */
export function stateDirectory(machine: Machine): string {
  return ourFolder(machine, {
    posix: { variable: 'XDG_STATE_HOME', fallback: ['.local', 'state'] },
    windows: { variable: 'LOCALAPPDATA', fallback: ['AppData', 'Local'] },
  });
}

interface Folder {
  readonly variable: string;
  /** Below the home directory. */
  readonly fallback: readonly string[];
}

/**
 * Builds a folder's path. An empty or relative variable is ignored, as the XDG specification demands: it would mean another folder to every
 * process.
 */
function ourFolder({ env, platform, home }: Machine, folders: Readonly<Record<'posix' | 'windows', Folder>>): string {
  const isWindows = platform === 'win32';
  const { variable, fallback } = isWindows ? folders.windows : folders.posix;
  const value = env[variable] ?? '';
  const isAbsolute = isWindows ? win32.isAbsolute : posix.isAbsolute;
  return join(isAbsolute(value) ? value : join(home, ...fallback), 'clawai');
}

/** Returns this package's folder, the nearest above this file that has a package.json; the bundle is at another depth than the sources. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
    folder = parent;
  }
  return folder;
}
