import { CANARY_SERVER } from '../../../audit/event-types.ts';
import { type Action, type Decision, ruleName } from '../../../core/decision.ts';
import type { CompiledPolicy } from '../../../core/match/compile.ts';
import type { PathContext } from '../../../core/match/paths-to-resolve.ts';
import { Reading } from '../../../core/match/reading.ts';
import { findUnknownValues } from './unknown-values.ts';
import type { KnownDefinitions } from './known-definitions.ts';
import { type RecordedCall, readRecordedCall, type RecordedLine } from './recorded-call.ts';
import { ReplayTally } from './replay-tally.ts';
import { ReplayedPolicy, type Replayed } from './replayed-policy.ts';
import { type Doubt, FAILURES, type Side, type Verdict } from './verdict.ts';

interface ReplayParts {
  readonly next: CompiledPolicy;
  /** The policy to compare with; undefined to compare with the record. */
  readonly against: CompiledPolicy | undefined;
  /** Policies that may have decided what is on record; those above are among them in any case. */
  readonly others: readonly CompiledPolicy[];
  readonly paths: PathContext;
  readonly definitions: KnownDefinitions;
  /** Tells whether a call is counted. Others still come before those that are. */
  readonly isSelected: (record: RecordedCall) => boolean;
}

/** Something that was not replayed, and where it stands. */
interface Unreadable {
  readonly where: string;
  readonly problem: string;
}

const MOST_SHOWN = 3;

/** Decides what is on record again, event by event, in the order in which it happened. */
export class Replay {
  readonly tally = new ReplayTally();
  /** Events that are left of what retention has erased. */
  erased = 0;
  unreadable = 0;
  /** True once a project's policy has decided a call. What it says of others is not on record. */
  hasProject = false;
  /** The first events that could not be read. */
  readonly shownUnreadable: Unreadable[] = [];
  readonly #parts: ReplayParts;
  readonly #next: ReplayedPolicy;
  readonly #against: ReplayedPolicy | undefined;
  readonly #deciders: ReadonlyMap<string, ReplayedPolicy>;
  readonly #isStateful: boolean;

  constructor(parts: ReplayParts) {
    const { next, against, others, paths } = parts;
    this.#parts = parts;
    this.#next = new ReplayedPolicy(next, paths);
    this.#against = against === undefined ? undefined : new ReplayedPolicy(against, paths);
    const all = [...others, ...(against === undefined ? [] : [against]), next];
    // Deciders are objects of their own, since their flows come from the record alone.
    this.#deciders = new Map(all.map((policy) => [policy.hash, new ReplayedPolicy(policy, paths)]));
    this.#isStateful = isStateful(parts);
  }

  /** Takes one event. @param where it stands, for people */
  add(line: RecordedLine, where: () => string): void {
    if (line.kind === 'erased') this.erased += 1;
    else if (line.kind === 'unreadable') this.#addUnreadable(where, line.problem);
    else if (line.kind === 'change') this.#parts.definitions.noteChange(line.server, line.tool, line.time);
    else if (line.kind === 'call') this.#addCall(line.body, where);
  }

