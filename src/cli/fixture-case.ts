import type { Call } from '../core/call.ts';
import type { JsonObject } from '../core/json.ts';
import type { FixtureContext } from './fixture-context.ts';
import type { Expectation } from './fixture-expectation.ts';

/** One case for a policy: a call, and what should become of it. */
export interface Fixture extends Expectation {
  readonly file: string;
  /** For people: the fixture's own `name`, else its file's, with its number where the file holds several. */
  readonly name: string;
  readonly call: Call;
  /** What is known besides the call. */
  readonly context?: FixtureContext;
  /** Where it is one of several steps: its place among them. */
  readonly step?: FixtureStep;
}

/** One call of several in a session. */
export interface FixtureStep {
  /** From 1. */
  readonly number: number;
  readonly isLast: boolean;
  /** The same object for all steps of a session. */
  readonly session: SessionSetup;
  /** Milliseconds from the start of the session. */
  readonly at: number;
  /** The answer of the model that it comes from. */
  readonly turn: string | undefined;
  /** What the server answers: the result, or its text. */
  readonly result: string | JsonObject | undefined;
  /** Who is asked says yes. */
  readonly isApproved: boolean;
  /** It is taken back after it was decided. */
  readonly isRetracted: boolean;
}

/** What there is in a session before its first call. */
export interface SessionSetup {
  /** Names of tools by their server, in the order in which they were listed. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  /** The servers that are connected. */
  readonly servers: ReadonlySet<string>;
}
