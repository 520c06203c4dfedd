import { MOST_CALLS } from '../core/facts.ts';
import { FLOW_ACTIONS, type FlowRuleName } from '../core/finding.ts';
import { DEFAULT_FLOW, EVIDENCE } from '../core/policy/parse-flow.ts';
import { formatDuration } from '../core/quantity.ts';
import { duration, flag, type JsonSchema, table, word } from './shapes.ts';

const { readThenSend, crossServerFlow, burst } = DEFAULT_FLOW;

const ACTION_SAID = '"alert" records it and lets it pass, "prompt" asks a person, "deny" denies.';

function windowOf(milliseconds: number): JsonSchema {
  const usual = formatDuration(milliseconds);
  return duration({ description: 'How far it looks back, 1s to 1h.', default: usual, examples: ['30s', '5m'] });
}

const EVIDENCE_KEY = word(EVIDENCE, {
  description:
    '"category": calls of the right kinds are enough. "value": something in the arguments must come from a result that the other server gave.',
  default: 'category',
});

function flowRule(description: string, keys: Readonly<Record<string, JsonSchema>>, action: JsonSchema = OWN_ACTION): JsonSchema {
  return table({ enabled: flag('Whether it is looked for.', true), action, ...keys }, { description });
}

const OWN_ACTION = word(FLOW_ACTIONS, { description: `What becomes of such a call, instead of [flow]'s. ${ACTION_SAID}` });

const SHADOW_ACTION = word(FLOW_ACTIONS, {
  description: `What becomes of such a call; [flow]'s is not for it. ${ACTION_SAID}`,
  default: 'deny',
});

const RULES: Readonly<Record<FlowRuleName, JsonSchema>> = {
  read_then_send: flowRule('A tool that sends, after a tool of another server that reads.', {
    window: windowOf(readThenSend.window),
    evidence: EVIDENCE_KEY,
  }),
  cross_server_flow: flowRule("A tool that writes or sends, in the answer of the model in which another server's tool reads.", {
    window: windowOf(crossServerFlow.window),
    same_turn_only: flag('Only within one answer of the model; false: in any.', crossServerFlow.sameTurnOnly),
    evidence: EVIDENCE_KEY,
  }),
  burst: flowRule('A call of a server that had `max_calls` in the window already.', {
    max_calls: {
      type: 'integer',
      minimum: 1,
      maximum: MOST_CALLS - 1,
      description: 'So many calls of one server in the window are none too many.',
      default: burst.maxCalls,
    },
    window: windowOf(burst.window),
  }),
  shadow_tool: flowRule('A tool whose name another server of the session had first; that one keeps it.', {}, SHADOW_ACTION),
};

/** `[flow]`. */
export const FLOW_SCHEMA = table(
  {
    enabled: flag('Whether any of it is looked for.', DEFAULT_FLOW.enabled),
    action: word(FLOW_ACTIONS, {
      description: `What becomes of what is found, but for shadow_tool. ${ACTION_SAID}`,
      default: readThenSend.action,
    }),
    ...RULES,
  },
  { description: 'Calls that are harmless one by one and harmful together, across the servers of a session.' },
);
