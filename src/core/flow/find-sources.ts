import type { Call, Category } from '../call.ts';
import type { SessionFacts } from '../facts.ts';
import { type Evidence, FLOW_ACTIONS, type FlowAction, type FlowFinding, type PastCall } from '../finding.ts';
import type { EvidenceKind, Flow } from '../policy/parse-flow.ts';

/** A call that the rules look at, with all the facts that they may use. */
export interface Suspect {
  readonly call: Call;
  readonly session: SessionFacts;
  readonly flow: Flow;
  /** The kinds of the called tool; computed when a rule asks. */
  readonly categories: () => readonly Category[];
}

/** A rule on flow: returns its finding in a call, or undefined if it is switched off or finds nothing. */
export type FlowRule = (suspect: Suspect) => FlowFinding | undefined;

/** Most earlier calls that a finding names; the newest ones. */
export const MOST_RELATED = 10;

/** The conditions on earlier calls. */
export interface SourceQuery {
  /** Milliseconds. */
  readonly window: number;
  readonly evidence: EvidenceKind;
  /** True for those of the same turn only; an unknown turn never matches. Ignored when a value is required. */
  readonly isSameTurn: boolean;
}

/** The possible sources of the data that a call passes on. */
export interface Sources {
  /** Oldest first, at least one. */
  readonly related: readonly PastCall[];
  /** The one of them to name: the value's source, or the newest. */
  readonly named: PastCall;
  readonly evidence: Evidence | undefined;
}

/** The strictest action of the rules that look for what a result gave; undefined if none does. */
export function asksForResults(flow: Flow): FlowAction | undefined {
  const { enabled, steeredCall } = flow;
  const values = asksForValues(flow);
  if (!enabled || !steeredCall.enabled) return values;
  return FLOW_ACTIONS.findLast((action) => action === values || action === steeredCall.action);
}

/** The strictest action of the rules that require a value of another server; undefined if none does. */
export function asksForValues(flow: Flow): FlowAction | undefined {
  if (!flow.enabled) return undefined;
  const asking = [flow.readThenSend, flow.crossServerFlow].filter((rule) => rule.enabled && rule.evidence === 'value');
  return FLOW_ACTIONS.findLast((action) => asking.some((rule) => rule.action === action));
}

/**
 * Finds calls of other servers that a call may pass data on from: readers or, if a value is required, calls whose results had a value of
 * its arguments, whatever they did. If readers are required and found, values are looked for as well.
 */
export function findSources(suspect: Suspect, query: SourceQuery): Sources | undefined {
  const readers = query.evidence === 'value' ? [] : findReaders(suspect, query);
  if (query.evidence === 'category' && readers.length === 0) return undefined;
  const source = findValue(suspect, query.window);
  if (source === undefined) {
    const [newest] = readers;
    return newest === undefined ? undefined : { related: readers.toReversed(), named: newest, evidence: undefined };
  }
  const others = readers.filter((reader) => reader !== source.call).slice(0, MOST_RELATED - 1);
  const related = suspect.session.calls.filter((call) => call === source.call || others.includes(call));
  return { related, named: source.call, evidence: source.evidence };
}

/** Newest first. */
function findReaders({ call, session }: Suspect, { window, isSameTurn }: SourceQuery): readonly PastCall[] {
  const { calls, now, turn } = session;
  const found: PastCall[] = [];
  if (isSameTurn && turn === undefined) return found;
  for (let i = calls.length - 1; i >= 0 && found.length < MOST_RELATED; i--) {
    const past = calls[i];
    if (past === undefined || past.server === call.server || !past.isForwarded || !isWithin(past, window, now)) continue;
    if (isSameTurn && past.turn !== turn) continue;
    if (past.categories.includes('read')) found.push(past);
  }
  return found;
}

/** The newest call with such a value. */
function findValue({ call, session }: Suspect, window: number): { call: PastCall; evidence: Evidence } | undefined {
  const values = session.evidence();
  if (values.length === 0) return undefined;
  const bySource = new Map(values.toReversed().map((value) => [value.source, value]));
  const { calls, now } = session;
  const past = calls.findLast(
    (each) => bySource.has(each.id) && each.server !== call.server && each.isForwarded && isWithin(each, window, now),
  );
  const evidence = past === undefined ? undefined : bySource.get(past.id);
  return past === undefined || evidence === undefined ? undefined : { call: past, evidence };
}

/** Tells whether a call was made within a window, in milliseconds, before now. One that seems to be later was just made. */
export function isWithin({ time }: PastCall, window: number, now: number): boolean {
  return now - time <= window;
}
