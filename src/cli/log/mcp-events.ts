import { EXIT } from '../../errors.ts';
import { hasColour } from '../colour.ts';
import { defineCommand } from '../command.ts';
import { EVENT_FLAGS, toLimit, toQuery, TYPES_NOTE } from './event-flags.ts';
import { eventTable, jsonLines } from './event-formats.ts';
import { openRecorded, STORE_FLAGS } from '../open-store.ts';
import { createOutput } from '../output.ts';
import { printListing, tableOptions } from './print-events.ts';

/** `clawai mcp events`: everything that was recorded, calls and others. */
export const mcpEventsCommand = defineCommand({
  meta: {
    name: 'mcp events',
    description: 'List everything that was recorded, oldest first.',
    notes: [
      'A GLOB is a name, or has * for any characters but /, ** for any at all and ? for one. A TIME that is a date is its midnight, ' +
        'and local time unless it names a zone.',
      TYPES_NOTE,
    ],
    examples: [
      'clawai mcp events --since 7d --severity high',
      'clawai mcp events --type mcp_message_refused,mcp_connection_ended',
    ],
  },
  args: { ...EVENT_FLAGS, ...STORE_FLAGS },
  async run({ flags }) {
    const now = Date.now();
    const query = toQuery(flags, now);
    const limit = toLimit(flags);
    const reader = await openRecorded(flags.config);
    if (reader === undefined) return EXIT.ok;
    const options = tableOptions(hasColour(process.stdout));
    const format = flags.json ? jsonLines(process.stdout.isTTY) : eventTable(options, now);
    const output = createOutput(process.stdout);
    await printListing(reader, { query, limit, isLimitOurs: flags.limit === undefined, format, output });
    reader.close();
    return EXIT.ok;
  },
});
