import type { Call } from '../../../core/call.ts';
import { decide } from '../../../core/decide.ts';
import type { Decision, Finding } from '../../../core/decision.ts';
import type { DetectionFacts } from '../../../core/detect/facts.ts';
import { FLOW_RULES, type FlowRuleName } from '../../../core/flow/finding.ts';
import type { CompiledPolicy } from '../../../core/policy/compile.ts';
import type { Reading } from '../../../core/policy/match-context.ts';
import type { PathContext } from '../../../core/policy/paths.ts';
import { createSubject } from '../../../core/policy/subject.ts';
import type { Bucket } from '../../../core/rate/bucket.ts';
import type { Category } from '../../../core/registry/category.ts';
import { CATEGORIES } from '../../../core/registry/category.ts';
import type { PinStatus, RegistryFacts } from '../../../core/registry/facts.ts';
import type { Choose } from '../../../core/replay/explore.ts';
import type { createMatchUnknown } from '../../../core/replay/match-unknown.ts';
import type { Reach } from '../../../core/self/find-reach.ts';
import type { Snapshot } from '../../../core/snapshot.ts';
import { Rates } from '../../../gate/rates.ts';
import type { RecordedCall } from './recorded-call.ts';
import { type RecordedFlows, ReplayedSessions, settingsOf } from './replayed-session.ts';

const NO_REAL_PATHS: ReadonlyMap<string, string> = new Map();

/** What reached for clawai was denied then, and stays so: nothing is looked for. */
const NO_REACH: Reach = { isOurs: false, texts: 0, toResolve: new Map() };

/** A call on record, with what is known of it beside the record itself. */
export interface Replayed {
  readonly record: RecordedCall;
  /** Undefined where all of its arguments are known. */
  readonly matchUnknown: ReturnType<typeof createMatchUnknown> | undefined;
  /** What its arguments read as, which is the same however things were. */
  readonly reading: Reading;
  /** What may have been known of its definition. */
  readonly statuses: readonly PinStatus[];
  readonly fingerprint: string | undefined;
  /** It is a model's, and whether its name was that of a known server's tool is not on record. */
  readonly isServerDoubted: boolean;
  /** The policy that decided then, where it is at hand. */
  readonly decider: CompiledPolicy | undefined;
}