  #addCall(body: string, where: () => string): void {
    const record = readRecordedCall(body);
    if (typeof record === 'string') {
      this.#addUnreadable(where, record);
      return;
    }
    if (record.call.server === CANARY_SERVER) return;
    const isSelected = this.#parts.isSelected(record);
    if (!isSelected && !this.#isStateful) return;
    this.hasProject ||= isOfProject(record);
    const verdict = this.#verdictOf(record);
    if (this.#isStateful) this.#note(record, verdict);
    if (isSelected) this.tally.add(record, verdict);
  }

  #verdictOf(record: RecordedCall): Verdict {
    const past = this.#parts.definitions.at(record.call, record.time);
    const decider = record.policyHash === undefined ? undefined : this.#deciders.get(record.policyHash);
    const { call, cuts, isResourceUnknown } = record;
    const unknown =
      findUnknownValues(call.args, cuts) ?? (isResourceUnknown ? { isOpen: false, isUnknown: () => true } : undefined);
    const replayed = {
      record,
      unknown,
      reading: new Reading(this.#parts.paths),
      statuses: past.statuses,
      fingerprint: record.fingerprint ?? past.fingerprint,
      isServerDoubted: isServerDoubted(record, this.#parts.definitions),
      decider: decider?.policy,
    };
    const sides: Sides = { next: this.#next, against: this.#against, decider };
    return replayCall(replayed, sides);
  }

  /** Notes a call for each policy that lets it go on; if that can't be told, as it went on then. */
  #note(record: RecordedCall, verdict: Verdict): void {
    const to = verdict.kind === 'unknown' ? undefined : verdict.to;
    if (wouldGoOn(record, to)) this.#next.note(record);
    const from = verdict.kind === 'flip' ? verdict.from : to;
    if (this.#against !== undefined && wouldGoOn(record, from)) this.#against.note(record);
  }

  #addUnreadable(where: () => string, problem: string): void {
    this.unreadable += 1;
    if (this.shownUnreadable.length < MOST_SHOWN) this.shownUnreadable.push({ where: where(), problem });
  }
}

/** Tells whether calls have to be replayed for their effect on others. */
export function isStateful({ next, against, paths }: Pick<ReplayParts, 'next' | 'against' | 'paths'>): boolean {
  return [next, against].some((policy) => policy !== undefined && new ReplayedPolicy(policy, paths).isStateful);
}

/** Tells whether a model's call may have been unmapped: it has no fingerprint, and its server is not known. */
function isServerDoubted({ call, isModelCall, fingerprint }: RecordedCall, definitions: KnownDefinitions): boolean {
  return isModelCall && call.origin === undefined && fingerprint === undefined && !definitions.hasServer(call.server);
}

/** Tells whether a call goes on. A prompt counts as its recorded answer, or as yes if nobody was asked. */
function wouldGoOn({ isForwarded, approval }: RecordedCall, side: Side | undefined): boolean {
  if (side === undefined) return isForwarded;
  if (side.action !== 'prompt') return side.action === 'allow';
  return approval === undefined || approval === 'granted';
}

/** The policies that have a part in a replay. */
interface Sides {
  readonly next: ReplayedPolicy;
  /** The policy to compare with; undefined to compare with the record. */
  readonly against: ReplayedPolicy | undefined;
  /** The policy that decided then, where it is at hand. */
  readonly decider: ReplayedPolicy | undefined;
}

/** Denials that no policy has a part in, so that they stand. */
const STANDING: ReadonlySet<string> = new Set(['self', 'malformed', 'unreadable_arguments', 'too_many_paths']);

export const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, prompt: 1, deny: 2 };

/** Says what becomes of a call on record, or that it can't be told, where a policy asks for something that is not. */
function replayCall(replayed: Replayed, { next, against, decider }: Sides): Verdict {
  const { record } = replayed;
  const recorded = recordedSide(record);
  if (STANDING.has(record.reason)) return { kind: 'same', to: recorded };
  if (FAILURES.has(record.reason) && against === undefined) return cantTell('failure', recorded);
  // The same policy decided then, with more facts than a record has: earlier calls, the disk, definitions.
  if (against === undefined && decider?.policy.hash === next.policy.hash) return { kind: 'same', to: recorded };
  if (record.isNameUnknown) return cantTell('name', recorded);
  const doubts: Doubt[] = [];
  const decideBy = (policy: ReplayedPolicy): Decision => policy.decide(replayed, (doubt) => doubts.push(doubt));
  const isOther = decider !== undefined && !agrees(decideBy(decider), record) && doubts.length === 0;
  doubts.length = 0;
  const from = against === undefined ? recorded : withProject(toSide(decideBy(against)), record);
  const to = withProject(toSide(decideBy(next)), record);
  const [why] = isOther ? (['other'] as const) : doubts;
  if (why !== undefined) return cantTell(why, recorded);
  return from.action === to.action ? { kind: 'same', to } : { kind: 'flip', from, to };
}

/** The action of a decision, and the name of its decider. */
function toSide({ action, reason, rule, flow }: Decision): Side {
  const [found] = flow ?? [];
  if (rule !== undefined) return { action, by: ruleName(rule) };
  return { action, by: reason === 'flow' && found !== undefined ? `flow:${found.rule}` : reason };
}

/** The recorded action and decider. A reason for asking a person names no guard, so that stays general. */
function recordedSide({ action, reason, rule, flow }: RecordedCall): Side {
  if (rule !== undefined) return { action, by: rule };
  if (reason.startsWith('approval_')) return { action, by: flow.length > 0 ? 'flow' : 'guard' };
  return { action, by: reason === 'flow' && flow[0] !== undefined ? `flow:${flow[0]}` : reason === '' ? 'unknown' : reason };
}

/** Tells whether a decision is the recorded one: by its action alone if no decider is on record. Limits depend on other calls. */
function agrees(decision: Decision, record: RecordedCall): boolean {
  if (record.reason === 'rate_limit' || FAILURES.has(record.reason)) return true;
  if (decision.action !== record.action) return false;
  if (record.rule === undefined && (record.reason === '' || record.reason.startsWith('approval_'))) return true;
  const { by } = toSide(decision);
  const then = recordedSide(record).by;
  return by === then || (by.startsWith('flow:') && then.startsWith('flow:'));
}

/** Tells whether a rule of a project's policy decided a call. */
function isOfProject({ rule }: RecordedCall): boolean {
  return rule?.startsWith('project: ') === true;
}

/** Keeps a stricter decision of the project's policy, which is not the policy that is replaced. */
function withProject(side: Side, record: RecordedCall): Side {
  const { rule, action } = record;
  const isStricter = isOfProject(record) && STRICTNESS[action] > STRICTNESS[side.action];
  return isStricter && rule !== undefined ? { action, by: rule } : side;
}

function cantTell(why: Doubt, from: Side): Verdict {
  return { kind: 'unknown', why, from };
}
