import type { EventQuery } from '../../store/reading/read-query.ts';
import type { StoredEvent, StoreReader } from '../../store/reading/read.ts';
import { DEFAULT_LIMIT } from './event-flags.ts';
import type { EventFormat } from './event-formats.ts';
import { note } from '../terminal/notes.ts';
import type { Output } from '../terminal/streams.ts';

/** Events that are formatted together: a table's columns are measured over so many. */
const PART = 100;

/** Prints events part by part, until there are none or nobody reads any more. Returns how many. */
export async function printEvents(events: Iterable<StoredEvent>, format: EventFormat, output: Output): Promise<number> {
  let part: StoredEvent[] = [];
  let count = 0;
  for (const event of events) {
    part.push(event);
    if (part.length < PART) continue;
    await output.write(format(part));
    count += part.length;
    part = [];
    if (!output.isOpen) return count;
  }
  if (part.length > 0) await output.write(format(part));
  return count + part.length;
}

/** What a listing is made from. */
export interface Listing {
  readonly query: EventQuery;
  /** Undefined: all. */
  readonly limit: number | undefined;
  /** The limit is ours: then it is said where it may have left something out. */
  readonly isLimitOurs: boolean;
  readonly format: EventFormat;
  readonly output: Output;
}

/** Prints what a query finds, and says on stderr where that is nothing, or perhaps not all. */
export async function printListing(reader: StoreReader, { query, limit, isLimitOurs, format, output }: Listing): Promise<void> {
  const events = limit === undefined ? reader.events(query) : reader.newest(query, limit);
  const count = await printEvents(events, format, output);
  if (count === 0) {
    const why = reader.lastSeq() === 0 ? 'nothing was recorded yet' : 'nothing of what was recorded matches';
    note(why);
  } else if (isLimitOurs && count === DEFAULT_LIMIT && output.isOpen) {
    note(`these are the newest ${DEFAULT_LIMIT}; --limit N or --all shows more`);
  }
}
