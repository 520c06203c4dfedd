import { basename, dirname, resolve } from 'node:path';
import { formatPolicy } from '../../config/format-policy.ts';
import { readTomlText } from '../../config/toml-file.ts';
import { PROJECT_FOLDER } from '../../core/self/own-paths.ts';
import { ClawaiError } from '../../errors.ts';
import { nameOfFile, readStdinPolicy } from '../terminal/stdin.ts';

/** A policy that was read, and what becomes of it. */
export interface Target {
  /** As it was named, or `<stdin>`. */
  readonly file: string;
  readonly before: string;
  /** The same text where it is formatted already. */
  readonly after: string;
}

/** What could be read, or what is wrong with it; `text` is what its faults are about, where it is any. */
export type TargetResult =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly file: string; readonly text: string; readonly error: ClawaiError };

/** Reads and formats a policy. `-` is stdin. One in a folder `.clawai` is a project's, whoever says so. */
export async function readTarget(name: string, isProject: boolean): Promise<TargetResult> {
  const file = nameOfFile(name);
  let text = '';
  try {
    text = name === '-' ? await readStdinPolicy() : readTomlText('policy', name);
    const isInProject = name !== '-' && basename(dirname(resolve(name))) === PROJECT_FOLDER;
    const formatted = await formatPolicy(text, { file, isProject: isProject || isInProject });
    if (formatted.ok) return { ok: true, target: { file, before: text, after: formatted.text } };
    const error = new ClawaiError(`the policy cannot be formatted: ${formatted.reason}`, {
      code: 'policy_unreadable',
      place: { file },
      hint: 'nothing was written; please report this, with the policy if you may',
    });
    return { ok: false, file, text, error };
  } catch (error) {
    if (error instanceof ClawaiError) return { ok: false, file, text, error };
    throw error;
  }
}
