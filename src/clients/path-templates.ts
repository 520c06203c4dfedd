import { posix, win32, type PlatformPath } from 'node:path';
import type { Location, Machine, PathTemplates, PlatformName } from './client.ts';

/** A path whose segments may still hold `*` and `**`; what its base holds is meant literally. */
export interface PathPattern {
  readonly base: string;
  readonly segments: readonly string[];
}

/** Path functions of the machine, which may not be the one we run on. */
export function pathsOf(machine: Machine): PlatformPath {
  return machine.platform === 'win32' ? win32 : posix;
}

/** Tells whether a file belongs to a project, so that it has a path only if there is one. */
export function needsProject(file: Location['file'], machine: Machine): boolean {
  return templatesOf(file, machine).some((template) => template.startsWith('<project>'));
}

/**
 * The path of a location's file on a machine; undefined if the platform or the variables know no such file, or if it needs a project (an
 * absolute folder) and there is none.
 */
export function resolvePath(file: Location['file'], machine: Machine, project: string | undefined): PathPattern | undefined {
  for (const template of templatesOf(file, machine)) {
    const [first = '', ...segments] = template.split('/');
    const base = baseFolder(first, machine, project);
    if (base !== undefined && pathsOf(machine).isAbsolute(base)) return { base, segments };
  }
  return undefined;
}

function templatesOf(file: Location['file'], machine: Machine): PathTemplates {
  return isList(file) ? file : (file[platformOf(machine)] ?? []);
}

function isList(file: Location['file']): file is PathTemplates {
  return Array.isArray(file);
}

/** Every Unix that is not macOS keeps its files where Linux does. */
function platformOf({ platform }: Machine): PlatformName {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

function baseFolder(name: string, machine: Machine, project: string | undefined): string | undefined {
  if (name.startsWith('$')) return variable(machine, name.slice(1));
  const { home, platform } = machine;
  const { isAbsolute, join } = pathsOf(machine);
  /** A relative value would mean another folder to every process; the clients' own folder then counts. */
  const orElse = (key: string, fallback: string): string => {
    const value = variable(machine, key);
    return value !== undefined && isAbsolute(value) ? value : fallback;
  };
  const config = (): string => orElse('XDG_CONFIG_HOME', join(home, '.config'));
  switch (name) {
    case '':
      return '/';
    case '~':
      return home;
    case '<project>':
      return project;
    case '<config>':
      return config();
    case '<data>':
      if (platform === 'win32') return orElse('APPDATA', join(home, 'AppData', 'Roaming'));
      return platform === 'darwin' ? join(home, 'Library', 'Application Support') : config();
    case '<local>':
      return orElse('LOCALAPPDATA', join(home, 'AppData', 'Local'));
    case '<shared>':
      return orElse('ProgramData', String.raw`C:\ProgramData`);
    case '<programs>':
      return orElse('ProgramFiles', String.raw`C:\Program Files`);
    default:
      return undefined;
  }
}

/** Windows does not tell variables apart by case; a copy of its environment would. */
function variable({ env, platform }: Machine, name: string): string | undefined {
  if (platform !== 'win32') return env[name];
  const match = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return match === undefined ? undefined : env[match];
}
