import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../host/atomic-write.ts';
import type { ChannelCounts } from './channel.ts';

/** Notes how far the webhooks have been told. */
export interface NotifyState {
  /** The event up to which all is done; undefined before the first. `store` identifies the store that has it. */
  readonly seq: number | undefined;
  readonly store: string;
  /** Ids of questions that were told, the latest last. */
  readonly asked: readonly string[];
  /** By the name of the webhook. */
  readonly channels: Readonly<Record<string, ChannelCounts>>;
}

const NOTHING: NotifyState = { seq: undefined, store: '', asked: [], channels: {} };

export function notifyStateFile(stateDir: string): string {
  return join(stateDir, 'notify.json');
}

/** Reads the state. What can't be read counts as nothing: then some notices come twice or not at all. */
export function readNotifyState(file: string): NotifyState {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return NOTHING;
    const { seq, store, asked, channels } = value as Readonly<Record<string, unknown>>;
    return {
      seq: typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : undefined,
      store: typeof store === 'string' ? store : '',
      asked: Array.isArray(asked) ? asked.filter((id) => typeof id === 'string') : [],
      channels: toCounts(channels),
    };
  } catch {
    // There is none before the first notice.
    return NOTHING;
  }
}

export function writeNotifyState(file: string, state: NotifyState): void {
  writeAtomically(file, Buffer.from(`${JSON.stringify(state)}\n`), { mode: 0o600 });
}

function toCounts(value: unknown): Record<string, ChannelCounts> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, counts]: [string, unknown]) => {
      const { sent, dropped, fault } = (counts ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof sent !== 'number' || typeof dropped !== 'number' || typeof fault !== 'string') return [];
      return [[name, { sent, dropped, fault }]];
    }),
  );
}
