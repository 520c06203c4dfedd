import type { Action } from '../../../core/decision.ts';
import type { Replay } from './replay.ts';

/** Which flips make the exit code 1. `stricter`: to prompt or deny from less; `looser`: the other way. */
export const FAIL_ON = ['any', 'stricter', 'looser', 'none'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** A policy of a replay. */
export interface NamedPolicy {
  readonly file: string;
  readonly hash: string;
  /** `file:line` of its rules, by their names. */
  readonly places: ReadonlyMap<string, string>;
}

/** Everything that is printed, and the exit code, follows from this value. */
export interface ReplayReport {
  readonly policy: NamedPolicy;
  /** Undefined: what is on record was compared. */
  readonly against: NamedPolicy | undefined;
  readonly replay: Pick<Replay, 'tally' | 'erased' | 'unreadable' | 'shownUnreadable'>;
  readonly assumed: readonly string[];
}

const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, prompt: 1, deny: 2 };

/** Is there a flip of the kind that is asked for? */
export function hasFailed({ replay }: ReplayReport, failOn: FailOn): boolean {
  if (failOn === 'none') return false;
  return replay.tally.kinds().some(({ from, to }) => {
    const isStricter = STRICTNESS[to] > STRICTNESS[from];
    return failOn === 'any' || isStricter === (failOn === 'stricter');
  });
}
