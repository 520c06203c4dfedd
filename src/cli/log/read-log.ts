import { contradiction } from '../command.ts';
import { setTimeout } from 'node:timers/promises';
import { CALL_TYPES, DETECTION_TYPE } from '../../audit/event-types.ts';
import { ClawaiError, EXIT } from '../../errors.ts';
import { StoreFollower } from '../../store/reading/read-follow.ts';
import type { EventQuery } from '../../store/reading/read-query.ts';
import type { StoredEvent, StoreReader } from '../../store/reading/read.ts';
import { type Look, stdoutLook } from '../terminal/colour.ts';
import { note } from '../terminal/notes.ts';
import { findStore, openRecorded } from '../machine/open-store.ts';
import { createOutput, type Output } from '../terminal/streams.ts';
import { DEFAULT_LIMIT, type Filters, toLimit, toQuery } from './event-flags.ts';
import { FollowView } from './follow-view.ts';
import { callTable, detectionTable, type EventFormat, eventTable, jsonLines, logLines } from './event-formats.ts';

/** Milliseconds between two looks at the store: at once for a person, and nothing for the machine. */
const POLL_MS = 250;

/** One way to look at the record. */
interface View {
  /** Types of events in it; undefined: all that the flags ask for. */
  readonly types: readonly string[] | undefined;
  format(look: Look, now: number): EventFormat;
}

/** All ways to look at the record. `lines` is `clawai log`; the others have a flag there, and a name of their own under `clawai mcp`. */
const VIEWS = {
  lines: { types: undefined, format: ({ colour }) => logLines(colour) },
  calls: { types: CALL_TYPES, format: callTable },
  detections: { types: [DETECTION_TYPE], format: detectionTable },
  events: { types: undefined, format: eventTable },
} as const satisfies Record<string, View>;

export interface Reading {
  readonly view: keyof typeof VIEWS;
  readonly flags: Filters & {
    readonly limit: string | undefined;
    readonly all: boolean;
    readonly json: boolean;
    readonly config: string | undefined;
  };
  /** Types of events where neither the view nor the flags name some; undefined: all. */
  readonly types?: readonly string[] | undefined;
  readonly isFollowing?: boolean;
}

/** Prints what was recorded, oldest first, and goes on with what is being recorded where that is asked for. Throws ClawaiError `usage`, `config_*` and `store_*`. */
export async function readLog({ view, flags, types, isFollowing = false }: Reading): Promise<number> {
  const now = Date.now();
  const asked = toQuery(flags, now);
  const query = { ...asked, types: VIEWS[view].types ?? asked.types ?? types };
  const limit = toLimit(flags);
  const output = createOutput(process.stdout);
  const live = isFollowing && view === 'lines' && !flags.json && canRedraw() ? new FollowView(stdoutLook) : undefined;
  const format = flags.json ? jsonLines(process.stdout.isTTY) : (liveFormat(live) ?? VIEWS[view].format(stdoutLook(), now));
  const listing: Listing = { query, limit, format, output };
  if (isFollowing) {
    if (query.until !== undefined) throw contradiction('--until and --follow');
    await follow(await findStore(flags.config), listing, live);
    return EXIT.ok;
  }
  const reader = await openRecorded(flags.config);
  if (reader === undefined) return EXIT.ok;
  const count = await printListed(reader, listing);
  if (count === 0) note(reader.lastSeq() === 0 ? 'nothing was recorded yet' : 'nothing of what was recorded matches');
  else if (flags.limit === undefined && limit !== undefined && count === limit && output.isOpen)
    note(`these are the newest ${DEFAULT_LIMIT}; --limit N or --all shows more`);
  reader.close();
  return EXIT.ok;
}

/** The inputs of a listing. */
interface Listing {
  readonly query: EventQuery;
  /** Undefined: all. */
  readonly limit: number | undefined;
  readonly format: EventFormat;
  readonly output: Output;
}

async function printListed(reader: StoreReader, { query, limit, format, output }: Listing): Promise<number> {
  return printEvents(limit === undefined ? reader.events(query) : reader.newest(query, limit), format, output);
}

/** Events that are formatted together: a table's columns are measured over so many. */
const PART = 100;

/** Prints events part by part, until there are none or nobody reads any more. Returns how many. */
async function printEvents(events: Iterable<StoredEvent>, format: EventFormat, output: Output): Promise<number> {
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

/** Tells whether lines on stdout can be written anew. */
function canRedraw(): boolean {
  return process.stdout.isTTY && process.env['TERM'] !== 'dumb';
}

function liveFormat(live: FollowView | undefined): EventFormat | undefined {
  return live && ((events) => live.events(events, Date.now()));
}

/** Most questions that are looked at. */
const MOST_QUESTIONS = 100;

/** The questions that wait and match the query; none if it is about something else. */
function waitingOf(reader: StoreReader | undefined, { server, tool, session, action, types, severity, rule }: EventQuery) {
  const isOther = [session, action, severity, rule].some((filter) => filter !== undefined);
  if (reader === undefined || isOther || types?.includes('mcp_tool_called') === false) return [];
  return reader
    .waiting(Date.now(), MOST_QUESTIONS)
    .filter((asked) => server?.matches(asked.server) !== false && tool?.matches(asked.tool ?? '') !== false);
}

/** Prints what is there and then what comes, until Ctrl-C or until nobody reads any more. */
async function follow(file: string, { output, ...asked }: Listing, live: FollowView | undefined): Promise<void> {
  const { query, format } = asked;
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort();
  process.once('SIGINT', stop);
  process.stdout.once('close', stop);
  const wanted: Output = {
    get isOpen() {
      return output.isOpen && !interrupted.signal.aborted;
    },
    write: (text) => output.write(text),
  };
  const follower = new StoreFollower(file);
  const begun = follower.begin();
  if (begun === undefined) note(`nothing was recorded yet; waiting for ${file}`);
  else {
    const { reader, last } = begun;
    await printListed(reader, { ...asked, query: { ...query, upTo: last }, output: wanted });
  }
  while (wanted.isOpen) {
    await printAdded(follower, query, { format, output: wanted });
    if (live !== undefined) await output.write(live.questions(waitingOf(follower.reader, query), Date.now()));
    // Being interrupted is how this ends.
    await setTimeout(POLL_MS, undefined, { signal: interrupted.signal }).catch(() => {});
  }
  if (live !== undefined) await output.write(live.end());
  follower.close();
  process.off('SIGINT', stop);
}

async function printAdded(
  follower: StoreFollower,
  query: EventQuery,
  { format, output }: Pick<Listing, 'format' | 'output'>,
): Promise<void> {
  try {
    await printEvents(follower.added(query), format, output);
  } catch (thrown) {
    // The next look may find it free again.
    if (!(thrown instanceof ClawaiError) || thrown.code !== 'store_busy') throw thrown;
  }
}
