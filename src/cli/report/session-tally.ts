import { DENIED_RESULT_TYPE, FLOW_TYPE, MODEL_REQUESTS_TYPE } from '../../audit/event-types.ts';
import { formatIso, type ReportEvent } from './report-event.ts';
import { LISTED, type SessionLine, type SessionReport } from './report.ts';
import { isCall, isModelCall } from './server-tally.ts';

/** Sessions that are told apart, the newest ones, and servers of one of them. */
const MOST = 1000;
const MOST_SERVERS = 100;

interface SessionCounts {
  readonly session: string;
  first: number;
  last: number;
  readonly servers: Set<string>;
  calls: number;
  denied: number;
  modelCalls: number;
  modelDenied: number;
  flows: number;
}

/** A line for each session. */
export class SessionTally {
  /** The one that began last is last. */
  readonly #sessions = new Map<string, SessionCounts>();
  #dropped = 0;

  add(event: ReportEvent): void {
    const { time } = event;
    const counts = this.#at(event);
    counts.first = Math.min(counts.first, time);
    counts.last = Math.max(counts.last, time);
    if (isModelCall(event)) {
      counts.modelCalls += 1;
      if (event.action !== 'allow') counts.modelDenied += 1;
      return;
    }
    if (event.type === DENIED_RESULT_TYPE || event.type === MODEL_REQUESTS_TYPE) return;
    if (counts.servers.size < MOST_SERVERS) counts.servers.add(event.server);
    if (event.type === FLOW_TYPE) counts.flows += 1;
    if (!isCall(event)) return;
    counts.calls += 1;
    if (event.action !== 'allow') counts.denied += 1;
  }

  report(): Pick<SessionReport, 'sessions' | 'sessions_left_off'> {
    const newest = [...this.#sessions.values()].toSorted((one, other) => other.last - one.last).slice(0, LISTED);
    return { sessions: newest.map(toLine), sessions_left_off: this.#sessions.size - newest.length + this.#dropped };
  }

  #at({ session, time }: ReportEvent): SessionCounts {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= MOST && oldest !== undefined) {
      this.#sessions.delete(oldest);
      this.#dropped += 1;
    }
    const none = { calls: 0, denied: 0, modelCalls: 0, modelDenied: 0, flows: 0 };
    const counts = { session, first: time, last: time, servers: new Set<string>(), ...none };
    this.#sessions.set(session, counts);
    return counts;
  }
}

function toLine({ session, first, last, servers, calls, denied, modelCalls, modelDenied, flows }: SessionCounts): SessionLine {
  return {
    session_id: session,
    started: formatIso(first),
    ended: formatIso(last),
    servers: servers.size,
    calls,
    denied,
    model_calls: modelCalls,
    model_denied: modelDenied,
    flows,
  };
}
