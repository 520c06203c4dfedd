import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ClawaiError } from '../../../errors.ts';
import { nameOfFile } from '../../terminal/stdin.ts';
import { LineSplitter } from '../../../protocol/ndjson.ts';

/** Bytes of a line; no event is nearly as long. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** A line that is not empty; undefined for one that is too long. */
export interface FileLine {
  readonly text: string | undefined;
  /** From 1. */
  readonly number: number;
}

/**
 * The lines of a file of events, or of stdin where it is `-`, some at a time.
 *
 * @throws ClawaiError `events_unreadable`
 */
export async function* readRecordedFile(file: string): AsyncGenerator<readonly FileLine[], void> {
  let number = 0;
  let ready: FileLine[] = [];
  const splitter = new LineSplitter(LONGEST_LINE, () => void ready.push({ text: undefined, number: (number += 1) }));
  const visit = (bytes: Buffer, start: number, end: number, _next: number, release?: () => void): void => {
    number += 1;
    const text = bytes.toString('utf8', start, end);
    release?.();
    const line = number === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (line.trim() !== '') ready.push({ text: line, number });
  };
  for await (const chunk of await openFile(file)) {
    splitter.push(chunk, visit);
    yield ready;
    ready = [];
  }
  splitter.end(visit);
  yield ready;
}

async function openFile(file: string): Promise<AsyncIterable<Buffer>> {
  if (file === '-') {
    if (process.stdin.isTTY)
      throw unreadable(file, 'nothing is piped into it', 'clawai log --calls --all --json | clawai policy replay --from - …');
    return process.stdin as AsyncIterable<Buffer>;
  }
  try {
    if ((await stat(file)).isDirectory())
      throw unreadable(file, 'it is a directory', 'name a file, as `clawai log export > FILE` writes it');
  } catch (thrown) {
    if (thrown instanceof ClawaiError) throw thrown;
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
    throw unreadable(file, code === 'ENOENT' ? 'it does not exist' : code, 'write one with `clawai log export > FILE`', thrown);
  }
  return guarded(file);
}

/** What goes wrong while it is read is said as well. */
async function* guarded(file: string): AsyncGenerator<Buffer, void> {
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } catch (thrown) {
    throw unreadable(file, thrown instanceof Error ? thrown.message : String(thrown), 'see that it may be read by you', thrown);
  }
}

function unreadable(file: string, why: string, hint: string, cause?: unknown): ClawaiError {
  const place = { file: nameOfFile(file) };
  return new ClawaiError(`the events can't be read: ${why}`, { code: 'events_unreadable', place, hint, cause });
}
