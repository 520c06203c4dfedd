import { contradiction } from '../command.ts';
import { setTimeout } from 'node:timers/promises';
import { CALL_TYPES, DETECTION_TYPE } from '../../audit/event-types.ts';
import { ClawaiError, EXIT } from '../../errors.ts';
import { StoreFollower } from '../../store/reading/read-follow.ts';
import type { EventQuery } from '../../store/reading/read-query.ts';
import { type Look, stdoutLook } from '../terminal/colour.ts';
import { note } from '../terminal/notes.ts';
import { findStore, openRecorded } from '../machine/open-store.ts';
import { createOutput, type Output } from '../terminal/streams.ts';
import { type Filters, toLimit, toQuery } from './event-flags.ts';
import { callTable, detectionTable, type EventFormat, eventTable, jsonLines, logLines } from './event-formats.ts';
import { printEvents, printListing } from './print-events.ts';

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
  const format = flags.json ? jsonLines(process.stdout.isTTY) : VIEWS[view].format(stdoutLook(), now);
  if (isFollowing) {
    if (query.until !== undefined) {
      throw contradiction('--until and --follow');
    }
    await follow({ file: await findStore(flags.config), query, limit, format, output });
    return EXIT.ok;
  }
  const reader = await openRecorded(flags.config);
  if (reader === undefined) return EXIT.ok;
  await printListing(reader, { query, limit, isLimitOurs: flags.limit === undefined, format, output });
  reader.close();
  return EXIT.ok;
}

interface Following {
  readonly file: string;
  readonly query: EventQuery;
  readonly limit: number | undefined;
  readonly format: EventFormat;
  readonly output: Output;
}

/** Prints what is there and then what comes, until Ctrl-C or until nobody reads any more. */
async function follow({ file, query, limit, format, output }: Following): Promise<void> {
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
    const known = { ...query, upTo: last };
    await printEvents(limit === undefined ? reader.events(known) : reader.newest(known, limit), format, wanted);
  }
  while (wanted.isOpen) {
    await printAdded(follower, query, { format, output: wanted });
    // Being interrupted is how this ends.
    await setTimeout(POLL_MS, undefined, { signal: interrupted.signal }).catch(() => {});
  }
  follower.close();
  process.off('SIGINT', stop);
}

async function printAdded(
  follower: StoreFollower,
  query: EventQuery,
  { format, output }: Pick<Following, 'format' | 'output'>,
): Promise<void> {
  try {
    await printEvents(follower.added(query), format, output);
  } catch (thrown) {
    // The next look may find it free again.
    if (!(thrown instanceof ClawaiError) || thrown.code !== 'store_busy') throw thrown;
  }
}
