import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { CALL_TYPES } from '../../../audit/event-types.ts';
import { LONGEST_WINDOW } from '../../../core/facts.ts';
import { ClawaiError } from '../../../errors.ts';
import type { EventQuery } from '../../../store/reading/read-query.ts';
import type { StoredEvent, StoreReader } from '../../../store/reading/read.ts';
import { Progress } from '../../terminal/notes.ts';
import { nameOfFile, numberedLines } from '../../terminal/streams.ts';
import { CHANGE_TYPES, readEvent, readRecordedLine, type RecordedLine } from './recorded-call.ts';
import type { Replay } from './replay.ts';

/** Events between two turns of the event loop, so that Ctrl-C ends it and progress is shown. */
const PART = 1000;

/** Bytes of a line; no event is nearly as long. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** The recorded events that are asked for. */
interface Asked {
  readonly query: EventQuery;
  /** The number of newest calls; undefined for all. */
  readonly limit: number | undefined;
  /** True if earlier calls, and calls of others, matter to those that are asked for. */
  readonly isStateful: boolean;
}

/** Replays what is in a store. Throws ClawaiError `store_*`. */
export async function replayStore(replay: Replay, reader: StoreReader, asked: Asked): Promise<void> {
  // Changes are read before all calls, so that each is known before the first call it is about.
  for (const event of reader.events({ types: CHANGE_TYPES })) replay.add(toLine(event), () => `seq ${event.seq}`);
  const progress = new Progress('events', asked.limit ?? reader.count());
  let count = 0;
  for (const event of eventsOf(reader, asked)) {
    replay.add(toLine(event), () => `seq ${event.seq}`);
    count += 1;
    if (count % PART > 0) continue;
    progress.show(count);
    await setImmediate();
  }
  progress.end();
}

function eventsOf(reader: StoreReader, { query, limit, isStateful }: Asked): Generator<StoredEvent, void, void> {
  const calls = { ...query, types: CALL_TYPES };
  if (limit !== undefined) return reader.newest(calls, limit);
  if (!isStateful) return reader.events(calls);
  const { since, until } = query;
  // Earlier calls within the longest window, and calls of others, may change the outcome of those that are asked for.
  return reader.events({ types: CALL_TYPES, since: since === undefined ? undefined : since - LONGEST_WINDOW, until });
}

function toLine({ body }: StoredEvent): RecordedLine {
  return body === null ? { kind: 'erased' } : readEvent(body);
}

/** A call of a file that is kept until it is known whether it is one of the newest. */
interface Kept {
  readonly line: RecordedLine;
  readonly number: number;
}

/**
 * Replays a file of events, or stdin.
 *
 * @param isCounted is this line a call that is asked for?
 * @throws ClawaiError `events_unreadable`
 */
export async function replayFile(
  replay: Replay,
  file: string,
  { limit, isCounted }: { readonly limit: number | undefined; readonly isCounted: (line: RecordedLine) => boolean },
): Promise<void> {
  const name = nameOfFile(file);
  const add = ({ line, number }: Kept): void => replay.add(line, () => `${name}:${number}`);
  let newest: Kept[] = [];
  const progress = new Progress('lines');
  for await (const lines of numberedLines(await openFile(file), LONGEST_LINE)) {
    for (const { text, number } of lines) {
      if (text?.trim() === '') continue;
      const line: RecordedLine =
        text === undefined ? { kind: 'unreadable', problem: 'it is too long for an event' } : readRecordedLine(text);
      if (limit === undefined || line.kind !== 'call') add({ line, number });
      else if (isCounted(line)) newest.push({ line, number });
    }
    // Cut only sometimes, since removing the first for each line would take long.
    if (limit !== undefined && newest.length > 2 * limit) newest = newest.slice(-limit);
    progress.show(lines.at(-1)?.number ?? 0);
    await setImmediate();
  }
  progress.end();
  if (limit !== undefined) for (const kept of newest.slice(-limit)) add(kept);
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

/** Reads a file; an error on the way is thrown as `events_unreadable`. */
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
