import { join } from 'node:path';
import { packageRoot } from '../host/directories.ts';
import { tryRealPath } from '../host/real-path.ts';

/** The way in which a client shall start clawai. */
export interface Launcher {
  /** The words before `proxy`: `[node, entry]` with absolute paths, or `[clawai]` if every program finds that. */
  readonly words: readonly string[];
  /** The reason why these paths may not last, as a sentence without full stop. */
  readonly warning?: string | undefined;
}

export interface LauncherOptions {
  readonly platform: NodeJS.Platform;
  /** The Node that runs now, whose version is supported. */
  readonly node: string;
  /** Absolute path of this installation's entry file. */
  readonly entry: string;
  /** Folders that every program has in its search path; for tests. */
  readonly everyonesFolders?: readonly string[] | undefined;
  /** Links to a Node that survive its upgrade; for tests. */
  readonly lastingNodes?: readonly string[] | undefined;
}

/** Folders in the search path of every program, even one started from a desktop (macOS gives those only /usr/bin:/bin:/usr/sbin:/sbin). */
const EVERYONES_FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/usr/bin', '/bin'],
  linux: ['/usr/local/bin', '/usr/bin', '/bin'],
};

/** Links of package managers to the Node that they installed in a folder named after its version. */
const LASTING_NODES = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node', '/home/linuxbrew/.linuxbrew/bin/node'];

/** Returns the entry file and the Node of the running clawai. */
export function ownInstallation(): Pick<LauncherOptions, 'platform' | 'node' | 'entry'> {
  return { platform: process.platform, node: process.execPath, entry: join(packageRoot(), 'bin', 'clawai.mjs') };
}

/**
 * Finds how clients shall start this clawai: by name if all of them would find this installation and a supported Node, else by absolute
 * paths, since a desktop app lacks the shell's search path. Of several paths to this Node, it prefers one that survives an upgrade.
 */
export function findLauncher(options: LauncherOptions): Launcher {
  const { platform, node, entry } = options;
  const folders = options.everyonesFolders ?? EVERYONES_FOLDERS[platform] ?? [];
  const nodeFile = tryRealPath(node) ?? node;
  if (isFirst('clawai', folders, tryRealPath(entry)) && isFirst('node', folders, nodeFile)) return { words: ['clawai'] };
  const lasting = platform === 'win32' ? [] : (options.lastingNodes ?? LASTING_NODES);
  const words = [lasting.find((path) => tryRealPath(path) === nodeFile) ?? node, entry];
  return { words, warning: warningAbout(entry) };
}

/** Tells whether the first program of that name in these folders is this very file. */
function isFirst(name: string, folders: readonly string[], file: string | undefined): boolean {
  if (file === undefined) return false;
  for (const folder of folders) {
    const found = tryRealPath(join(folder, name));
    if (found !== undefined) return found === file;
  }
  return false;
}

function warningAbout(entry: string): string | undefined {
  if (!/[\\/]_npx[\\/]/.test(entry)) return undefined;
  return 'clawai runs from the cache of npx, which may be emptied at any time; install it with `npm install --global clawai` first';
}
