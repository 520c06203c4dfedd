import { spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../host/disk.ts';
import { tryRealPath } from '../../host/real-path.ts';

const PATIENCE_MS = 5000;

/** Tells whether git tracks a file, `unknown` if it may. */
export type IsTracked = (file: string) => boolean | 'unknown';

/** Answers like `isTracked`, and asks git once about each file: starting it takes longer than all else about a file. */
export function askOnce(): IsTracked {
  const answers = new Map<string, ReturnType<IsTracked>>();
  return (file) => {
    const answer = answers.get(file) ?? isTracked(file);
    answers.set(file, answer);
    return answer;
  };
}

/**
 * Tells whether git tracks this file, so that its content reaches other machines. `unknown` if it may be: it is in a repository, and git is
 * missing, refuses, or fails. The target of a link is checked too.
 */
export function isTracked(file: string): boolean | 'unknown' {
  const answers = [...new Set([file, tryRealPath(file) ?? file])].map(askAbout);
  return answers.includes(true) || (answers.includes('unknown') ? 'unknown' : false);
}

/** Asks git, which lists a tracked file and prints nothing for others; an error tells neither. */
function askAbout(file: string): boolean | 'unknown' {
  const folder = dirname(file);
  if (!isInRepository(folder)) return false;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  // The folder may be anybody's: git must not start the file watcher that its settings name.
  const args = ['-c', 'core.fsmonitor=false', '-C', folder, 'ls-files', '-z', '--', `:(literal)${basename(file)}`];
  const { status, stdout } = spawnSync('git', args, { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: PATIENCE_MS });
  return status === 0 ? stdout.length > 0 : 'unknown';
}

/** Looks for `.git`, which is a hundred times as fast as asking git. (In a worktree it is a file.) */
function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return mayBeThere(join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}

function mayBeThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A folder that we can't read may contain one.
    return codeOf(error) !== 'ENOTDIR';
  }
}
