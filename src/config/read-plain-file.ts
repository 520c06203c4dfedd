import { isUtf8 } from 'node:buffer';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { toReadError, toNotFile, toNotText } from './toml-file.ts';

/** A pipe is opened without waiting for whoever writes into it. (Windows has no such flag.) */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface PlainFile {
  readonly text: string;
  /** Of the very file that was read, before that. */
  readonly stats: BigIntStats;
}

/**
 * Reads a policy that is used for as long as a server runs, and looked at again and again: it has to be a file. Never waits, whatever
 * is there.
 *
 * @throws ClawaiError `policy_not_found`, `policy_unreadable`, or `policy_syntax` where it is not UTF-8
 */
export function readPlainFile(file: string): PlainFile {
  let handle: number;
  try {
    handle = openSync(file, READ);
  } catch (error) {
    throw toReadError('policy', file, error);
  }
  try {
    const stats = fstatSync(handle, { bigint: true });
    if (!stats.isFile()) throw toNotFile('policy', file, stats.isDirectory());
    const bytes = readFileSync(handle);
    if (!isUtf8(bytes)) throw toNotText('policy', file);
    return { text: bytes.toString(), stats };
  } finally {
    closeSync(handle);
  }
}
