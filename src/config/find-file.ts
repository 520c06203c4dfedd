import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

import { ClawaiError } from '../errors.ts';
import { configDirectory, type Machine } from '../host/directories.ts';

/** The files in which people tell clawai something, by what messages call them. */
export type FileNoun = 'policy' | 'config';

const VARIABLES = { policy: 'CLAWAI_POLICY', config: 'CLAWAI_CONFIG' } as const;

export interface FindFileOptions extends Machine {
  /** The value of `--policy` or `--config`. */
  readonly flag?: string | undefined;
}

/** `isThere` is only ever false of the user's: a file that somebody names must be there. */
export interface FoundFile {
  readonly file: string;
  readonly source: '--policy' | '--config' | '$CLAWAI_POLICY' | '$CLAWAI_CONFIG' | 'user';
  readonly isThere: boolean;
}

/**
 * Where such a file is: what the flag names, else `$CLAWAI_POLICY` or `$CLAWAI_CONFIG`, else `policy.toml` or `config.toml` in the
 * user's `configDirectory`. A name that is given is taken, also when no such file exists: then there is nothing to fall back to.
 *
 * @throws ClawaiError `policy_not_found` or `config_not_found` for a named file that does not exist.
 */
export function findFile(noun: FileNoun, { flag, env, platform, home }: FindFileOptions): FoundFile {
  const variable = env[VARIABLES[noun]];
  if (flag !== undefined) return takeNamed(noun, flag, `--${noun}`);
  // As with other programs, an empty variable is an unset one.
  if (variable !== undefined && variable !== '') return takeNamed(noun, variable, `$${VARIABLES[noun]}`);
  const file = join(configDirectory({ env, platform, home }), `${noun}.toml`);
  return { file, source: 'user', isThere: isThere(file) };
}

/**
 * Is there anything of that name? A link that leads nowhere or a folder that may not be entered is no reason to do without the
 * user's file: it is there, cannot be read, and reading it will say so.
 */
function isThere(file: string): boolean {
  try {
    // That nothing is there is the rule, and making an error of it would be the dearest part.
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
