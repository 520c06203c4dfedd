import type { Action } from '../../../core/decision.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { Doubt, Side, Verdict } from './verdict.ts';
import { byCount } from '../../report/groups.ts';

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

/** Calls of which something is not known that matters. */
export interface DoubtGroup extends Omit<FlipGroup, 'to'> {
  readonly why: Doubt;
}

/** Flips of one kind. */
export interface FlipKind {
  readonly from: Action;
  readonly to: Action;
  readonly count: number;
}

/** Names come from peers: so many groups are told apart. */
const MOST_GROUPS = 5000;
const MOST_EXAMPLES = 3;
const LONGEST_INPUT = 200;

/** Calls that were seen twice are known again by the id of the first event: so many are remembered. */
const MOST_SEEN = 100_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Adds up what becomes of calls, without keeping them. */
export class ReplayTally {
  calls = 0;
  same = 0;
  flips = 0;
  doubts = 0;
  /** Flips and doubts whose group is one too many. */
  ungrouped = 0;
  readonly #flips = new Map<string, Mutable<FlipGroup> & { readonly examples: Example[] }>();
  readonly #doubts = new Map<string, Mutable<DoubtGroup> & { readonly examples: Example[] }>();
  readonly #kinds = new Map<string, Mutable<FlipKind>>();
  /** Of models' calls that were told already. */
  readonly #told = new Map<string, Verdict['kind']>();

  /** Adds a call. One that was seen in a model's answer before is the same call, and counts again only for what was not told of it then. */
  add(record: RecordedCall, verdict: Verdict): void {
    const before = record.sightingOf === undefined ? undefined : this.#told.get(record.sightingOf);
    if (record.isModelCall && record.id !== '' && this.#told.size < MOST_SEEN) this.#told.set(record.id, verdict.kind);
    if (before === undefined) this.calls += 1;
    else if (before !== 'same' || verdict.kind === 'same') return;
    else this.same -= 1;
    if (verdict.kind === 'same') this.same += 1;
    else if (verdict.kind === 'flip') this.#addFlip(record, verdict);
    else this.#addDoubt(record, verdict);
  }

  /** Those with most calls first. */
  groups(): readonly FlipGroup[] {
    return [...this.#flips.values()].sort(byCount);
  }

  doubtGroups(): readonly DoubtGroup[] {
    return [...this.#doubts.values()].sort(byCount);
  }

  kinds(): readonly FlipKind[] {
    return [...this.#kinds.values()].sort(byCount);
  }

  #addFlip(record: RecordedCall, { from, to }: Verdict & { kind: 'flip' }): void {
    this.flips += 1;
    const kind = this.#kinds.get(`${from.action} ${to.action}`) ?? { from: from.action, to: to.action, count: 0 };
    kind.count += 1;
    this.#kinds.set(`${from.action} ${to.action}`, kind);
    const about = aboutOf(record);
    const key = JSON.stringify([from, to, about]);
    const group = this.#flips.get(key) ?? this.#create(this.#flips, key, { from, to, ...about, ...begunAt(record) });
    if (group !== undefined) extend(group, record);
  }

  #addDoubt(record: RecordedCall, { why, from }: Verdict & { kind: 'unknown' }): void {
    this.doubts += 1;
    const about = aboutOf(record);
    const key = JSON.stringify([why, from, about]);
    const group = this.#doubts.get(key) ?? this.#create(this.#doubts, key, { why, from, ...about, ...begunAt(record) });
    if (group !== undefined) extend(group, record);
  }

  #create<Group>(groups: Map<string, Group>, key: string, group: Group): Group | undefined {
    if (groups.size >= MOST_GROUPS) {
      this.ungrouped += 1;
      return undefined;
    }
    groups.set(key, group);
    return group;
  }
}

function aboutOf({ call }: RecordedCall): Pick<FlipGroup, 'server' | 'subject' | 'method'> {
  const { server, method, tool, prompt } = call;
  return { server, method, subject: tool ?? prompt ?? method };
}

function begunAt({ time }: RecordedCall): Pick<FlipGroup, 'count' | 'first' | 'last'> & { examples: Example[] } {
  return { count: 0, first: time, last: time, examples: [] };
}

function extend(group: Mutable<Omit<FlipGroup, 'to'>> & { readonly examples: Example[] }, record: RecordedCall): void {
  const { id, time, session, call } = record;
  group.count += 1;
  group.first = Math.min(group.first, time);
  group.last = Math.max(group.last, time);
  if (group.examples.length >= MOST_EXAMPLES) return;
  const input = call.resource ?? record.input;
  const isInputCut = input.length > LONGEST_INPUT;
  const shown = isInputCut ? input.slice(0, LONGEST_INPUT).toWellFormed() : input;
  // What is the same in all that matters shows nothing new.
  if (group.examples.some((example) => example.input === shown)) return;
  group.examples.push({ id, time, session, input: shown, isInputCut });
}
