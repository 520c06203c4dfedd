import type { Call } from '../call.ts';
import type { Flow } from '../policy/types.ts';
import type { Category } from '../registry/category.ts';
import type { FlowFinding } from './finding.ts';
import type { PastCall, SessionFacts } from './window.ts';

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

/** Was a call made in a window, in milliseconds, before now? One that seems to come later was just made. */
export function isWithin({ time }: PastCall, window: number, now: number): boolean {
  return now - time <= window;
}
