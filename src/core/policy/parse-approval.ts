import { complain, complainOfType, type Complaints } from './complaints.ts';
import { duration, type Keys, openTable, OWN, readValues, usualValues } from './keys.ts';
import type { TomlValue } from './toml.ts';

export const CHANNELS: readonly Channel[] = ['terminal', 'desktop'];

/** Ways of asking that the format has and this version lacks. */
const LATER: readonly unknown[] = ['dashboard', 'elicitation'];

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
    said: 'How long a call waits for an answer, 1s to 1h; no answer is a denial. Many clients give up after 60 s.',
  }),
} as const satisfies Keys;

/** A policy without the table. */
export const DEFAULT_APPROVAL: ApprovalSettings = { channels: CHANNELS, ...usualValues(APPROVAL) };

/** A way of asking a person about a call. */
export type Channel = 'terminal' | 'desktop';

/** Settings for asking a person if a decision is `prompt`. */
export interface ApprovalSettings {
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
  return channels;
}

function complainOfChannel(to: Complaints, path: readonly (string | number)[], item: TomlValue): void {
  const known = CHANNELS.map((channel) => `"${channel}"`).join(' and ');
  if (typeof item !== 'string') complainOfType(to, path, item, 'the name of a channel');
  else if (LATER.includes(item)) complain(to, path, `this version of clawai can't ask by "${item}"`, `the channels are ${known}`);
  else complain(to, path, `unknown channel ${JSON.stringify(item)}`, `the channels are ${known}`);
}
