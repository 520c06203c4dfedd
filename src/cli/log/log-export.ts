import { formatExportedCheckpoint, formatExportedEvent } from '../../audit/verify.ts';
import { EXIT } from '../../errors.ts';
import type { StoreReader } from '../../store/reading/read.ts';
import type { EventQuery } from '../../store/reading/read-query.ts';
import { defineCommand } from '../command.ts';
import { TIME_FLAGS, toTimes } from './event-flags.ts';
import { note, Progress } from '../terminal/notes.ts';
import { openRecorded, STORE_FLAGS } from '../machine/open-store.ts';
import { createOutput } from '../terminal/streams.ts';

/** Characters that are written at once. */
const PART = 64 * 1024;

/** `clawai log export`: what was recorded and its chains, for others to keep and to verify. */
export const logExportCommand = defineCommand({
  meta: {
    name: 'log export',
    description: 'Print the log with its hash chains, as JSON lines. Others can verify it without clawai.',
    notes: [
      'A line is {"writer", "n", "seq", "hash", "body_hash", "event"}: the process that recorded it, its number in the chain of that process (from 1), its number among all events, two SHA-256 in hex, and the event. Lines with "checkpoint": {"n", "hash"} come first: there, the chain of a writer goes on after its first n events were erased. "event" is null if the body was erased. It is null too if the body is no JSON object on one line; "body" then has it as text.',
      'To verify, keep the last hash of each writer, as bytes. It begins as the SHA-256 of the writer\'s name, or as the hash of its checkpoint. With --since, or if n does not follow the checkpoint, it begins as the hash of the writer\'s first line, which you then have to trust. For each line in order, check three things: n is one more than before; body_hash is the SHA-256 of the text between `"event":` and the last } of the line; hash is the SHA-256 of the last hash followed by body_hash, 64 bytes together. That hash is the next last hash.',
      'Lines are in the order of their commit. --since and --until print all lines from the first to the last event of that time. The chain has no key: see clawai help log verify.',
    ],
    examples: ['clawai log export > events.jsonl', 'clawai log export --since 2026-01-01 --until 2026-02-01 > january.jsonl'],
  },
  args: { ...TIME_FLAGS, ...STORE_FLAGS },
  async run({ flags }) {
    const times = toTimes(flags, Date.now());
    const reader = await openRecorded(flags.config);
    if (reader === undefined) return EXIT.ok;
    const count = await exportEvents(reader, times);
    if (count === 0) note('there are no events to export');
    reader.close();
    return EXIT.ok;
  },
});

async function exportEvents(reader: StoreReader, times: Pick<EventQuery, 'since' | 'until'>): Promise<number> {
  reader.holdStill();
  const isAll = times.since === undefined && times.until === undefined;
  // The order of commit leaves out no link of a chain if a clock jumped.
  const span = isAll ? {} : reader.span(times);
  if (span === undefined) return 0;
  const output = createOutput(process.stdout);
  const names = new Map(reader.writers().map(({ id, name }) => [id, name]));
  const nameOf = (writer: number): string | null => names.get(writer) ?? null;
  let text = reader
    .checkpoints()
    .map((checkpoint) => formatExportedCheckpoint(checkpoint, nameOf(checkpoint.writer)))
    .join('');
  let count = 0;
  const progress = new Progress('events', isAll ? reader.count() : undefined);
  for (const event of reader.chained(span)) {
    text += formatExportedEvent(event, nameOf(event.writer));
    count += 1;
    if (text.length < PART) continue;
    // The events themselves are the progress on a terminal that shows them.
    if (!process.stdout.isTTY) progress.show(count);
    await output.write(text);
    text = '';
    if (!output.isOpen) break;
  }
  progress.end();
  await output.write(text);
  return count;
}
