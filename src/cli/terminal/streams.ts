import { LineSplitter } from '../../protocol/ndjson.ts';
import { isUtf8 } from 'node:buffer';
import { fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { FoundPolicy } from '../../config/policy-file.ts';
import { toNotText } from '../../config/toml-file.ts';
import { ClawaiError, type ErrorCode } from '../../errors.ts';

/** Output that may be much, to a reader who may be slow or leave early (`| head`). */
export interface Output {
  /** False as soon as nobody reads any more; then there is no point in going on. */
  readonly isOpen: boolean;
  /** Resolves when more may be written, or nobody reads any more. */
  write(text: string): Promise<void>;
}

/** An output to a stream whose errors somebody else listens to, as main.ts does to those of stdout. */
export function createOutput(stream: Writable): Output {
  return {
    get isOpen() {
      return !stream.destroyed && stream.writable;
    },
    async write(text) {
      if (stream.destroyed || text === '') return;
      const isTaken = stream.write(text);
      // A closed pipe is only told a turn later.
      await setImmediate();
      if (isTaken || stream.destroyed || !stream.writableNeedDrain) return;
      await new Promise<void>((settle) => {
        const end = (): void => {
          stream.off('drain', end).off('close', end);
          settle();
        };
        stream.on('drain', end).on('close', end);
      });
    },
  };
}

/** A line of a stream, from 1; `text` is undefined where it is longer than what is read. */
export interface NumberedLine {
  readonly text: string | undefined;
  readonly number: number;
  /** True if the line is UTF-8. */
  readonly isText: boolean;
}

/** The lines of a stream, those of one chunk at a time. @param most bytes of a line */
export async function* numberedLines(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<readonly NumberedLine[], void> {
  let number = 0;
  let ready: NumberedLine[] = [];
  const splitter = new LineSplitter(most, () => void ready.push({ text: undefined, number: (number += 1), isText: true }));
  const visit = (bytes: Buffer, start: number, end: number, _next: number, release?: () => void): void => {
    number += 1;
    const isText = isUtf8(bytes.subarray(start, end));
    const line = bytes.toString('utf8', start, end);
    release?.();
    ready.push({ text: number === 1 ? line.replace(/^\uFEFF/, '') : line, number, isText });
  };
  for await (const chunk of chunks) {
    splitter.push(chunk, visit);
    yield ready;
    ready = [];
  }
  splitter.end(visit);
  yield ready;
}

/** The name of stdin in messages. */
export const STDIN = '<stdin>';

/** The bytes of stdin: they come only once, and errors show lines of them. */
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

/** The text of stdin; undefined if it was not read. */
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
