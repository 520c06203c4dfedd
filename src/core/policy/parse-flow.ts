import { LONGEST_WINDOW, MOST_CALLS } from '../facts.ts';
import { FLOW_ACTIONS, type FlowRuleName } from '../finding.ts';
import { complain, type Complaints } from './complaints.ts';
import {
  duration,
  type DurationKey,
  flag,
  globs,
  integer,
  type Keys,
  openTable,
  OWN,
  type Place,
  type PropertyOf,
  readValues,
  type Values,
  word,
} from './keys.ts';
import { describeToml, isTomlTable, type TomlValue } from './toml.ts';

const ACTION_DESCRIPTION = '"alert" records the call and lets it pass, "prompt" asks a person, "deny" denies it.';

/** `[flow]`. */
export const FLOW = {
  enabled: flag(true, 'Whether clawai looks for any of these.'),
  action: word(FLOW_ACTIONS, {
    usual: 'alert',
    noun: 'action',
    description: `What happens to a call that is found, except by shadow_tool. ${ACTION_DESCRIPTION}`,
  }),
  trusted: globs('Servers whose results count like what the user says, for steered_call.', [['calendar', 'contacts']]),
  known: globs(
    'Addresses, hosts and accounts that always count as said, for steered_call; a host stands for all that is on it.',
    [['*@example.com', 'hooks.example.com', 'https://api.example.com/v1/**']],
  ),
  read_then_send: OWN,
  cross_server_flow: OWN,
  steered_call: OWN,
  burst: OWN,
  shadow_tool: OWN,
} as const satisfies Keys & Record<FlowRuleName, unknown>;

const ENABLED = flag(true, 'Whether clawai looks for it.');

const ACTION = word(FLOW_ACTIONS, {
  usual: 'alert',
  follows: true,
  noun: 'action',
  description: `What happens to such a call; it overrides [flow]. ${ACTION_DESCRIPTION}`,
});

const EVIDENCE = word(['category', 'value'], {
  usual: 'category',
  noun: 'evidence',
  description:
    '"category": calls of the right kinds are enough. "value": something in the arguments must come from a result that the other server gave.',
});

/** The rules' tables, in the order in which they are shown: a description, and the property of their values. */
export const FLOW_TABLES = {
  read_then_send: {
    property: 'readThenSend',
    description: 'A call that sends data, after a call to another server that read data.',
    keys: { enabled: ENABLED, action: ACTION, window: windowOf(30_000), evidence: EVIDENCE },
  },
  cross_server_flow: {
    property: 'crossServerFlow',
    description: 'A call that writes or sends data, in the same answer of the model as a call to another server that read data.',
    keys: {
      enabled: ENABLED,
      action: ACTION,
      window: windowOf(30_000),
      same_turn_only: flag(true, 'true: only within one answer of the model; false: across answers.'),
      evidence: EVIDENCE,
    },
  },
  steered_call: {
    property: 'steeredCall',
    description:
      'A call that acts on an address, an account or another value which came only from a result: nobody else said it.',
    keys: {
      enabled: flag(false, 'Whether clawai looks for it.'),
      action: ACTION,
      window: windowOf(LONGEST_WINDOW),
    },
  },
  burst: {
    property: 'burst',
    description: 'A call to a server that already had `max_calls` calls in the window.',
    keys: {
      enabled: ENABLED,
      action: ACTION,
      // One more call must be among the remembered ones.
      max_calls: integer({
        usual: 10,
        least: 1,
        most: MOST_CALLS - 1,
        description: 'How many calls one server may have in the window.',
      }),
      window: windowOf(5000),
    },
  },
  shadow_tool: {
    property: 'shadowTool',
    description: 'A tool whose name another server of the session listed first; that server keeps the name.',
    keys: {
      enabled: ENABLED,
      // It is certain enough to deny.
      action: word(FLOW_ACTIONS, {
        usual: 'deny',
        noun: 'action',
        description: `What happens to such a call; [flow] does not change this. ${ACTION_DESCRIPTION}`,
      }),
    },
  },
} as const satisfies Record<FlowRuleName, { readonly property: string; readonly description: string; readonly keys: Keys }>;

/** A window shorter than a second would be over before a model has read an answer. */
function windowOf(usual: number): DurationKey {
  const description = 'How far back it looks, 1s to 1h.';
  return duration({ usual, least: 1000, most: LONGEST_WINDOW, examples: ['30s', '5m'], description });
}

/** Settings for calls that are harmless one by one and harmful together: the values of each rule. */
export type Flow = Pick<Values<typeof FLOW>, 'enabled' | 'trusted' | 'known'> & {
  readonly [Name in FlowRuleName as PropertyOf<Name>]: Values<(typeof FLOW_TABLES)[Name]['keys']>;
};

/** The evidence required for a flow between two servers: calls of the right kinds, or a value of one's result in the other's arguments. */
export type EvidenceKind = Flow['readThenSend']['evidence'];

/**
 * Reads `[flow]`: the settings for calls that are harmless one by one and harmful together. Every rule but `steered_call` is on by default.
 * The table's `action` applies to each rule without one of its own, except `shadow_tool`.
 */
export function parseFlow(value: TomlValue | undefined, to: Complaints): Flow {
  const flow = openTable(value, { path: ['flow'], to }, FLOW);
  const { enabled, action, trusted, known } = readValues(flow, FLOW);
  const rule = <Name extends FlowRuleName>(name: Name, usual = {}): Values<(typeof FLOW_TABLES)[Name]['keys']> => {
    const { keys } = FLOW_TABLES[name];
    return readValues(openRule(flow, name, keys), keys, usual);
  };
  return {
    enabled,
    trusted,
    known,
    readThenSend: rule('read_then_send', { action }),
    crossServerFlow: rule('cross_server_flow', { action }),
    steeredCall: rule('steered_call', { action }),
    burst: rule('burst', { action }),
    shadowTool: rule('shadow_tool'),
  };
}

/** The table of a rule, its keys checked; an empty one if it is absent. */
function openRule({ table, path, to }: Place, name: FlowRuleName, keys: Keys): Place {
  const value = table[name];
  const at = [...path, name];
  if (value === undefined || isTomlTable(value)) return openTable(value, { path: at, to, where: `flow.${name}` }, keys);
  const example = `${name} = { enabled = false }`;
  complain(to, at, `flow.${name} must be a table, not ${describeToml(value)}`, `write it like ${example}`);
  return { table: {}, path: at, to };
}
