import type { Call, Category } from '../call.ts';
import type { SessionFacts } from '../facts.ts';
import { type Evidence, FLOW_ACTIONS, type FlowAction, type FlowFinding, type PastCall } from '../finding.ts';
import type { EvidenceKind, Flow } from '../policy/parse-flow.ts';

/** A call that the rules look at, with all that they may know of it. */
export interface Suspect {
  readonly call: Call;
  readonly session: SessionFacts;
  readonly flow: Flow;
  /** What kind of tool is called; worked out when a rule asks. */
  readonly categories: () => readonly Category[];
}

/** A rule on flow: what it finds in a call, or undefined where it is switched off or has nothing against it. */
export type FlowRule = (suspect: Suspect) => FlowFinding | undefined;

/** Earlier calls that a finding names at most; the newest ones. */
export const MOST_RELATED = 10;

/** Which earlier calls are asked for. */
export interface SourceQuery {
  /** Milliseconds. */
  readonly window: number;
  readonly evidence: EvidenceKind;
  /** Only those of the same turn; an unknown one is never the same. Does not matter where a value is asked for. */
  readonly isSameTurn: boolean;
}

/** Where what a call passes on may come from. */
export interface Sources {
  /** Oldest first, at least one. */
  readonly related: readonly PastCall[];
  /** The one of them to name: whose value it is, or the newest. */
  readonly named: PastCall;
  readonly evidence: Evidence | undefined;
}

/** The strictest action of the rules that ask for a value that flows; undefined where none does. */
export function asksForValues({ enabled, readThenSend, crossServerFlow }: Flow): FlowAction | undefined {
  if (!enabled) return undefined;
  const asking = [readThenSend, crossServerFlow].filter((rule) => rule.enabled && rule.evidence === 'value');
  return FLOW_ACTIONS.findLast((action) => asking.some((rule) => rule.action === action));
}

/**
 * Finds calls of other servers that a call may pass something on from: those that read, or, where a value is asked for, those whose
 * results had a value that is in its arguments, whatever they did. Where readers are asked for and found, values are looked for as well.
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

/** Was a call made in a window, in milliseconds, before now? One that seems to come later was just made. */
export function isWithin({ time }: PastCall, window: number, now: number): boolean {
  return now - time <= window;
}
