import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

import { ClawaiError } from '../errors.ts';
import { configDirectory, type Machine } from '../host/directories.ts';

/** The kinds of files that users write, as messages call them. */
export type FileNoun = 'policy' | 'config';

const VARIABLES = { policy: 'CLAWAI_POLICY', config: 'CLAWAI_CONFIG' } as const;

export interface FindFileOptions extends Machine {
  /** The value of `--policy` or `--config`. */
  readonly flag?: string | undefined;
}

/** `isThere` can only be false for the user's default file: a named file must exist. */
export interface FoundFile {
  readonly file: string;
  readonly source: '--policy' | '--config' | '$CLAWAI_POLICY' | '$CLAWAI_CONFIG' | 'user';
  readonly isThere: boolean;
}

/**
 * Finds a file: the one that the flag names, else `$CLAWAI_POLICY` or `$CLAWAI_CONFIG`, else `policy.toml` or `config.toml` in the user's
 * `configDirectory`. A named file must exist: there is no fallback.
 *
 * @throws ClawaiError `policy_not_found` or `config_not_found` for a named file that does not exist.
 */
export function findFile(noun: FileNoun, { flag, env, platform, home }: FindFileOptions): FoundFile {
  const variable = env[VARIABLES[noun]];
  if (flag !== undefined) return takeNamed(noun, flag, `--${noun}`);
  // An empty variable counts as unset, as in other programs.
  if (variable !== undefined && variable !== '') return takeNamed(noun, variable, `$${VARIABLES[noun]}`);
  const file = join(configDirectory({ env, platform, home }), `${noun}.toml`);
  return { file, source: 'user', isThere: isThere(file) };
}

/**
 * Tells whether something of that name exists. A dangling link or an inaccessible folder counts as existing: reading it will report why it
 * fails, while ignoring it would skip the user's file.
 */
function isThere(file: string): boolean {
  try {
    // The file is usually missing, and an exception would cost the most.
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

function takeNamed(noun: FileNoun, file: string, source: FoundFile['source']): FoundFile {
  if (file !== '' && existsSync(file)) return { file, source, isThere: true };
  throw new ClawaiError(`${source} names a ${noun} that does not exist`, {
    code: `${noun}_not_found`,
    place: { file: file === '' ? '(empty)' : file },
    hint: 'name an existing .toml file',
  });
}
