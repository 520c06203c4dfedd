import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const PATIENCE_MS = 2000;

/** Is this file under version control (git), so that what is written in it reaches other machines? Without git, nothing is. */
export function isTracked(file: string): boolean {
  if (!isInRepository(dirname(file))) return false;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  // The folder may be anybody's: git must not start the file watcher that its settings name.
  const args = [
    '-c',
    'core.fsmonitor=false',
    '-C',
    dirname(file),
    'ls-files',
    '--error-unmatch',
    '--',
    `:(literal)${basename(file)}`,
  ];
  const { status } = spawnSync('git', args, { env, stdio: 'ignore', timeout: PATIENCE_MS });
  return status === 0;
}

/** Looking is a hundred times as fast as asking git. (A worktree has a file of that name.) */
function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}
