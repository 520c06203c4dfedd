import { existsSync } from 'node:fs';
import { findLauncher, ownInstallation } from '../../wrap/launcher.ts';
import { VERSION } from '../machine/version.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { desktopFolders, findProgram } from './desktop-environment.ts';

/** What runs now, and what clients are to start. */
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
