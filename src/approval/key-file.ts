import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, linkSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of a key, as many as SHA-256 returns. */
const LENGTH = 32;

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Returns the path of the key, in clawai's state folder. */
export function keyFile(stateDirectory: string): string {
  return join(stateDirectory, 'approval.key');
}

/**
 * Reads the key for fingerprints of calls, which all processes of a user share. If there is none, it creates one that only the user can
 * read; the folder must exist.
 *
 * @throws the operating system's errors, or an error if the file is not a key of ours
 */
export function readOrMakeKey(file: string): Buffer {
  try {
    return readKey(file);
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
  }
  makeKey(file);
  return readKey(file);
}

function readKey(file: string): Buffer {
  const descriptor = openSync(file, READ);
  try {
    const found = fstatSync(descriptor);
    const isOurs = process.getuid === undefined || found.uid === process.getuid();
    const isPrivate = process.platform === 'win32' || (found.mode & 0o077) === 0;
    if (!found.isFile() || found.size !== LENGTH || !isOurs || !isPrivate) {
      throw new Error(`${file} is not a key that only you can read; remove it, and clawai makes a new one`);
    }
    const key = Buffer.alloc(LENGTH);
    if (readSync(descriptor, key) !== LENGTH) throw new Error(`${file} could not be read completely`);
    return key;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes the key to a temporary file first, so that nobody reads half a key. If several processes create one at once, the first one's
 * stays.
 */
function makeKey(file: string): void {
  const aside = `${file}.${randomBytes(8).toString('hex')}`;
  const descriptor = create(aside, file);
  try {
    writeSync(descriptor, randomBytes(LENGTH));
  } finally {
    closeSync(descriptor);
  }
  try {
    linkSync(aside, file);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Creates the temporary file. Its error names the real file, since the temporary name is random. */
function create(aside: string, file: string): number {
  try {
    return openSync(aside, CREATE, 0o600);
  } catch (thrown) {
    throw new Error(`${file} could not be made (${String(codeOf(thrown))})`, { cause: thrown });
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}
