import { accessSync, constants } from 'node:fs';
import { readTomlText } from '../../config/toml-file.ts';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { toDiskError } from '../../host/disk-error.ts';
import { resolveTarget } from '../../wrap/resolve-target.ts';
import type { Target } from './read-target.ts';

/**
 * Puts a formatted policy in the place of what was read. A link stays one, mode and owner stay, and nobody sees half of it.
 *
 * @throws ClawaiError `config_unwritable`, also where the file is another one by now
 */
export function writeTarget({ file, before, after }: Target): void {
  try {
    const { path, stats } = resolveTarget(file);
    // Who may write the folder could replace it all the same, but has said that it shall stay.
    accessSync(path, constants.W_OK);
    writeAtomically(path, Buffer.from(after), {
      mode: Number(stats.mode) & 0o7777,
      owner: { uid: Number(stats.uid), gid: Number(stats.gid) },
      beforeReplacing: () => {
        if (readTomlText('policy', path) !== before) throw changed(file);
      },
    });
  } catch (error) {
    throw toDiskError(error, { file, failure: 'cannot be written', code: 'config_unwritable' });
  }
}

function changed(file: string): ClawaiError {
  return new ClawaiError('the policy has changed just now, and stays as it is', {
    code: 'config_unwritable',
    place: { file },
    hint: 'run this again',
  });
}
