import { parseBody } from '../../audit/event-columns.ts';
import { CALL_TYPES, FLOW_TYPE, MODEL_CALL_TYPE, SECRETS_TYPE } from '../../audit/event-types.ts';
import { openStoreReader } from '../../store/reading/read-open.ts';
import { countOf as numberOf, textOf } from '../log/event-fields.ts';
import { countOf } from '../terminal/layout.ts';

/** Counts of one session. */
export interface SessionSummary {
  /** Calls at servers that were decided. */
  readonly calls: number;
  /** Calls at servers that were denied. */
  readonly denied: number;
  /** Calls at servers that were seen before, in the answer of a model. */
  readonly fromAnswers: number;
  /** Calls of a model that were seen in its answers alone. */
  readonly modelCalls: number;
  /** Calls of a model that were denied, so that the agent never got them. */
  readonly modelDenied: number;
  /** Findings of flow rules. */
  readonly findings: number;
  /** Secrets in requests to models. */
  readonly secrets: number;
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
  const counts = { calls: 0, denied: 0, fromAnswers: 0, modelCalls: 0, modelDenied: 0, findings: 0, secrets: 0 };
  const reader = openStoreReader(file);
  if (reader === undefined) return counts;
  try {
    /** Calls of the model, by their ids, that may still be seen again. */
    const seen = new Set<string>();
    for (const { type, action, body } of reader.events({ types: [...CALL_TYPES, FLOW_TYPE, SECRETS_TYPE], session, since })) {
      if (type === FLOW_TYPE) counts.findings++;
      else if (type === SECRETS_TYPE) counts.secrets += numberOf(parseBody(body ?? '') ?? {}, 'count') ?? 0;
      else if (type === MODEL_CALL_TYPE) {
        // A hook may be asked about a call of an answer.
        const first = fieldOf(body, 'sighting_of');
        if (first === '' || !seen.delete(first)) counts.modelCalls++;
        if (action === 'block') counts.modelDenied++;
        else seen.add(first === '' ? fieldOf(body, 'id') : first);
      } else {
        counts.calls++;
        if (action === 'block') counts.denied++;
        const first = seen.size === 0 ? '' : fieldOf(body, 'sighting_of');
        if (first !== '' && seen.delete(first)) {
          counts.fromAnswers++;
          counts.modelCalls--;
        }
      }
    }
  } finally {
    reader.close();
  }
  return counts;
}

/**
 * `session run-7: 12 calls, 2 denied, 1 flow finding; see clawai report run-7`, with `20 calls by the model, 3 denied; ` in front where it
 * made others; undefined where nothing happened.
 */
export function formatSessionSummary(session: string, counts: SessionSummary): string | undefined {
  const { calls, denied, fromAnswers, modelCalls, modelDenied, findings, secrets } = counts;
  const alone = fromAnswers === 0 ? '' : ' that came to no server';
  const ofModel = modelCalls === 0 ? [] : [`${countOf(modelCalls, 'call')} by the model${alone}, ${modelDenied} denied`];
  const atServers =
    calls === 0 && findings === 0 ? [] : [`${countOf(calls, 'call')}, ${denied} denied, ${countOf(findings, 'flow finding')}`];
  const inRequests = secrets === 0 ? [] : [`${countOf(secrets, 'secret')} in requests to models`];
  const parts = [...ofModel, ...atServers, ...inRequests];
  return parts.length === 0 ? undefined : `session ${session}: ${parts.join('; ')}; see clawai report ${session}`;
}

function fieldOf(body: string | null, name: string): string {
  return textOf(parseBody(body ?? '') ?? {}, name);
}
