import { defineCommand } from '../command.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';
import { CALL_FLAGS, DETECTION_FLAGS, EVENT_FLAGS, FILTER_NOTE, TYPES_NOTE } from './event-flags.ts';
import { readLog } from './read-log.ts';

/** `clawai mcp calls`: which calls there were, and what became of them. */
export const mcpCallsCommand = defineCommand({
  meta: {
    name: 'mcp calls',
    description: 'List the calls that were decided, oldest first: the same as clawai log --calls.',
    notes: [
      FILTER_NOTE,
      'A call that was seen in the answer of a model and then where it was made has two lines: the second says "again", and with --json sighting_of ' +
        'is the id of the first.',
      'BY is the rule that decided, or what else did. `clawai log show ID` tells one call whole.',
      'ACTION is what became of a call: allow or block. The decision stands in brackets where that is another one, as when only observing.',
    ],
    examples: ['clawai mcp calls --since 1h', "clawai mcp calls --action block --tool 'delete_*' --json"],
  },
  args: { ...CALL_FLAGS, ...STORE_FLAGS },
  run: ({ flags }) => readLog({ view: 'calls', flags }),
});

/** `clawai mcp detections`: what detection has found, and what became of it. */
export const mcpDetectionsCommand = defineCommand({
  meta: {
    name: 'mcp detections',
    description:
      'List what detection has found in definitions, results and requests, oldest first: the same as clawai log --detections.',
    notes: [
      FILTER_NOTE,
      "What is milder than the policy's threshold is not recorded here, but kept with the definition: clawai mcp registry list. ACTION is what " +
        'became of it; allow stands where the policy suppresses it.',
    ],
    examples: ['clawai mcp detections --severity critical', "clawai mcp detections --rule 'exfiltration.*' --since 7d --json"],
  },
  args: { ...DETECTION_FLAGS, ...STORE_FLAGS },
  run: ({ flags }) => readLog({ view: 'detections', flags }),
});

/** `clawai mcp events`: everything that was recorded, calls and others. */
export const mcpEventsCommand = defineCommand({
  meta: {
    name: 'mcp events',
    description: 'List everything that was recorded as a table, oldest first; clawai log --verbose has the same as lines.',
    notes: [FILTER_NOTE, TYPES_NOTE],
    examples: [
      'clawai mcp events --since 7d --severity high',
      'clawai mcp events --type mcp_message_refused,mcp_connection_ended',
    ],
  },
  args: { ...EVENT_FLAGS, ...STORE_FLAGS },
  run: ({ flags }) => readLog({ view: 'events', flags }),
});
