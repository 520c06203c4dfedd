import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, linkSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of a key: as long as what SHA-256 gives. */
const LENGTH = 32;

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Where the key lies, in the folder that clawai keeps its state in. */
export function keyFile(stateDirectory: string): string {
  return join(stateDirectory, 'approval.key');
}

/**
 * The key that fingerprints of calls are made with, which all processes of a user share. It is made where there is none, so that only
 * the user can read it; the folder must be there.
 *
 * @throws what the operating system reports, or an error where something else than a key of ours is there
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

/** Written aside first, so that nobody ever reads half a key; of several processes that make one at once, the first one's stays. */
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

/** Says which file could not be made; the name aside is another each time, and says nothing. */
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
