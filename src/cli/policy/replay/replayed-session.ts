import { type Call, CLIENT_CALLS } from '../../../core/call.ts';
import { FLOW_ACTIONS, type FlowFinding, type FlowRuleName } from '../../../core/flow/finding.ts';
import { findFlows } from '../../../core/flow/find-flows.ts';
import { PastCalls } from '../../../core/flow/past-calls.ts';
import { LONGEST_WINDOW, type Evidence } from '../../../core/flow/window.ts';
import type { Flow } from '../../../core/policy/types.ts';
import type { Category } from '../../../core/registry/category.ts';
import type { RecordedCall } from './recorded-call.ts';

/** Sessions that are looked after before those are dropped in which nothing has happened for longer than any window. */
const MOST_SESSIONS = 256;

const NO_EVIDENCE: readonly Evidence[] = [];

interface Session {
  readonly calls: PastCalls;
  readonly servers: Set<string>;
  /** The record of a flow says so, although only one server was called. */
  hasMore: boolean;
  last: number;
}

/** What the record says of flows that were found, where it is about the same rules: undefined where nothing can be told from it. */
export type RecordedFlows = (rule: FlowRuleName) => boolean | undefined;

/** The sessions that calls on record are part of, as one policy would have let them go on. */
export class ReplayedSessions {
  readonly #flow: Flow;
  readonly #sessions = new Map<string, Session>();

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** What the rules on flow say of a call: as it is on record where that is known, else by kinds of tools, times and turns. */
  find(record: RecordedCall, categories: readonly Category[], recorded: RecordedFlows): readonly FlowFinding[] {
    const { call, time, turn } = record;
    if (!isConcerned(record) || !this.#flow.enabled) return [];
    const session = this.#enter(record);
    if (record.flow.length > 0) session.hasMore = true;
    const now = session.calls.nowFrom(time);
    const servers = Math.max(session.servers.size, session.hasMore ? 2 : 1);
    const calls = session.calls.list(now);
    const shadowed = record.flow.includes('shadow_tool') ? '?' : undefined;
    const facts = { now, calls, turn, servers, shadowed, evidence: () => NO_EVIDENCE };
    const found = servers < 2 ? [] : findFlows(call, { categories: () => categories, session: facts, flow: this.#flow });
    const kept = found.filter(({ rule }) => recorded(rule) !== false);
    const missed = (record.flow as readonly FlowRuleName[]).filter(
      (rule) => recorded(rule) === true && !kept.some((finding) => finding.rule === rule),
    );
    return [...kept, ...missed.map((rule) => this.#toFinding(rule))].sort(
      (a, b) => FLOW_ACTIONS.indexOf(b.action) - FLOW_ACTIONS.indexOf(a.action),
    );
  }

  /** Notes a call that would have gone on. */
  note(record: RecordedCall, categories: readonly Category[]): void {
    if (!isConcerned(record) || !this.#flow.enabled) return;
    const { id, time, turn, call } = record;
    const { server, method } = call;
    const subject = call.tool ?? call.resource ?? call.prompt ?? '';
    this.#enter(record).calls.add({ id, time, server, method, subject, categories, turn, isForwarded: true });
  }

  #enter({ session: name, call, time }: RecordedCall): Session {
    let session = this.#sessions.get(name);
    if (session === undefined) {
      if (this.#sessions.size >= MOST_SESSIONS) this.#drop(time);
      session = { calls: new PastCalls(), servers: new Set(), hasMore: false, last: time };
      this.#sessions.set(name, session);
    }
    session.servers.add(call.server);
    session.last = Math.max(session.last, time);
    return session;
  }

  #drop(time: number): void {
    for (const [name, { last }] of this.#sessions) if (time - last > LONGEST_WINDOW) this.#sessions.delete(name);
  }

  #toFinding(rule: FlowRuleName): FlowFinding {
    const severity = rule === 'read_then_send' || rule === 'shadow_tool' ? 'critical' : 'high';
    return { rule, severity, action: settingsOf(this.#flow, rule).action, reason: '', related: [], evidence: undefined };
  }
}

/** What a policy says of one rule on flow. */
export function settingsOf(flow: Flow, rule: FlowRuleName): Flow['burst'] | Flow['readThenSend'] | Flow['shadowTool'] {
  const settings = {
    read_then_send: flow.readThenSend,
    cross_server_flow: flow.crossServerFlow,
    burst: flow.burst,
    shadow_tool: flow.shadowTool,
  };
  return settings[rule];
}

/** Where a model's call is executed, it is a call again, and that one counts. */
function isConcerned({ call, isModelCall }: { readonly call: Call; readonly isModelCall: boolean }): boolean {
  return !isModelCall && CLIENT_CALLS.has(call.method);
}
