import { type Call, type Category, CLIENT_CALLS } from '../../../core/call.ts';
import { onArgumentsOf } from '../../../core/outgoing/secrets-of-call.ts';
import { decide } from '../../../core/decide/decide.ts';
import type { Snapshot } from '../../../core/decide/snapshot.ts';
import type { Decision } from '../../../core/decision.ts';
import { type Bucket, type DetectionFacts, LONGEST_WINDOW, type PinStatus, type RegistryFacts } from '../../../core/facts.ts';
import {
  type Evidence,
  FLOW_ACTIONS,
  FLOW_RULES,
  type FlowFinding,
  type FlowRuleName,
  type PastCall,
} from '../../../core/finding.ts';
import { findFlows } from '../../../core/flow/find-flows.ts';
import { asksForResults } from '../../../core/flow/find-sources.ts';
import { PastCalls } from '../../../core/flow/past-calls.ts';
import type { CompiledPolicy } from '../../../core/match/compile.ts';
import type { Reading } from '../../../core/match/reading.ts';
import type { PathContext } from '../../../core/match/paths-to-resolve.ts';
import { createSubject } from '../../../core/match/subject.ts';
import type { Flow } from '../../../core/policy/parse-flow.ts';
import type { Reach } from '../../../core/self/find-reach.ts';
import { Rates } from '../../../gate/calls/rates.ts';
import type { RecordedCall } from './recorded-call.ts';
import { matchKnown, type UnknownValues } from './unknown-values.ts';
import type { Doubt } from './verdict.ts';

/** Notes what is not on record of a call, where a policy asks for it. */
export type OnDoubt = (doubt: Doubt) => void;

const NO_REAL_PATHS: ReadonlyMap<string, string> = new Map();

/** An empty reach: calls that reached for clawai were denied then, and stay so. */
const NO_REACH: Reach = { isOurs: false, texts: 0, toResolve: new Map() };

/** A call on record, with what is known of it beside the record itself. */
export interface Replayed {
  readonly record: RecordedCall;
  /** The arguments that are not known; undefined if all are. */
  readonly unknown: UnknownValues | undefined;
  /** The readings of its arguments, which all policies share. */
  readonly reading: Reading;
  /** Possible statuses of its definition at the time. */
  readonly statuses: readonly PinStatus[];
  readonly fingerprint: string | undefined;
  /** True if it is a model's call and no record tells whether its name was that of a known server's tool. */
  readonly isServerDoubted: boolean;
  /** The policy that decided then, where it is at hand. */
  readonly decider: CompiledPolicy | undefined;
}

/** A policy that decides calls on record, one after the other, each with what the ones before would have left. */
export class ReplayedPolicy {
  readonly policy: CompiledPolicy;
  /** True if earlier calls matter to its decisions. */
  readonly isStateful: boolean;
  readonly #paths: PathContext;
  readonly #sessions: ReplayedSessions;
  readonly #rates: Rates;
  readonly #isFlowActing: boolean;
  readonly #asksCategory: boolean;
  readonly #asksValue: boolean;
  readonly #asksFingerprint: boolean;
  #now = 0;

