import {
  DENIED_RESULT_TYPE,
  DETECTION_TYPE,
  FLOW_TYPE,
  MODEL_REQUESTS_TYPE,
  SECRETS_TYPE,
  UNKNOWN_TOKENS_TYPE,
} from '../../audit/event-types.ts';
import { countOf, objectsOf, textOf } from '../log/event-fields.ts';
import { isoTime } from '../terminal/layout.ts';
import { createCounts } from './groups.ts';
import type { ReportEvent } from './report-event.ts';
import { LISTED, type SessionLine, type SessionReport, type NotInspected, type RefusalGroup } from './report.ts';
import { isCall, isModelCall } from './server-tally.ts';

/** Sessions that are told apart, the newest ones, and servers of one of them. */
const MOST = 1000;
const MOST_SERVERS = 100;

/** Types of events that are of no server that was connected. */
const OF_NO_SERVER: ReadonlySet<string> = new Set([DENIED_RESULT_TYPE, MODEL_REQUESTS_TYPE, SECRETS_TYPE, UNKNOWN_TOKENS_TYPE]);

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
    if (OF_NO_SERVER.has(event.type)) return;
    if (event.type !== DETECTION_TYPE && counts.servers.size < MOST_SERVERS) counts.servers.add(event.server);
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
    started: isoTime(first) ?? '',
    ended: isoTime(last) ?? '',
    servers: servers.size,
    calls,
    denied,
    model_calls: modelCalls,
    model_denied: modelDenied,
    flows,
  };
}

/** Counters of an ended connection that are summed up. */
const SUMS = [
  'messages_passed',
  'messages_refused',
  'answers_unasked',
  'results_read',
  'results_cut',
  'results_not_read',
] as const satisfies readonly (keyof NotInspected)[];

/** The most inspectors of one call that are counted; a store may have been edited. */
const MOST_INSPECTORS = 20;

type Sums = Record<(typeof SUMS)[number], number | null>;

/** Counts messages that were refused, and what was not looked at. */
export class TrafficTally {
  readonly #sums: Sums = Object.fromEntries(SUMS.map((name) => [name, null])) as Sums;
  readonly #refused = createCounts<Omit<RefusalGroup, 'count'>>();
  readonly #skipped = createCounts<{ readonly what: string; readonly why: string }>();
  readonly #inspectors = createCounts<{ readonly inspector: string }>();
  #withoutTurn = 0;

  add(event: ReportEvent): void {
    const { type, server, fields } = event;
    for (const skip of objectsOf(fields, 'skipped')) this.#skipped.add({ what: textOf(skip, 'what'), why: textOf(skip, 'why') });
    if (type === 'mcp_connection_ended') this.#addSums(event);
    if (type === 'mcp_message_refused')
      this.#refused.add({ from: textOf(fields, 'from'), server_id: server, reason: textOf(fields, 'reason') });
    if (isCall(event)) this.#addInspected(event);
  }

  refusals(): Pick<SessionReport, 'refused_messages' | 'refused_messages_left_off'> {
    const refused = this.#refused.top();
    return { refused_messages: refused, refused_messages_left_off: this.#refused.leftOff(refused) };
  }

  notInspected(): Omit<NotInspected, 'servers_not_ended'> {
    return {
      skipped: this.#skipped.top(),
      ...this.#sums,
      calls_without_turn: this.#withoutTurn,
      inspected_by: this.#inspectors.top(),
    };
  }

  #addInspected({ fields }: ReportEvent): void {
    const { inspectors } = fields;
    if (!Array.isArray(inspectors)) return;
    for (const inspector of inspectors.slice(0, MOST_INSPECTORS)) {
      if (typeof inspector === 'string') this.#inspectors.add({ inspector });
    }
    if (inspectors.includes('flow') && textOf(fields, 'turn_id') === '') this.#withoutTurn += 1;
  }

  #addSums({ fields }: ReportEvent): void {
    for (const name of SUMS) {
      const count = countOf(fields, name);
      if (count !== undefined) this.#sums[name] = (this.#sums[name] ?? 0) + count;
    }
  }
}
