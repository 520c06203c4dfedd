import { CANARY_SERVER } from '../../../audit/event-types.ts';
import type { CompiledPolicy } from '../../../core/policy/compile.ts';
import { createReading } from '../../../core/policy/match-context.ts';
import type { PathContext } from '../../../core/policy/paths.ts';
import { createMatchUnknown } from '../../../core/replay/match-unknown.ts';
import { findUnknownValues } from '../../../core/replay/unknown-values.ts';
import type { KnownDefinitions } from './known-definitions.ts';
import { type RecordedCall, readRecordedCall } from './recorded-call.ts';
import type { RecordedLine } from './recorded-line.ts';
import { isOfProject, replayCall, type Sides } from './replay-call.ts';
import { ReplayTally } from './replay-tally.ts';
import { ReplayedPolicy } from './replayed-policy.ts';
import type { Side, Verdict } from './verdict.ts';

export interface ReplayParts {
  readonly next: CompiledPolicy;
  /** Undefined: what is on record is compared. */
  readonly against: CompiledPolicy | undefined;
  /** Policies that may have decided what is on record; those above are among them in any case. */
  readonly others: readonly CompiledPolicy[];
  readonly paths: PathContext;
  readonly definitions: KnownDefinitions;
  /** Is the call to be counted? What is not still comes before those that are. */
  readonly isSelected: (record: RecordedCall) => boolean;
}

/** Something that was not replayed, and where it stands. */
export interface Unreadable {
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
  /** A project's policy has decided some. What it says of others is not on record. */
  hasProject = false;
  /** The first of them. */
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
    // Apart from the others: what it would have found in flows is what is on record.
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
      matchUnknown: unknown && createMatchUnknown(call.args, unknown),
      reading: createReading(call.args),
      statuses: past.statuses,
      fingerprint: record.fingerprint ?? past.fingerprint,
      isServerDoubted: isServerDoubted(record, this.#parts.definitions),
      decider: decider?.policy,
    };
    const sides: Sides = { next: this.#next, against: this.#against, decider };
    return replayCall(replayed, sides);
  }

  /** What flips has other calls before it from then on; where it can't be told, it is taken to have gone on as it did. */
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

/** Do calls have to be replayed for what they are to others? */
export function isStateful({ next, against, paths }: Pick<ReplayParts, 'next' | 'against' | 'paths'>): boolean {
  return [next, against].some((policy) => policy !== undefined && new ReplayedPolicy(policy, paths).isStateful);
}

/** A tool that its server has listed has a fingerprint on record. */
function isServerDoubted({ call, isModelCall, fingerprint }: RecordedCall, definitions: KnownDefinitions): boolean {
  return isModelCall && call.origin === undefined && fingerprint === undefined && !definitions.hasServer(call.server);
}

/** A person who was asked has answered; one who was not is taken to say yes. */
function wouldGoOn({ isForwarded, approval }: RecordedCall, side: Side | undefined): boolean {
  if (side === undefined) return isForwarded;
  if (side.action !== 'prompt') return side.action === 'allow';
  return approval === undefined || approval === 'granted';
}