  constructor(policy: CompiledPolicy, paths: PathContext) {
    this.policy = policy;
    this.#paths = paths;
    const { flow, rateLimits } = policy.policy;
    this.#sessions = new ReplayedSessions(flow);
    const buckets = new Map<string, Bucket>();
    const clock = { now: () => this.#now, elapsed: () => 0 };
    const ports = {
      clock,
      buckets: { read: (key: string) => buckets.get(key), write: (key: string, bucket: Bucket) => void buckets.set(key, bucket) },
    };
    this.#rates = new Rates(ports, () => policy);
    const isActing = (rule: FlowRuleName): boolean => {
      const { enabled, action } = settingsOf(flow, rule);
      return enabled && action !== 'alert';
    };
    this.#isFlowActing = flow.enabled && FLOW_RULES.some(isActing);
    this.#asksValue = this.#isFlowActing && asksForResults(flow) !== undefined;
    // The record tells which server had a name first, and `shadow_tool` depends on nothing else.
    this.isStateful = rateLimits.enabled || (flow.enabled && FLOW_RULES.some((rule) => rule !== 'shadow_tool' && isActing(rule)));
    const conditions = policy.rules.flatMap((rule) => (rule.unless === undefined ? [rule] : [rule, rule.unless]));
    this.#asksCategory = conditions.some(({ categories }) => categories !== undefined);
    this.#asksFingerprint = conditions.some(({ fingerprints }) => fingerprints !== undefined);
  }

  /** Decides a call by what is known of it. Takes no note of it. */
  decide(replayed: Replayed, onDoubt: OnDoubt): Decision {
    const { record } = replayed;
    this.#now = record.time;
    const categories = this.categoriesOf(record, onDoubt);
    const registry = this.#registryOf(replayed, onDoubt);
    const detection = this.#detectionOf(record, onDoubt);
    const recorded = this.#recordedFlows(replayed);
    const flowsBy = (evidence: EvidenceOf): readonly FlowFinding[] =>
      this.#isFlowActing ? this.#sessions.find(record, { categories, recorded, evidence }) : [];
    // A model's call takes its token where it is executed.
    const rates = record.isModelCall ? undefined : this.#rates.snapshot(record.call);
    const snapshot: Snapshot = {
      ...this.#snapshot(replayed, onDoubt),
      categories,
      registry,
      flows: flowsBy(noValue),
      ...(detection === undefined ? {} : { detection }),
      ...(rates === undefined ? {} : { rates }),
    };
    const decision = decide(record.call, snapshot);
    if (this.#asksValue && mayHaveValue(replayed)) {
      const ifAny = decide(record.call, { ...snapshot, flows: flowsBy(anyValue) });
      if (ifAny.action !== decision.action) onDoubt('value');
    }
    // Secrets are not on record, only their marks.
    const isUnsought = decision.action !== 'deny' && onArgumentsOf(this.policy.policy, record.call.server) !== 'alert';
    if (isUnsought && this.policy.policy.dlp.enabled && replayed.unknown !== undefined) onDoubt('args');
    const mayBeUnmapped = replayed.isServerDoubted && this.policy.policy.defaults.unmappedTool !== 'allow';
    if (mayBeUnmapped && decision.action !== 'deny') onDoubt('server');
    return decision;
  }

  /** Notes that a call would have gone on. */
  note(record: RecordedCall): void {
    if (!this.isStateful) return;
    this.#now = record.time;
    this.#sessions.note(
      record,
      this.categoriesOf(record, () => {}),
    );
    if (!record.isModelCall) this.#rates.spend(record.call);
  }

  /** The categories that the policy sets, else those on record, else those that the name tells. */
  categoriesOf(record: RecordedCall, onDoubt: OnDoubt): readonly Category[] {
    const { call, categories: recorded } = record;
    const { policy } = this;
    const { tool } = call;
    const isDeclared = tool === undefined || policy.classify.some(({ matches }) => matches(tool));
    if (!isDeclared && recorded !== undefined) return recorded;
    const named = createSubject(call, { policy }).categories();
    if (!isDeclared && this.#asksCategory) onDoubt('category');
    return named;
  }

  #snapshot(
    { record, unknown, reading }: Replayed,
    onDoubt: OnDoubt,
  ): Pick<Snapshot, 'policy' | 'paths' | 'realPaths' | 'reach' | 'reading' | 'matches'> {
    const rest = { policy: this.policy, paths: this.#paths, realPaths: NO_REAL_PATHS, reach: NO_REACH, reading };
    return unknown === undefined ? rest : { ...rest, matches: matchKnown(record.call.args, unknown, () => onDoubt('args')) };
  }

  #registryOf({ record, statuses, fingerprint }: Replayed, onDoubt: OnDoubt): RegistryFacts {
    const { pinning, defaults, schema } = this.policy.policy;
    // Definitions are not on record.
    if (record.reason === 'schema' && schema.enabled && schema.onMismatch !== 'alert') onDoubt('definition');
    // A status that the policy ignores counts as trusted.
    const mattering: Readonly<Record<PinStatus, boolean>> = {
      pinned: true,
      changed: pinning.enabled && pinning.onChange !== 'alert',
      new: pinning.enabled && !pinning.trustFirstUse,
      unlisted: defaults.unknownServer === 'deny',
    };
    const toMattering = (status: PinStatus): PinStatus => (mattering[status] ? status : 'pinned');
    if (fingerprint === undefined && this.#asksFingerprint) onDoubt('fingerprint');
    return {
      get status() {
        if (new Set(statuses.map(toMattering)).size > 1) onDoubt('definition');
        return toMattering(statuses[0] ?? 'pinned');
      },
      fingerprint,
      definition: () => undefined,
      isServerChanged: false,
    };
  }

  #detectionOf({ detections, call, reason }: RecordedCall, onDoubt: OnDoubt): DetectionFacts | undefined {
    const { enabled, onDefinition, requireApproval } = this.policy.policy.detection;
    if (!enabled || (onDefinition === 'alert' && !requireApproval)) return undefined;
    const about = { server: call.server, tool: call.tool };
    const rules = detections.filter((rule) => this.policy.suppressionOf(rule, about) === undefined);
    if (rules.length === 0) return undefined;
    if (reason !== 'detection') onDoubt('detection');
    return { findings: rules.map((rule) => ({ rule, severity: 'high' })), ofServer: [], isApproved: false };
  }

