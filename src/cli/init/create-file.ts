import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { ClawaiError } from '../../errors.ts';

/**
 * Writes a new file that only the user can read and write, whole or not at all; whatever has that name already stays, also a link
 * that leads nowhere.
 *
 * @returns false where the name was taken
 * @throws ClawaiError `config_unwritable`
 */
export function createFile(file: string, text: string): boolean {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    return takeName(temporary, file, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClawaiError(`the file cannot be written: ${why}`, { code: 'config_unwritable', place: { file }, cause });
  } finally {
    rmSync(temporary, { force: true });
  }
}

function takeName(temporary: string, file: string, text: string): boolean {
  try {
    try {
      // Unlike a rename, this replaces nothing.
      linkSync(temporary, file);
    } catch (error) {
      if (isTaken(error)) throw error;
      // A file system without hard links.
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    }
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
