import { formatDuration, parseDuration } from '../quantity.ts';
import { checkKeys, complain, complainOfType, type Complaints } from './complaints.ts';
import { isTomlTable, type TomlValue } from './toml.ts';
import type { ApprovalSettings, Channel } from './types.ts';

export const CHANNELS: readonly Channel[] = ['terminal', 'desktop'];

const KEYS = ['channels', 'timeout'];

/** Ways of asking that the format has and this version lacks. */
const LATER: readonly unknown[] = ['dashboard', 'elicitation'];

const SECOND = 1000;
/** Milliseconds. Nobody answers in less than the one; whoever called has long given up after the other. */
const TIMEOUT = { least: SECOND, most: 3600 * SECOND } as const;

/** A policy without the table. Clients give up after 60 s, so ours comes before. */
export const DEFAULT_APPROVAL: ApprovalSettings = { channels: CHANNELS, timeout: 45 * SECOND };

/** Reads `[approval]`: how a person is asked, and how long an answer is waited for. */
export function parseApproval(value: TomlValue | undefined, to: Complaints): ApprovalSettings {
  if (value === undefined) return DEFAULT_APPROVAL;
  if (!isTomlTable(value)) {
    complainOfType(to, ['approval'], value, 'a table');
    return DEFAULT_APPROVAL;
  }
  checkKeys(to, ['approval'], value, { read: KEYS, unenforced: [], where: '[approval]' });
  return {
    channels: parseChannels(value['channels'], to) ?? DEFAULT_APPROVAL.channels,
    timeout: parseTimeout(value['timeout'], to) ?? DEFAULT_APPROVAL.timeout,
  };
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
    else if (channels.includes(channel)) complain(to, [...path, index], `"${channel}" is there twice`);
    else channels.push(channel);
  }
  if (channels.includes('desktop') && !channels.includes('terminal')) {
    complain(
      to,
      path,
      '"desktop" only points to "terminal", where the answer is given',
      'write channels = ["terminal", "desktop"]',
    );
  }
  return channels;
}

function complainOfChannel(to: Complaints, path: readonly (string | number)[], item: TomlValue): void {
  const known = CHANNELS.map((channel) => `"${channel}"`).join(' and ');
  if (typeof item !== 'string') complainOfType(to, path, item, 'the name of a channel');
  else if (LATER.includes(item)) complain(to, path, `this version of clawai can't ask by "${item}"`, `the channels are ${known}`);
  else complain(to, path, `unknown channel ${JSON.stringify(item)}`, `the channels are ${known}`);
}

function parseTimeout(value: TomlValue | undefined, to: Complaints): number | undefined {
  if (value === undefined) return undefined;
  const path = ['approval', 'timeout'];
  if (typeof value !== 'string') {
    complainOfType(to, path, value, 'a duration like "45s"');
    return undefined;
  }
  const read = parseDuration(value);
  if (!read.ok) complain(to, path, read.message, read.hint);
  else if (read.value < TIMEOUT.least || read.value > TIMEOUT.most) {
    const [least, most] = [formatDuration(TIMEOUT.least), formatDuration(TIMEOUT.most)];
    complain(to, path, `approval.timeout must be at least ${least} and at most ${most}`);
  } else return read.value;
  return undefined;
}
