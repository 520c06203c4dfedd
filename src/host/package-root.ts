import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of this package, the nearest above this file that has a package.json; it is another number of steps away in
 * the bundle than in the sources.
 */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
    folder = parent;
  }
  return folder;
}
