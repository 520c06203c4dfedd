import { readPlainFile } from '../../config/read-plain-file.ts';
import type { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { resolveTarget } from '../../wrap/resolve-target.ts';

export interface PolicyTexts {
  readonly before: string;
  readonly after: string;
}

/**
 * Puts a new text in the place of a policy's, if it still has the one that the change was worked out for.
 *
 * @param toChanged makes the error where it has not
 * @throws ClawaiError where it has changed, or can't be read or written
 */
export function rewritePolicy(file: string, { before, after }: PolicyTexts, toChanged: () => ClawaiError): void {
  // A link stays one; what it leads to is changed.
  const { path, stats } = resolveTarget(file);
  writeAtomically(path, Buffer.from(after), {
    mode: Number(stats.mode) & 0o777,
    owner: { uid: Number(stats.uid), gid: Number(stats.gid) },
    beforeReplacing: () => {
      if (readPlainFile(path).text !== before) throw toChanged();
    },
  });
}
