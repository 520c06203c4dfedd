import { setTimeout } from 'node:timers/promises';
import { ClawaiError, EXIT } from '../../errors.ts';
import type { EventQuery } from '../../store/read-query.ts';
import { StoreFollower } from '../../store/read-follow.ts';
import { hasColour } from '../colour.ts';
import { defineCommand } from '../command.ts';
import { EVENT_FLAGS, toLimit, toQuery, TYPES_NOTE } from './event-flags.ts';
import { jsonLines, logLines, type EventFormat } from './event-formats.ts';
import { findStore, openRecorded, STORE_FLAGS } from '../open-store.ts';
import { createOutput, type Output } from '../output.ts';
import { printEvents, printListing } from './print-events.ts';

/** Milliseconds between two looks at the store: at once for a person, and nothing for the machine. */
const POLL_MS = 250;

/** `clawai log`: what was recorded as lines of text, and what is being recorded. */
export const logCommand = defineCommand({
  meta: {
    name: 'log',
    description: 'Print what was recorded, one line per event, oldest first.',
    notes: ['--follow also waits for a store that is not there yet, and ends with Ctrl-C and exit code 0.', TYPES_NOTE],
    examples: ['clawai log -f', 'clawai log --since 15m --action block'],
  },
  args: {
    follow: { type: 'boolean', letter: 'f', description: 'Go on with what is recorded from now on.' },
    ...EVENT_FLAGS,
    ...STORE_FLAGS,
  },
  async run({ flags }) {
    const query = toQuery(flags, Date.now());
    const limit = toLimit(flags);
    const output = createOutput(process.stdout);
    const format = flags.json ? jsonLines(process.stdout.isTTY) : logLines(hasColour(process.stdout));
    if (flags.follow) {
      if (query.until !== undefined) {
        throw new ClawaiError('--until and --follow contradict each other', { code: 'usage', hint: 'give one of them' });
      }
      await follow({ file: await findStore(flags.config), query, limit, format, output });
      return EXIT.ok;
    }
    const reader = await openRecorded(flags.config);
    if (reader === undefined) return EXIT.ok;
    await printListing(reader, { query, limit, isLimitOurs: flags.limit === undefined, format, output });
    reader.close();
    return EXIT.ok;
  },
});

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
  if (begun === undefined) process.stderr.write(`clawai: nothing was recorded yet; waiting for ${file}\n`);
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
