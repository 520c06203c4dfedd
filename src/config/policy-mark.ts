import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * In the state folder: the paths at which there was a policy of the user's once, each as a line of JSON. The shipped default is for
 * those who never had one; whoever takes a policy away, by mistake or not, gets no more generous one for it.
 */
const MARK = 'policies-seen';

/** Was a policy at this path in use at any time? */
export function hasPolicyMark(stateDir: string, file: string): boolean {
  const mark = join(stateDir, MARK);
  // For nearly everybody there is none, and making an error of that would be the dearest part.
  if (!existsSync(mark)) return false;
  try {
    return readFileSync(mark, 'utf8').split('\n').includes(JSON.stringify(file));
  } catch {
    // There is a mark that can't be read, so there was a policy; perhaps not this one, but doubt counts against the call.
    return true;
  }
}

/** Notes that a policy at this path is in use. Throws what the operating system reports. */
export function leavePolicyMark(stateDir: string, file: string): void {
  if (hasPolicyMark(stateDir, file)) return;
  makeFolder(stateDir);
  // One write of one line: processes that start at the same time don't mix theirs.
  appendFileSync(join(stateDir, MARK), `${JSON.stringify(file)}\n`, { mode: 0o600 });
}

/** One by one: Node's own recursive way tries for ever where a file system says that the folder above is missing, as procfs does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it just now. Where it is something else than a folder, writing into it tells.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
