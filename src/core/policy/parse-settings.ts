import { complain, complainOfType, type Complaints } from './complaints.ts';
import { duration, flag, globs, type Keys, openTable, OWN, readValues, usualValues, type Values, word } from './keys.ts';
import type { TomlValue } from './toml.ts';

export const CHANNELS: readonly Channel[] = ['terminal', 'desktop', 'elicitation'];

/** A client can answer by itself, so it is not asked unless the user wants that. */
const USUAL_CHANNELS: readonly Channel[] = ['terminal', 'desktop'];

/** Ways of asking that the format has and this version lacks. */
const LATER: readonly unknown[] = ['dashboard'];

const SECOND = 1000;

/** `[approval]`. */
export const APPROVAL = {
  channels: OWN,
  // Nobody answers faster than the minimum; the caller has long given up after the maximum. Clients give up after 60 s.
  timeout: duration({
    usual: 45 * SECOND,
    least: SECOND,
    most: 3600 * SECOND,
    examples: ['45s'],
    description: 'How long a call waits for an answer, 1s to 1h; no answer is a denial. Many clients give up after 60 s.',
  }),
} as const satisfies Keys;

/** A policy without the table. */
export const DEFAULT_APPROVAL: ApprovalSettings = { channels: USUAL_CHANNELS, ...usualValues(APPROVAL) };

/** A way of asking a person about a call. */
type Channel = 'terminal' | 'desktop' | 'elicitation';

/** Settings for asking a person if a decision is `prompt`. */
interface ApprovalSettings {
  /** If empty, nobody is asked, and such calls are denied. */
  readonly channels: readonly Channel[];
  /** Milliseconds until an unanswered question is a denial. */
  readonly timeout: number;
}

/** Reads `[approval]`: the ways of asking a person, and the time to wait for an answer. */
export function parseApproval(value: TomlValue | undefined, to: Complaints): ApprovalSettings {
  const place = openTable(value, { path: ['approval'], to }, APPROVAL);
  const channels = parseChannels(place.table['channels'], to) ?? DEFAULT_APPROVAL.channels;
  return { channels, ...readValues(place, APPROVAL) };
}

function parseChannels(value: TomlValue | undefined, to: Complaints): readonly Channel[] | undefined {
  if (value === undefined) return undefined;
  const path = ['approval', 'channels'];
  if (!Array.isArray(value)) {
    complainOfType(to, path, value, 'a list of channels like ["terminal"]');
    return undefined;
  }
  const channels: Channel[] = [];
  for (const [index, item] of value.entries()) {
    const channel = CHANNELS.find((known) => known === item);
    if (channel === undefined) complainOfChannel(to, [...path, index], item);
    else if (channels.includes(channel)) complain(to, [...path, index], `"${channel}" is listed twice`);
    else channels.push(channel);
  }
  if (channels.includes('desktop') && !channels.includes('terminal')) {
    complain(to, path, '"desktop" only notifies you, and you answer in "terminal"', 'write channels = ["terminal", "desktop"]');
  }
  if (channels.includes('elicitation') && !channels.includes('terminal')) {
    const why = '"elicitation" is a weaker channel, which a client can answer by itself, so it is never the only one';
    complain(to, path, why, 'write channels = ["terminal", "elicitation"]');
  }
  return channels;
}

function complainOfChannel(to: Complaints, path: readonly (string | number)[], item: TomlValue): void {
  const known = CHANNELS.map((channel) => `"${channel}"`).join(', ');
  if (typeof item !== 'string') complainOfType(to, path, item, 'the name of a channel');
  else if (LATER.includes(item)) complain(to, path, `this version of clawai can't ask by "${item}"`, `the channels are ${known}`);
  else complain(to, path, `unknown channel ${JSON.stringify(item)}`, `the channels are ${known}`);
}

/** `[pinning]`. */
export const PINNING = {
  enabled: flag(true, 'Whether clawai compares definitions with what was approved.'),
  trust_first_use: flag(
    true,
    'true: a definition counts as approved when it is first seen; false: only once a person has approved it.',
  ),
  on_change: word(['deny', 'hide', 'prompt', 'alert'], {
    usual: 'deny',
    noun: 'action',
    plural: 'actions',
    description:
      '"deny" denies calls to a changed definition, "hide" also removes it from the lists, "prompt" asks a person about each call, "alert" only records it.',
  }),
} as const satisfies Keys;

/** Settings for calls whose definition differs from the approved one. */
export type Pinning = Values<typeof PINNING>;

/** The action on an unapproved definition. `hide`: removed from the server's lists, and denied. */
export type OnChange = Pinning['onChange'];

/** A policy without the table. */
export const DEFAULT_PINNING: Pinning = usualValues(PINNING);

/** Reads `[pinning]`: the settings for calls whose definition differs from the approved one. */
export function parsePinning(value: TomlValue | undefined, to: Complaints): Pinning {
  return readValues(openTable(value, { path: ['pinning'], to }, PINNING), PINNING);
}

/** `[schema]`. */
export const SCHEMA = {
  enabled: flag(true, "Whether clawai compares a call's arguments with the schema that the tool's server declared."),
  on_mismatch: word(['alert', 'prompt', 'deny'], {
    usual: 'alert',
    noun: 'action',
    plural: 'actions',
    description:
      '"alert" only records arguments that do not fit, "prompt" asks a person about the call, "deny" denies it and tells the model what does not fit.',
  }),
  unknown_arguments: word(['schema', 'mismatch'], {
    usual: 'schema',
    description:
      '"schema" leaves arguments that the schema does not name to the schema itself; most allow them. With "mismatch" they do not fit.',
  }),
} as const satisfies Keys;

/** Settings for calls whose arguments do not fit their tool's schema. */
export type SchemaSettings = Values<typeof SCHEMA>;

/** Reads `[schema]`: the settings for calls whose arguments do not fit their tool's schema. */
export function parseSchema(value: TomlValue | undefined, to: Complaints): SchemaSettings {
  return readValues(openTable(value, { path: ['schema'], to }, SCHEMA), SCHEMA);
}

/** `[server_policy]`. */
export const SERVER_POLICY = {
  policy: word(['allowlist', 'denylist', 'none'], {
    usual: 'none',
    noun: 'server policy',
    plural: 'policies',
    description:
      '"allowlist" permits the servers in `allow` that are not in `deny`. "denylist" permits all but those in `deny`. "none" ignores both lists.',
  }),
  allow: globs('Servers that are permitted.', [['files', 'github']]),
  deny: globs('Servers that are denied, whatever `allow` says.'),
} as const satisfies Keys;

/** The servers that are allowed at all. */
export interface ServerPolicy extends Omit<Values<typeof SERVER_POLICY>, 'policy'> {
  readonly mode: Values<typeof SERVER_POLICY>['policy'];
}

/**
 * Reads `[server_policy]`: the servers that are allowed. Lists without `policy` are an error, since they would have no effect. `policy =
 * "none"` makes that explicit, and then they are accepted.
 */
export function parseServerPolicy(value: TomlValue | undefined, to: Complaints): ServerPolicy {
  const place = openTable(value, { path: ['server_policy'], to }, SERVER_POLICY);
  const { policy: mode, allow, deny } = readValues(place, SERVER_POLICY);
  const [idle] = (['deny', 'allow'] as const).filter((key) => place.table[key] !== undefined);
  if (idle !== undefined && place.table['policy'] === undefined) {
    complain(to, ['server_policy', idle], `"${idle}" has no effect without a policy`, `policy = "${idle}list"`);
  }
  return { mode, allow, deny };
}
