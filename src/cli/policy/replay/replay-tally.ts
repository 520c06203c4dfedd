import type { Action } from '../../../core/decision.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { Doubt, Side, Verdict } from './verdict.ts';
import { byCount, createCounts, Groups } from '../../report/groups.ts';

/** A call that shows what a group is about. */
export interface Example {
  readonly id: string;
  readonly time: number;
  readonly session: string;
  /** Its arguments as they are on record, as JSON, or its URI; cut where it is long. */
  readonly input: string;
  readonly isInputCut: boolean;
}

/** Calls of one server's tool that flip in the same way. */
export interface FlipGroup {
  readonly from: Side;
  readonly to: Side;
  readonly server: string;
  /** The tool, resource or prompt, else the method. Resources are one group for each server. */
  readonly subject: string;
  readonly method: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
  readonly examples: readonly Example[];
}

/** Calls whose outcome depends on something unknown. */
export interface DoubtGroup extends Omit<FlipGroup, 'to'> {
  readonly why: Doubt;
}

/** Flips of one kind. */
export interface FlipKind {
  readonly from: Action;
  readonly to: Action;
  readonly count: number;
}

/** The most groups that are told apart, since names come from peers. */
const MOST_GROUPS = 5000;
const MOST_EXAMPLES = 3;
const LONGEST_INPUT = 200;

/** The most model calls whose ids are remembered, to know them again when they are executed. */
const MOST_SEEN = 100_000;

/** The times and examples of a group. */
interface Kept {
  first: number;
  last: number;
  readonly examples: Example[];
}

const begin = (): Kept => ({ first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY, examples: [] });

/** Adds up what becomes of calls, without keeping them. */
export class ReplayTally {
  calls = 0;
  same = 0;
  readonly #flips = new Groups<Omit<FlipGroup, keyof Kept | 'count'>, Kept>(begin, MOST_GROUPS);
  readonly #doubts = new Groups<Omit<DoubtGroup, keyof Kept | 'count'>, Kept>(begin, MOST_GROUPS);
  readonly #kinds = createCounts<Omit<FlipKind, 'count'>>();
  /** Verdicts on models' calls that were added, by event id. */
  readonly #seen = new Map<string, Verdict['kind']>();

  get flips(): number {
    return this.#flips.total;
  }

  get doubts(): number {
    return this.#doubts.total;
  }

  /** The number of flips and doubts beyond the most groups. */
  get ungrouped(): number {
    return this.#flips.leftOff(this.#flips.all()) + this.#doubts.leftOff(this.#doubts.all());
  }

  /** Adds a call. One that was seen in a model's answer before is the same call, and counts again only for what was not told of it then. */
  add(record: RecordedCall, verdict: Verdict): void {
    const before = record.firstSeenAs === undefined ? undefined : this.#seen.get(record.firstSeenAs);
    if (record.isModelCall && record.id !== '' && this.#seen.size < MOST_SEEN) this.#seen.set(record.id, verdict.kind);
    if (before === undefined) this.calls += 1;
    else if (before !== 'same' || verdict.kind === 'same') return;
    else this.same -= 1;
    const { kind } = verdict;
    if (kind === 'same') this.same += 1;
    else if (kind === 'flip') this.#addFlip(record, verdict);
    else extend(this.#doubts.add({ why: verdict.why, from: verdict.from, ...aboutOf(record) }), record);
  }

  /** The groups of flips, those with most calls first. */
  groups(): readonly FlipGroup[] {
    return this.#flips.all().toSorted(byCount);
  }

  doubtGroups(): readonly DoubtGroup[] {
    return this.#doubts.all().toSorted(byCount);
  }

  kinds(): readonly FlipKind[] {
    return this.#kinds.all().toSorted(byCount);
  }

  #addFlip(record: RecordedCall, { from, to }: Verdict & { kind: 'flip' }): void {
    this.#kinds.add({ from: from.action, to: to.action });
    extend(this.#flips.add({ from, to, ...aboutOf(record) }), record);
  }
}

function aboutOf({ call }: RecordedCall): Pick<FlipGroup, 'server' | 'subject' | 'method'> {
  const { server, method, tool, prompt } = call;
  return { server, method, subject: tool ?? prompt ?? method };
}

function extend(group: Kept | undefined, { id, time, session, call, input: sent }: RecordedCall): void {
  if (group === undefined) return;
  group.first = Math.min(group.first, time);
  group.last = Math.max(group.last, time);
  if (group.examples.length >= MOST_EXAMPLES) return;
  const input = call.resource ?? sent;
  const isInputCut = input.length > LONGEST_INPUT;
  const shown = isInputCut ? input.slice(0, LONGEST_INPUT).toWellFormed() : input;
  // An example with the same input shows nothing new.
  if (group.examples.some((example) => example.input === shown)) return;
  group.examples.push({ id, time, session, input: shown, isInputCut });
}
