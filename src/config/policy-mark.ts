import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../host/make-folder.ts';

/**
 * The file in the state folder that lists the paths at which the user once had a policy, each as a line of JSON. The shipped default is for
 * users who never had one: removing a policy, by mistake or not, must not lead to a more permissive one.
 */
const MARK = 'policies-seen';

/** Tells whether a policy at this path was ever in use. */
export function hasPolicyMark(stateDir: string, file: string): boolean {
  const mark = join(stateDir, MARK);
  // Nearly nobody has a mark, and an exception would cost the most.
  if (!existsSync(mark)) return false;
  try {
    return readFileSync(mark, 'utf8').split('\n').includes(JSON.stringify(file));
  } catch {
    // An unreadable mark means that there was a policy; perhaps not this one, but doubt counts against the call.
    return true;
  }
}

/** Notes that a policy at this path is in use. Throws the operating system's errors. */
export function leavePolicyMark(stateDir: string, file: string): void {
  if (hasPolicyMark(stateDir, file)) return;
  makePrivateFolder(stateDir);
  // One write per line keeps processes that start at the same time from mixing theirs.
  appendFileSync(join(stateDir, MARK), `${JSON.stringify(file)}\n`, { mode: 0o600 });
}