/** A policy that decides calls on record, one after the other, each with what the ones before would have left. */
export class ReplayedPolicy {
  readonly policy: CompiledPolicy;
  /** Earlier calls matter to what it decides. */
  readonly isStateful: boolean;
  readonly #paths: PathContext;
  readonly #sessions: ReplayedSessions;
  readonly #rates: Rates;
  readonly #isFlowActing: boolean;
  readonly #asksCategory: boolean;
  readonly #fingerprints: readonly string[];
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
    // Who had a name first is on record, and nothing else has a part in it.
    this.isStateful = rateLimits.enabled || (flow.enabled && FLOW_RULES.some((rule) => rule !== 'shadow_tool' && isActing(rule)));
    const conditions = policy.rules.flatMap((rule) => (rule.unless === undefined ? [rule] : [rule, rule.unless]));
    this.#asksCategory = conditions.some(({ categories }) => categories !== undefined);
    this.#fingerprints = [...new Set(conditions.flatMap(({ fingerprints }) => fingerprints ?? []))];
  }

  /** Decides a call, supposing what is not known of it. Takes no note of it. */
  decide(replayed: Replayed, choose: Choose): Decision {
    const { record } = replayed;
    this.#now = record.time;
    const categories = this.categoriesOf(record, choose);
    const registry = this.#registryOf(replayed, choose);
    const detection = this.#detectionOf(record, choose);
    const flows = this.#isFlowActing ? this.#sessions.find(record, categories, this.#recordedFlows(replayed)) : [];
    // A model's call takes its token where it is executed.
    const rates = record.isModelCall ? undefined : this.#rates.snapshot(record.call);
    return decide(this.#callOf(replayed, choose), {
      ...this.#snapshot(replayed, choose),
      categories,
      registry,
      flows,
      ...(detection === undefined ? {} : { detection }),
      ...(rates === undefined ? {} : { rates }),
    });
  }

  /** Notes that a call would have gone on. */
  note(record: RecordedCall): void {
    if (!this.isStateful) return;
    this.#now = record.time;
    this.#sessions.note(record, this.categoriesOf(record, first));
    if (!record.isModelCall) this.#rates.spend(record.call);
  }

  /** As they are on record, unless the policy says better. Where they are not, the name tells a part of them. */
  categoriesOf(record: RecordedCall, choose: Choose): readonly Category[] {
    const { call, categories: recorded } = record;
    const { policy } = this;
    const { tool } = call;
    const isSaid = tool === undefined || policy.classify.some(({ matches }) => matches(tool));
    if (!isSaid && recorded !== undefined) return recorded;
    const named = createSubject(call, { policy }).categories();
    if (isSaid || !this.#asksCategory) return named;
    return choose('category', [named, ...CATEGORIES.filter((each) => !named.includes(each)).map((each) => [...named, each])]);
  }

  #callOf({ record: { call }, isServerDoubted }: Replayed, choose: Choose): Call {
    if (!isServerDoubted || this.policy.policy.defaults.unmappedTool === 'allow') return call;
    return choose('server', [call, { ...call, origin: 'unmapped' }]);
  }

  #snapshot(
    { matchUnknown, reading }: Replayed,
    choose: Choose,
  ): Pick<Snapshot, 'policy' | 'paths' | 'realPaths' | 'reach' | 'reading' | 'matches'> {
    const rest = { policy: this.policy, paths: this.#paths, realPaths: NO_REAL_PATHS, reach: NO_REACH, reading };
    return matchUnknown === undefined ? rest : { ...rest, matches: matchUnknown(choose) };
  }

  /** Whether it was trusted is supposed where the policy asks for that. */
  #registryOf({ statuses, fingerprint }: Replayed, choose: Choose): RegistryFacts {
    const named = this.#fingerprints.slice(0, MOST_FINGERPRINTS);
    return {
      get status() {
        return choose('definition', statuses);
      },
      fingerprint: fingerprint ?? (named.length === 0 ? undefined : choose('fingerprint', ['another', ...named])),
      definition: () => undefined,
      isServerChanged: false,
    };
  }

  #detectionOf({ detections, call, reason }: RecordedCall, choose: Choose): DetectionFacts | undefined {
    const { enabled, onDefinition, requireApproval } = this.policy.policy.detection;
    if (!enabled || (onDefinition === 'alert' && !requireApproval)) return undefined;
    const about = { server: call.server, tool: call.tool };
    const rules = detections.filter((rule) => this.policy.suppressionOf(rule, about) === undefined);
    if (rules.length === 0) return undefined;
    const toFindings = (severity: Finding['severity']): readonly Finding[] => rules.map((rule) => ({ rule, severity }));
    const found = (severity: Finding['severity']): DetectionFacts => ({
      findings: toFindings(severity),
      ofServer: [],
      isApproved: false,
    });
    const open = [found('high'), found('critical')];
    return choose('detection', reason === 'detection' ? open : [undefined, ...open]);
  }

  /** What was found then is what this policy would find, where the policy that decided then has the rule in the same words. */
  #recordedFlows({ record, decider }: Replayed): RecordedFlows {
    if (decider === undefined || NOT_ASKED.has(record.reason)) return unknownFlow;
    const then = decider.policy.flow;
    const { flow } = this.policy.policy;
    const textOf = (of: typeof flow, rule: FlowRuleName): string => JSON.stringify({ ...settingsOf(of, rule), action: '' });
    return (rule) => (then.enabled && textOf(then, rule) === textOf(flow, rule) ? record.flow.includes(rule) : undefined);
  }
}

const MOST_FINGERPRINTS = 8;

/** Reasons of decisions that were made before flows were asked about. */
const NOT_ASKED: ReadonlySet<string> = new Set(['self', 'server_policy', 'unmapped_tool', 'too_many_paths', 'malformed']);

const unknownFlow: RecordedFlows = () => undefined;

const first: Choose = (_what, [option]) => option as NonNullable<typeof option>;
