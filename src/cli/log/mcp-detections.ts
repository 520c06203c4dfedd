import { DETECTION_TYPE } from '../../audit/event-types.ts';
import { EXIT } from '../../errors.ts';
import { hasColour } from '../colour.ts';
import { defineCommand } from '../command.ts';
import { DETECTION_FLAGS, toLimit, toQuery } from './event-flags.ts';
import { detectionTable, jsonLines } from './event-formats.ts';
import { openRecorded, STORE_FLAGS } from '../open-store.ts';
import { createOutput } from '../output.ts';
import { printListing, tableOptions } from './print-events.ts';

/** `clawai mcp detections`: what detection has found, and what became of it. */
export const mcpDetectionsCommand = defineCommand({
  meta: {
    name: 'mcp detections',
    description: 'List what detection has found in definitions, results and requests, oldest first.',
    notes: [
      'A GLOB is a name, or has * for any characters but /, ** for any at all and ? for one. A TIME that is a date is its midnight, ' +
        'and local time unless it names a zone.',
      "What is milder than the policy's threshold is not recorded here, but kept with the definition: clawai mcp registry list. ACTION is what " +
        'became of it; allow stands where the policy suppresses it.',
    ],
    examples: ['clawai mcp detections --severity critical', "clawai mcp detections --rule 'exfiltration.*' --since 7d --json"],
  },
  args: { ...DETECTION_FLAGS, ...STORE_FLAGS },
  async run({ flags }) {
    const now = Date.now();
    const query = { ...toQuery(flags, now), types: [DETECTION_TYPE] };
    const limit = toLimit(flags);
    const reader = await openRecorded(flags.config);
    if (reader === undefined) return EXIT.ok;
    const options = tableOptions(hasColour(process.stdout));
    const format = flags.json ? jsonLines(process.stdout.isTTY) : detectionTable(options, now);
    const output = createOutput(process.stdout);
    await printListing(reader, { query, limit, isLimitOurs: flags.limit === undefined, format, output });
    reader.close();
    return EXIT.ok;
  },
});
