import { BODY_TYPES, MODEL_REQUESTS_TYPE, EVENT_TYPES } from '../../audit/event-types.ts';
import { contradiction, defineCommand, type Parsed } from '../command.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';
import { ACTION_NOTE, CALL_FLAGS, DETECTION_FLAGS, EVENT_FLAGS, FILTER_NOTE, LOG_FLAGS, TYPES_NOTE } from './event-flags.ts';
import { type Reading, readLog } from './read-log.ts';

/** Types of events that every connection and every request record, shown only on request. */
const ROUTINE: readonly string[] = [
  'mcp_tool_seen',
  'mcp_connection_ended',
  MODEL_REQUESTS_TYPE,
  BODY_TYPES.request,
  BODY_TYPES.answer,
];

/** Types of events that people are shown unless they ask for more. */
export const TELLING_TYPES: readonly string[] = EVENT_TYPES.filter((type) => !ROUTINE.includes(type));

const ARGS = {
  follow: { type: 'boolean', letter: 'f', description: 'Keep printing what is recorded from now on.' },
  calls: { type: 'boolean', description: 'Print only calls, as a table.' },
  detections: { type: 'boolean', description: 'Print only findings of detection, as a table.' },
  denied: { type: 'boolean', description: 'Print only what was denied; the same as --action block.' },
  ...LOG_FLAGS,
  verbose: {
    type: 'boolean',
    letter: 'v',
    description: 'Print routine events too: connections that ended, tools that were listed, requests to models.',
  },
  ...STORE_FLAGS,
} as const;

/** `clawai log`: what was recorded, and what is being recorded. */
export const logCommand = defineCommand({
  meta: {
    name: 'log',
    description: 'Print what was recorded, one line per event, the newest last.',
    notes: [
      ACTION_NOTE,
      FILTER_NOTE,
      '--follow also waits for a store that does not exist yet. It ends with Ctrl-C and exit code 0. On a terminal it has one aligned line for each event, shows what waits for you with the command to answer, folds lines that repeat, and sums up the last minute. In a pipe it prints whole lines.',
      `${TYPES_NOTE} Without --type, --verbose or a view, these are left out: ${ROUTINE.join(', ')}.`,
    ],
    examples: ['clawai log -f', 'clawai log --denied --since 15m', "clawai log --calls --tool 'delete_*' --json"],
  },
  args: ARGS,
  async run({ flags }) {
    const { view, action } = chooseView(flags);
    const types = flags.verbose ? undefined : TELLING_TYPES;
    return readLog({ view, flags: { ...flags, action }, types, isFollowing: flags.follow });
  },
});

function chooseView(flags: Parsed<typeof ARGS>['flags']): Pick<Reading, 'view'> & Pick<Reading['flags'], 'action'> {
  const { calls, detections, denied, type, action } = flags;
  const views = [calls && '--calls', detections && '--detections', type !== undefined && '--type'].filter(
    (name) => name !== false,
  );
  if (views.length > 1) throw contradiction(`${views.slice(0, -1).join(', ')} and ${views.at(-1)}`);
  if (denied && action !== undefined && action !== 'block') throw contradiction(`--denied and --action ${action}`);
  return { view: calls ? 'calls' : detections ? 'detections' : 'lines', action: denied ? 'block' : action };
}

/** `clawai mcp calls`: which calls there were, and what became of them. */
export const mcpCallsCommand = defineCommand({
  meta: {
    name: 'mcp calls',
    description: 'List the calls that were decided, oldest first: the same as clawai log --calls.',
    notes: [
      FILTER_NOTE,
      'A call that was first seen in the answer of a model has a second line where it was made. That line says "again"; with --json, its sighting_of is the id of the first.',
      'BY is what decided: the rule of the policy, a rule of a guard, or the guard. `clawai log show ID` prints everything about one call.',
      'ACTION is allow or block. If the decision differs, as in observe mode, it follows in brackets.',
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
      'List the findings of detection in definitions, results and requests, oldest first: the same as clawai log --detections.',
    notes: [
      FILTER_NOTE,
      'ACTION is the outcome; allow means that the policy suppresses the finding. Findings below the threshold of the policy are not recorded here. clawai mcp registry list shows them with their definition.',
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
    description: 'List all events as a table, oldest first. clawai log --verbose prints the same as lines.',
    notes: [FILTER_NOTE, ACTION_NOTE, TYPES_NOTE],
    examples: [
      'clawai mcp events --since 7d --severity high',
      'clawai mcp events --type mcp_message_refused,mcp_connection_ended',
    ],
  },
  args: { ...EVENT_FLAGS, ...STORE_FLAGS },
  run: ({ flags }) => readLog({ view: 'events', flags }),
});
