import { EXIT } from '../errors.ts';
import { hasColour } from './colour.ts';
import { defineCommand } from './command.ts';
import { CALL_FLAGS, toCallQuery, toLimit } from './event-flags.ts';
import { callTable, jsonLines } from './event-formats.ts';
import { openRecorded, STORE_FLAGS } from './open-store.ts';
import { createOutput } from './output.ts';
import { printListing, tableOptions } from './print-events.ts';

/** `clawai mcp calls`: which calls there were, and what became of them. */
export const mcpCallsCommand = defineCommand({
  meta: {
    name: 'mcp calls',
    description: 'List the calls that were decided, oldest first.',
    notes: [
      'A GLOB is a name, or has * for any characters but /, ** for any at all and ? for one. A TIME that is a date is its midnight, ' +
        'and local time unless it names a zone.',
      'A call that was seen in the answer of a model and then where it was made has two lines: the second says "again", and with --json sighting_of ' +
        'is the id of the first.',
      'BY is the rule that decided, or what else did. `clawai log show ID` tells one call whole.',
      'ACTION is what became of a call: allow or block. The decision stands in brackets where that is another one, as when only observing.',
    ],
    examples: ['clawai mcp calls --since 1h', "clawai mcp calls --action block --tool 'delete_*' --json"],
  },
  args: { ...CALL_FLAGS, ...STORE_FLAGS },
  async run({ flags }) {
    const now = Date.now();
    const query = toCallQuery(flags, now);
    const limit = toLimit(flags);
    const reader = await openRecorded(flags.config);
    if (reader === undefined) return EXIT.ok;
    const options = tableOptions(hasColour(process.stdout));
    const format = flags.json ? jsonLines(process.stdout.isTTY) : callTable(options, now);
    const output = createOutput(process.stdout);
    await printListing(reader, { query, limit, isLimitOurs: flags.limit === undefined, format, output });
    reader.close();
    return EXIT.ok;
  },
});
