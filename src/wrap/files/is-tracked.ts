import { spawnSync } from 'node:child_process';
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../host/disk.ts';

const PATIENCE_MS = 5000;

/**
 * Is this file under version control (git), so that what is written in it reaches other machines? `unknown` where it may be: it is in a
 * repository, and git is missing, refuses, or fails. What a link leads to is looked at, too.
 */
export function isTracked(file: string): boolean | 'unknown' {
  const answers = [...new Set([file, targetOf(file)])].map(askAbout);
  return answers.includes(true) || (answers.includes('unknown') ? 'unknown' : false);
}

/** Git says so by listing the file, and that it is not by listing nothing; an error says neither. */
function askAbout(file: string): boolean | 'unknown' {
  const folder = dirname(file);
  if (!isInRepository(folder)) return false;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  // The folder may be anybody's: git must not start the file watcher that its settings name.
  const args = ['-c', 'core.fsmonitor=false', '-C', folder, 'ls-files', '-z', '--', `:(literal)${basename(file)}`];
  const { status, stdout } = spawnSync('git', args, { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: PATIENCE_MS });
  return status === 0 ? stdout.length > 0 : 'unknown';
}

function targetOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    // It leads nowhere, which whoever reads it is told.
    return file;
  }
}

/** Looking is a hundred times as fast as asking git. (A worktree has a file of that name.) */
function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return mayBeThere(join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}

function mayBeThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A folder that we may not look into may have one.
    return codeOf(error) !== 'ENOTDIR';
  }
}
