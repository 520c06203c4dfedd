import { type Action, type Decision, ruleName } from '../../../core/decision.ts';
import { ARGS_DOUBT } from '../../../core/replay/match-unknown.ts';
import { type Choose, explore } from '../../../core/replay/explore.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { Replayed, ReplayedPolicy } from './replayed-policy.ts';
import { type Doubt, DOUBTS, type Side, type Verdict } from './verdict.ts';

/** The policies that have a part in a replay. */
export interface Sides {
  readonly next: ReplayedPolicy;
  /** Undefined where what is on record is compared. */
  readonly against: ReplayedPolicy | undefined;
  /** The policy that decided then, where it is at hand: of all that may have been, only what it would have decided like that can be. */
  readonly decider: ReplayedPolicy | undefined;
}

/** More than that is too much to go through for one call; it takes some twenty rules that look at one redacted value. */
const MOST_WORLDS = 400;

/** Denials that no policy has a part in, so that they stand. */
const STANDING: ReadonlySet<string> = new Set(['self', 'malformed', 'unreadable_arguments', 'too_many_paths']);

/** Denials that no policy has decided. */
const FAILURES: ReadonlySet<string> = new Set(['internal_error', 'audit_unavailable']);

const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, prompt: 1, deny: 2 };

interface Outcome {
  readonly from: Side;
  readonly to: Side;
}

/** Says what becomes of a call on record. What is not on record is supposed in every way, and where that makes a difference, it is said so. */
export function replayCall(replayed: Replayed, sides: Sides): Verdict {
  const { record } = replayed;
  const recorded = recordedSide(record);
  if (STANDING.has(record.reason)) return { kind: 'same', to: recorded };
  if (FAILURES.has(record.reason) && sides.against === undefined) return unknown('failure', recorded);
  // It has decided this, and whatever it went by then is so much that a record does not have: earlier calls, the disk, definitions.
  if (sides.against === undefined && sides.decider?.policy.hash === sides.next.policy.hash) return { kind: 'same', to: recorded };
  if (record.isNameUnknown) return unknown('name', recorded);
  const run = (choose: Choose): Outcome | undefined => {
    const { next, against, decider } = sides;
    if (decider !== undefined && !agrees(decider.decide(replayed, choose), record)) return undefined;
    return {
      from: against === undefined ? recorded : withProject(toSide(against.decide(replayed, choose)), record),
      to: withProject(toSide(next.decide(replayed, choose)), record),
    };
  };
  return compareWorlds(run, recorded);
}

function compareWorlds(run: (choose: Choose) => Outcome | undefined, recorded: Side): Verdict {
  let known: Outcome | undefined;
  let count = 0;
  for (const { value, changed } of explore(run)) {
    count += 1;
    if (count > MOST_WORLDS) return unknown('much', recorded, known === undefined ? [] : [known.to]);
    if (value === undefined) continue;
    if (known !== undefined && (isFlip(known) || isFlip(value)) && !isSame(known, value)) {
      return unknown(doubtOf(changed), known.from, [known.to, value.to]);
    }
    known ??= value;
  }
  if (known === undefined) return unknown('other', recorded);
  return isFlip(known) ? { kind: 'flip', ...known } : { kind: 'same', to: known.to };
}

/** What decided, by name. */
function toSide({ action, reason, rule, flow }: Decision): Side {
  const [found] = flow ?? [];
  if (rule !== undefined) return { action, by: ruleName(rule) };
  return { action, by: reason === 'flow' && found !== undefined ? `flow:${found.rule}` : reason };
}

/** As it is on record. Who was asked about something else than a rule is not told from its reason. */
function recordedSide({ action, reason, rule, flow }: RecordedCall): Side {
  if (rule !== undefined) return { action, by: rule };
  if (reason.startsWith('approval_')) return { action, by: flow.length > 0 ? 'flow' : 'guard' };
  return { action, by: reason === 'flow' && flow[0] !== undefined ? `flow:${flow[0]}` : reason === '' ? 'unknown' : reason };
}

/** Is it what is on record? Where that doesn't say what decided, the action has to do. A limit depends on other calls. */
function agrees(decision: Decision, record: RecordedCall): boolean {
  if (record.reason === 'rate_limit' || FAILURES.has(record.reason)) return true;
  if (decision.action !== record.action) return false;
  if (record.rule === undefined && (record.reason === '' || record.reason.startsWith('approval_'))) return true;
  const { by } = toSide(decision);
  const then = recordedSide(record).by;
  return by === then || (by.startsWith('flow:') && then.startsWith('flow:'));
}

/** Has a rule of a project's policy decided it? */
export function isOfProject({ rule }: RecordedCall): boolean {
  return rule?.startsWith('project: ') === true;
}

/** What a project's policy has decided, it would decide again: it is not what is replaced. */
function withProject(side: Side, record: RecordedCall): Side {
  const { rule, action } = record;
  const isStricter = isOfProject(record) && STRICTNESS[action] > STRICTNESS[side.action];
  return isStricter && rule !== undefined ? { action, by: rule } : side;
}

function isFlip({ from, to }: Outcome): boolean {
  return from.action !== to.action;
}

function isSame(one: Outcome, other: Outcome): boolean {
  return one.from.action === other.from.action && one.to.action === other.to.action;
}

function doubtOf(changed = ''): Doubt {
  const [kind = ''] = changed.split(' ');
  if (kind === ARGS_DOUBT) return 'args';
  return kind in DOUBTS ? (kind as Doubt) : 'much';
}

function unknown(why: Doubt, from: Side, to: readonly Side[] = []): Verdict {
  return { kind: 'unknown', why, from, to };
}
