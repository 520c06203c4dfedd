import { lstatSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { ClawaiError } from '../../errors.ts';
import { codeOf, toDiskError } from '../../host/disk.ts';

/** The file that a config's path leads to, through any links. */
export interface Target {
  readonly path: string;
  readonly stats: BigIntStats;
}

/**
 * Follows the links of a config's path to the file that has its bytes.
 *
 * @throws ClawaiError `client_config_unreadable` where there is none: missing, a link that leads nowhere or in a circle, no file
 */
export function resolveTarget(file: string): Target {
  try {
    const path = realpathSync.native(file);
    const stats = statSync(path, { bigint: true });
    if (stats.isFile()) return { path, stats };
    throw new ClawaiError(`${file} is not a file`, { code: 'client_config_unreadable', place: { file } });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && isLink(file)) {
      throw new ClawaiError(`${file} is a link that leads nowhere`, {
        code: 'client_config_unreadable',
        place: { file },
        hint: 'remove the link, or create the file that it leads to',
        cause: error,
      });
    }
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'client_config_unreadable' });
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