  /** Recorded findings of a rule hold for this policy if the one that decided then has the rule in the same words. */
  #recordedFlows({ record, decider }: Replayed): RecordedFlows {
    if (decider === undefined || NOT_ASKED.has(record.reason)) return unknownFlow;
    const then = decider.policy.flow;
    const { flow } = this.policy.policy;
    const textOf = (of: typeof flow, rule: FlowRuleName): string => JSON.stringify({ ...settingsOf(of, rule), action: '' });
    return (rule) => (then.enabled && textOf(then, rule) === textOf(flow, rule) ? record.flow.includes(rule) : undefined);
  }
}

/** Reasons of decisions that were made before flows were asked about. */
const NOT_ASKED: ReadonlySet<string> = new Set(['self', 'server_policy', 'unmapped_tool', 'too_many_paths', 'malformed']);

const unknownFlow: RecordedFlows = () => undefined;

/** The most sessions before idle ones are dropped, in which nothing happened for longer than any window. */
const MOST_SESSIONS = 256;

/** The evidence that is assumed for the calls before: results are not on record. */
type EvidenceOf = (calls: readonly PastCall[]) => readonly Evidence[];

const noValue: EvidenceOf = () => [];
const anyValue: EvidenceOf = (calls) => calls.map(({ id }) => ({ source: id, encoding: 'plain', description: '' }));

/** Tells whether a call's arguments may have a value of a result in them: any does, as none is on record. */
function mayHaveValue({ record: { call }, unknown }: Replayed): boolean {
  return unknown !== undefined || Object.keys(call.args ?? {}).length > 0;
}

interface Finding {
  readonly categories: readonly Category[];
  readonly recorded: RecordedFlows;
  readonly evidence: EvidenceOf;
}

interface Session {
  readonly calls: PastCalls;
  readonly servers: Set<string>;
  /** True if a recorded flow shows more servers than the one that was called. */
  hasMore: boolean;
  last: number;
}

/** Tells whether a flow rule found something on record; undefined if the record can't tell for this policy. */
type RecordedFlows = (rule: FlowRuleName) => boolean | undefined;

/** The sessions that calls on record are part of, as one policy would have let them go on. */
class ReplayedSessions {
  readonly #flow: Flow;
  readonly #sessions = new Map<string, Session>();

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** Finds the flows of a call: from the record if that tells, else by kinds of tools, times and turns. */
  find(record: RecordedCall, { categories, recorded, evidence }: Finding): readonly FlowFinding[] {
    const { call, time, turn } = record;
    if (!isConcerned(record) || !this.#flow.enabled) return [];
    const session = this.#enter(record);
    if (record.flow.length > 0) session.hasMore = true;
    const now = session.calls.nowFrom(time);
    const servers = Math.max(session.servers.size, session.hasMore ? 2 : 1);
    const calls = session.calls.list(now);
    const shadowed = record.flow.includes('shadow_tool') ? '?' : undefined;
    const facts = { now, calls, turn, servers, shadowed, evidence: () => evidence(calls) };
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

/** A policy's settings for one rule on flow. */
function settingsOf(
  flow: Flow,
  rule: FlowRuleName,
): Flow['burst'] | Flow['readThenSend'] | Flow['steeredCall'] | Flow['shadowTool'] {
  const settings = {
    read_then_send: flow.readThenSend,
    cross_server_flow: flow.crossServerFlow,
    steered_call: flow.steeredCall,
    burst: flow.burst,
    shadow_tool: flow.shadowTool,
  };
  return settings[rule];
}

/** Tells whether rules on flow count a call. A model's call does not count: its execution is a call again. */
function isConcerned({ call, isModelCall }: { readonly call: Call; readonly isModelCall: boolean }): boolean {
  return !isModelCall && CLIENT_CALLS.has(call.method);
}
