import { CALL_TYPES, FLOW_TYPE } from '../audit/event-types.ts';
import { openStoreReader } from '../store/read-open.ts';

/** What happened in a session. */
export interface SessionSummary {
  /** Calls that were decided. */
  readonly calls: number;
  /** Those of them that did not go on. */
  readonly denied: number;
  /** What was found in calls that others of the session came before. */
  readonly findings: number;
}

export interface SessionSummaryOptions {
  readonly session: string;
  /** Milliseconds since the epoch; what was before does not count. */
  readonly since: number;
}

/**
 * Counts what a store has of a session.
 *
 * @throws ClawaiError `store_*` where it can't be read
 */
export function readSessionSummary(file: string, { session, since }: SessionSummaryOptions): SessionSummary {
  const counts = { calls: 0, denied: 0, findings: 0 };
  const reader = openStoreReader(file);
  if (reader === undefined) return counts;
  try {
    for (const { type, action } of reader.events({ types: [...CALL_TYPES, FLOW_TYPE], session, since })) {
      if (type === FLOW_TYPE) counts.findings++;
      else {
        counts.calls++;
        if (action === 'block') counts.denied++;
      }
    }
  } finally {
    reader.close();
  }
  return counts;
}

/** `session run-7: 12 calls, 2 denied, 1 flow finding; see clawai report run-7`; undefined where nothing happened. */
export function formatSessionSummary(session: string, { calls, denied, findings }: SessionSummary): string | undefined {
  if (calls === 0 && findings === 0) return undefined;
  const parts = [
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    `${denied} denied`,
    `${findings} flow ${findings === 1 ? 'finding' : 'findings'}`,
  ];
  return `session ${session}: ${parts.join(', ')}; see clawai report ${session}`;
}
