import { isUtf8 } from 'node:buffer';
import { fstatSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { FoundPolicy } from '../../config/policy-file.ts';
import { toNotText } from '../../config/toml-file.ts';
import { ClawaiError, type ErrorCode } from '../../errors.ts';

/** What stdin is called where people are told of it. */
export const STDIN = '<stdin>';

/** What was read: nothing comes a second time, and errors show lines of it. */
let bytes: Buffer | undefined;

/**
 * All of stdin. It is there once, however often it is asked for; `checkStdin` refuses two who want it.
 *
 * @throws ClawaiError of that `code` where it cannot be read
 */
export async function readStdin(code: ErrorCode): Promise<Buffer> {
  try {
    // Node takes a directory for an empty stream, and what is empty is a valid policy.
    if (fstatSync(0).isDirectory()) throw new Error('it is a directory');
    bytes ??= await buffer(process.stdin);
    return bytes;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClawaiError(`stdin cannot be read: ${why}`, { code, place: { file: STDIN }, cause });
  }
}

/** What was read of stdin as a text; undefined where nothing was. */
export function textOfStdin(): string | undefined {
  return bytes?.toString();
}

/** The name of a file for people: `-` is stdin. */
export function nameOfFile(file: string): string {
  return file === '-' ? STDIN : file;
}

/**
 * The text of a policy on stdin.
 *
 * @throws ClawaiError `policy_syntax` where it is not UTF-8, `policy_unreadable`
 */
export async function readStdinPolicy(): Promise<string> {
  const read = await readStdin('policy_unreadable');
  if (isUtf8(read)) return read.toString();
  throw toNotText('policy', STDIN);
}

/** The policy on stdin, as one that was found. Throws ClawaiError as `readStdinPolicy`. */
export async function findStdinPolicy(): Promise<FoundPolicy> {
  return { kind: 'file', file: STDIN, source: '--policy', text: await readStdinPolicy() };
}

/**
 * Refuses a command line on which two ask for stdin, by the names of what asks: the first would leave nothing for the other.
 *
 * @throws ClawaiError `usage`
 */
export function checkStdin(asking: Readonly<Record<string, string | undefined>>): void {
  const [first, second] = Object.keys(asking).filter((name) => asking[name] === '-');
  if (first === undefined || second === undefined) return;
  const message = `${first} and ${second} both want stdin, which can be read only once`;
  throw new ClawaiError(message, { code: 'usage', hint: 'write one of them to a file, and name that' });
}
