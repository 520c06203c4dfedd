import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { ClawaiError } from '../../errors.ts';
import { codeOf, toDiskError } from '../../host/disk.ts';
import { parseLogins, type StoredLogin } from './login.ts';

/** Follows no link, and waits for nobody who writes into a pipe. (Windows lacks both flags.) */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Codes of systems that were told to follow no link, and found one. */
const LINK = new Set(['ELOOP', 'EMLINK']);

/** Returns the path of the file with the logins, in the state folder. */
export function loginFile(stateDir: string): string {
  return join(stateDir, 'logins.json');
}

/** Returns a stamp that changes with the file, its owner and its mode; empty if there is none. It follows no link. Never throws. */
export function loginStamp(stateDir: string): string {
  try {
    const { ino, ctimeNs, size } = lstatSync(loginFile(stateDir), { bigint: true });
    return `${ino}.${ctimeNs}.${size}`;
  } catch {
    // The file is missing or unreadable; reading it reports the reason.
    return '';
  }
}

/**
 * Reads the logins; none if there is no file. One that others could have written is not used: with tokens of somebody else's, the user's
 * calls would be made in that one's name.
 *
 * @throws ClawaiError `remote_state_unusable` or `remote_state_damaged`
 */
export function readLogins(file: string): readonly StoredLogin[] {
  const text = readOwn(file);
  if (text === undefined) return [];
  const logins = parseLogins(text);
  if (logins === undefined) throw unusable(file, 'is damaged: it does not list logins', 'remote_state_damaged');
  return logins;
}

function readOwn(file: string): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, READ);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'ENOENT') return undefined;
    if (LINK.has(code)) throw unusable(file, 'is a link, so the logins in it are not used');
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'remote_state_unusable' });
  }
  try {
    const found = fstatSync(handle);
    const problem = problemOf(found);
    if (problem !== undefined) throw unusable(file, `${problem}, so the logins in it are not used`);
    // A backup that was put back is readable by others, for example.
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) fchmodSync(handle, 0o600);
    return readFileSync(handle, 'utf8');
  } catch (error) {
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'remote_state_unusable' });
  } finally {
    closeSync(handle);
  }
}

function problemOf(found: Stats): string | undefined {
  if (!found.isFile()) return 'is not a file';
  if (process.platform === 'win32') return undefined;
  if (found.uid !== process.getuid?.()) return 'belongs to another user';
  return (found.mode & 0o022) === 0 ? undefined : 'can be written by others';
}

function unusable(
  file: string,
  problem: string,
  code: 'remote_state_unusable' | 'remote_state_damaged' = 'remote_state_unusable',
): ClawaiError {
  return new ClawaiError(`${file} ${problem}`, {
    code,
    place: { file },
    hint: 'remove it, and log in again with `clawai login`',
  });
}
