import { isUtf8 } from 'node:buffer';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { PolicyError, PolicySyntaxError } from '../core/policy/types.ts';
import { ClawaiError, type Fault } from '../errors.ts';
import type { FileNoun } from './find-file.ts';

/** Opens a pipe without waiting for its writer. (Windows has no such flag.) */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface PlainFile {
  readonly text: string;
  /** The metadata of the very file that was read, from before the read. */
  readonly stats: BigIntStats;
}

/**
 * Reads the text of a TOML file.
 *
 * @throws ClawaiError `<noun>_not_found`, `<noun>_unreadable`, or `<noun>_syntax` if it is not UTF-8.
 */
export function readTomlText(noun: FileNoun, file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw toReadError(noun, file, error);
  }
  if (isUtf8(bytes)) return bytes.toString();
  throw toNotText(noun, file);
}

/** Builds the error for a file that is not UTF-8: `<noun>_syntax` with one fault. Replacing bytes would silently change a pattern. */
export function toNotText(noun: FileNoun, file: string): ClawaiError {
  return toFaultyFile(`${noun}_syntax`, file, [
    { place: { file }, message: `the ${noun} file is not UTF-8 text`, hint: `save the ${noun} as UTF-8` },
  ]);
}

/** Builds the error for a directory, pipe or device in a file's place: `<noun>_unreadable`. */
function toNotFile(noun: FileNoun, file: string, isDirectory: boolean): ClawaiError {
  const what = isDirectory ? 'a directory' : 'a pipe or a device';
  const hint = isDirectory ? 'name the .toml file in it' : `the ${noun} has to be a file`;
  return new ClawaiError(`the ${noun} is ${what}, not a file`, { code: `${noun}_unreadable`, place: { file }, hint });
}

/** Builds the error for a text that is not TOML: `<noun>_syntax` with one fault. */
export function toSyntaxError(noun: FileNoun, file: string, { line, column, message, hint }: PolicySyntaxError): ClawaiError {
  return toFaultyFile(`${noun}_syntax`, file, [{ place: { file, line, column }, message, hint }]);
}

/** Builds the error for valid TOML with invalid content: `<noun>_invalid` with a fault for each error, in the order of the file. */
export async function toMeaningError(
  noun: FileNoun,
  { file, text }: { readonly file: string; readonly text: string },
  errors: readonly PolicyError[],
): Promise<ClawaiError> {
  const { locate } = await import('../core/policy/locate.ts');
  const placed = errors
    .map(({ path, message, hint }) => ({ place: { file, ...locate(text, path) }, message, hint }))
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  return toFaultyFile(`${noun}_invalid`, file, placed);
}

/** Builds the error for a file that the operating system can't read: `<noun>_not_found` or `<noun>_unreadable`. */
export function toReadError(noun: FileNoun, file: string, cause: unknown): ClawaiError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const place = { file };
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new ClawaiError(`there is no such ${noun} file`, { code: `${noun}_not_found`, place, hint: 'check the path', cause });
  }
  if (code === 'EISDIR') return toNotFile(noun, file, true);
  if (code === 'EACCES' || code === 'EPERM') {
    const hint = 'make it readable for the user that runs clawai';
    return new ClawaiError(`there is no permission to read the ${noun} file`, { code: `${noun}_unreadable`, place, hint, cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ClawaiError(`the ${noun} file cannot be read: ${reason}`, { code: `${noun}_unreadable`, place, cause });
}

function toFaultyFile(code: `${FileNoun}_syntax` | `${FileNoun}_invalid`, file: string, faults: readonly Fault[]): ClawaiError {
  return new ClawaiError(`${file}: ${faults.length} error${faults.length === 1 ? '' : 's'}`, { code, faults });
}

/**
 * Reads a policy that is used for as long as a server runs, and checked again and again. It must be a file, and reading never blocks,
 * whatever is there.
 *
 * @throws ClawaiError `policy_not_found`, `policy_unreadable`, or `policy_syntax` if it is not UTF-8
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
