import { BODY_TYPES, MODEL_REQUESTS_TYPE, SECRETS_TYPE, UNKNOWN_TOKENS_TYPE } from '../../audit/event-types.ts';
import type { RequestFate } from '../../gate/ports/records.ts';
import type { Approval } from '../../gate/ports/approval-port.ts';
import type { SessionBy } from '../../gate/ports/session-port.ts';
import type { StoredEvent } from '../../store/reading/read.ts';
import { isoTime } from '../terminal/layout.ts';
import { countOf, textOf } from '../log/event-fields.ts';
import { CallCounts, createCounts, Groups } from './groups.ts';
import { toReportEvent, type ReportEvent } from './report-event.ts';
import { ChangeTally, FindingTally, FlowTally } from './finding-tally.ts';
import { DenialTally, ModelCallsHeld } from './denial-tally.ts';
import { LISTED, type Approvals, type ServerReport, type SessionReport } from './report.ts';
import { isCall, isModelCall, ServerTally } from './server-tally.ts';
import { SessionTally, TrafficTally } from './session-tally.ts';

/** The session and the time of the events. Times are milliseconds since the epoch. */
export interface ReportScope {
  /** Undefined: whatever sessions there are. */
  readonly session: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * Sums events up in one pass, oldest first. What is kept does not grow with their number: counts, and names, so many of them.
 * Nothing in a body is taken for granted.
 */
export function summarise(events: Iterable<StoredEvent>, scope: ReportScope): SessionReport {
  const tally = new Tally();
  for (const event of events) tally.add(toReportEvent(event));
  return tally.report(scope);
}

class Tally {
  readonly #count = { all: 0, erased: 0, unreadable: 0 };
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  readonly #held = new ModelCallsHeld();
  #fromAnswers = 0;
  readonly #byUrl: Record<SessionBy, number> = { process: 0, servers: 0, url: 0 };
  readonly #sessions = new SessionTally();
  readonly #servers = new Groups<{ readonly name: string }, { readonly tally: ServerTally }>(() => ({
    tally: new ServerTally(),
  }));
  readonly #calls = new CallCounts();
  readonly #modelCalls = new CallCounts();
  readonly #requests: Record<RequestFate, number> = { checked: 0, refused: 0, unchecked: 0 };
  readonly #secrets = new Groups<{ readonly kind: string; readonly mode: string }, { secrets: number }>(() => ({ secrets: 0 }));
  readonly #flows = new FlowTally();
  readonly #denials = new DenialTally();
  readonly #changes = new ChangeTally();
  readonly #findings = new FindingTally();
  readonly #traffic = new TrafficTally();
  readonly #people = createCounts<{ readonly by: string }>();
  readonly #policies = createCounts<{ readonly hash: string }>();
  readonly #policyChanges = createCounts<{ readonly status: string }>();

  add(event: ReportEvent): void {
    this.#count.all += 1;
    if (event.state !== 'read') this.#count[event.state] += 1;
    this.#first = Math.min(this.#first, event.time);
    this.#last = Math.max(this.#last, event.time);
    this.#flows.add(event);
    // A body belongs to no server, and happened only as the calls that are recorded besides.
    if (isBody(event)) return;
    if (event.type === MODEL_REQUESTS_TYPE) return this.#addRequests(event);
    if (event.type === SECRETS_TYPE || event.type === UNKNOWN_TOKENS_TYPE) return this.#addSecrets(event);
    if (this.#held.drop(event) && !isModelCall(event)) this.#fromAnswers += 1;
    const counted = this.#held.hold(event);
    if (counted !== undefined) this.#tally(counted);
  }

  #tally(event: ReportEvent): void {
    this.#sessions.add(event);
    this.#servers.add({ name: event.server })?.tally.add(event);
    this.#findings.add(event);
    this.#traffic.add(event);
    if (isCall(event)) this.#addCall(event);
    if (event.type === 'mcp_tool_changed' || event.type === 'mcp_server_changed') this.#changes.add(event);
    const status = event.type === 'mcp_policy_changed' ? textOf(event.fields, 'status') : '';
    if (status !== '') this.#policyChanges.add({ status });
  }

  #addRequests(event: ReportEvent): void {
    this.#sessions.add(event);
    for (const fate of ['checked', 'refused', 'unchecked'] as const)
      this.#requests[fate] += countOf(event.fields, `requests_${fate}`) ?? 0;
  }

  #addSecrets(event: ReportEvent): void {
    this.#sessions.add(event);
    this.#findings.add(event);
    if (event.type === UNKNOWN_TOKENS_TYPE) return;
    const { fields } = event;
    const group = this.#secrets.add({ kind: textOf(fields, 'secret_kind'), mode: textOf(fields, 'dlp_mode') });
    if (group !== undefined) group.secrets += countOf(fields, 'count') ?? 0;
  }

  #addCall(event: ReportEvent): void {
    const { fields } = event;
    const by = textOf(fields, 'session_by');
    if (by === 'process' || by === 'servers' || by === 'url') this.#byUrl[by] += 1;
    (isModelCall(event) ? this.#modelCalls : this.#calls).add(event.action, fields);
    this.#denials.add(event);
    const people = [textOf(fields, 'approved_by'), textOf(fields, 'refused_by')].filter((person) => person !== '');
    for (const person of people) this.#people.add({ by: person });
    const hash = textOf(fields, 'policy_hash');
    if (hash !== '') this.#policies.add({ hash });
  }

  report({ session, since, until }: ReportScope): SessionReport {
    for (const event of this.#held.release()) this.#tally(event);
    const isEmpty = this.#count.all === 0;
    const known = this.#servers.all();
    const all = known.map(({ name, tally }) => tally.report(name));
    const connected = new Set(known.flatMap(({ name, tally }) => (tally.isConnected ? [name] : [])));
    const sum = (count: (server: (typeof all)[number]) => number): number =>
      all.reduce((total, server) => total + count(server), 0);
    const callsOf = ({ calls, model_calls: ofModel }: ServerReport): number => Math.max(calls.total, ofModel.total);
    const servers = all.toSorted((one, other) => callsOf(other) - callsOf(one)).slice(0, LISTED);
    return {
      session_id: session ?? null,
      since: isoTime(since),
      until: isoTime(until),
      started: isEmpty ? null : isoTime(this.#first),
      ended: isEmpty ? null : isoTime(this.#last),
      duration_ms: isEmpty ? 0 : this.#last - this.#first,
      events: this.#count.all,
      events_erased: this.#count.erased,
      events_unreadable: this.#count.unreadable,
      ...this.#sessions.report(),
      servers_connected: connected.size,
      servers_called: all.filter(({ calls }) => calls.total > 0).length,
      tools_seen: sum(({ tools_seen }) => tools_seen),
      tools_called: sum(({ tools_called }) => tools_called),
      tools_changed: sum(({ tools_changed }) => tools_changed),
      calls: this.#calls.numbers(),
      calls_from_answers: this.#fromAnswers,
      calls_by_url: { ...this.#byUrl },
      model_calls: this.#modelCalls.numbers(),
      model_requests: { ...this.#requests },
      request_secrets: this.#secrets.top().map(({ kind, mode, secrets }) => ({ kind, mode, count: secrets })),
      ...this.#flows.report(),
      ...this.#denials.report(),
      ...this.#changes.report(),
      ...this.#findings.report(),
      approvals: this.#approvals(),
      servers,
      servers_left_off: all.length - servers.length + (this.#servers.leftOff(known) > 0 ? 1 : 0),
      ...this.#traffic.refusals(),
      not_inspected: {
        ...this.#traffic.notInspected(),
        servers_not_ended: servers.flatMap(({ server_id: name, connections_ended: ended }) =>
          ended === 0 && connected.has(name) ? [name] : [],
        ),
      },
      policies: { hashes: this.#policies.top().map(({ hash }) => hash), changes: this.#policyChanges.top() },
    };
  }

  #approvals(): Approvals {
    const ofModel = this.#modelCalls.numbers().asked;
    const asked = Object.entries(this.#calls.numbers().asked).map(([name, count]) => [name, count + ofModel[name as Approval]]);
    return { ...(Object.fromEntries(asked) as Record<Approval, number>), answered_by: this.#people.top() };
  }
}

function isBody({ type }: ReportEvent): boolean {
  return type === BODY_TYPES.request || type === BODY_TYPES.answer;
}
