import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../host/directories.ts';

/** How a client shall start clawai. */
export interface Launcher {
  /** The words before `proxy`: `[node, entry]` with absolute paths, or `[clawai]` where every program finds that. */
  readonly words: readonly string[];
  /** Why these paths may not last, as a sentence without full stop. */
  readonly warning?: string | undefined;
}

export interface LauncherOptions {
  readonly platform: NodeJS.Platform;
  /** The Node that runs now, which is a fit one. */
  readonly node: string;
  /** The entry of this installation, absolute. */
  readonly entry: string;
  /** Folders that every program has in its search path; for tests. */
  readonly everyonesFolders?: readonly string[] | undefined;
  /** Links to a Node that stay when it is upgraded; for tests. */
  readonly lastingNodes?: readonly string[] | undefined;
}

/** In the search path of every program, also of one started from a desktop (macOS gives those no more than /usr/bin:/bin:/usr/sbin:/sbin). */
const EVERYONES_FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/usr/bin', '/bin'],
  linux: ['/usr/local/bin', '/usr/bin', '/bin'],
};

/** Where package managers keep a link to the Node that they installed in a folder named after its version. */
const LASTING_NODES = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node', '/home/linuxbrew/.linuxbrew/bin/node'];

/** The entry and the Node of the clawai that runs now. */
export function ownInstallation(): Pick<LauncherOptions, 'platform' | 'node' | 'entry'> {
  return { platform: process.platform, node: process.execPath, entry: join(packageRoot(), 'bin', 'clawai.mjs') };
}

/**
 * How clients shall start this clawai: by name where each of them would find this installation and a fit Node with it, otherwise by
 * absolute paths, since a desktop app does not have the shell's search path. Of several paths to this Node, one that stays when it
 * is upgraded.
 */
export function findLauncher(options: LauncherOptions): Launcher {
  const { platform, node, entry } = options;
  const folders = options.everyonesFolders ?? EVERYONES_FOLDERS[platform] ?? [];
  const nodeFile = realPath(node) ?? node;
  if (isFirst('clawai', folders, realPath(entry)) && isFirst('node', folders, nodeFile)) return { words: ['clawai'] };
  const lasting = platform === 'win32' ? [] : (options.lastingNodes ?? LASTING_NODES);
  const words = [lasting.find((path) => realPath(path) === nodeFile) ?? node, entry];
  return { words, warning: warningAbout(entry) };
}

/** Is the first program of that name in these folders this very file? */
function isFirst(name: string, folders: readonly string[], file: string | undefined): boolean {
  if (file === undefined) return false;
  for (const folder of folders) {
    const found = realPath(join(folder, name));
    if (found !== undefined) return found === file;
  }
  return false;
}

function warningAbout(entry: string): string | undefined {
  if (!/[\\/]_npx[\\/]/.test(entry)) return undefined;
  return 'clawai runs from the cache of npx, which may be emptied at any time; install it with `npm install --global clawai` first';
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Nothing is there.
    return undefined;
  }
}
