import type { Call } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import type { DefinitionKind } from '../../core/registry/definition.ts';

/**
 * `expired`: nobody answered in time. `flood`: the server asks so often that nobody was asked. `withdrawn`: the caller no longer wants the
 * call.
 */
export type Approval = 'granted' | 'refused' | 'expired' | 'flood' | 'unavailable' | 'withdrawn';

/** How long a yes counts: for this call, for identical calls in this session, or as a rule of the policy. */
export type Remember = 'once' | 'session' | 'always';

/** The outcome of asking. */
export interface Answer {
  readonly approval: Approval;
  /** Id of the question; undefined if none was written. */
  readonly id?: string | undefined;
  /** The person who answered, and the place. */
  readonly by?: string | undefined;
  /** The person's choice. */
  readonly remember?: Remember | undefined;
  /** True if it was given earlier, when the call was seen in a model's answer. */
  readonly isEarlier?: boolean | undefined;
}

/** A server's declaration that the policy denies or hides until a person has approved it. */
export interface Refused {
  readonly server: string;
  /** `server`: its launch, and with it everything that it declares. */
  readonly kind: DefinitionKind | 'server';
  /** Empty for instructions, and for a server's launch. */
  readonly name: string;
  /** `found`: something in it may mislead a model. */
  readonly why: 'changed' | 'new' | 'found';
  readonly action: 'deny' | 'hide';
  /** Fingerprint of the trusted version; of the refused launch for a server. */
  readonly trusted: string | undefined;
}

/**
 * Asks a person about a call whose decision is `prompt`. Any failure is `unavailable`. When `withdrawn` aborts, the question is taken back
 * and the answer is `withdrawn`. An approver without further details returns the approval alone.
 */
export interface Approver {
  ask(call: Call, decision: Decision, withdrawn: AbortSignal, byClient?: AskByClient): Promise<Approval | Answer>;
  /** Points a person to a refused declaration, once. Never throws, waits for nothing. */
  tell?(refused: Refused): void;
}

/**
 * Asks through the client of the connection, too, if it can. `answer` may be called once, late or never. Returns a function that takes the
 * question back; undefined if the client was not asked.
 */
export type AskByClient = (
  question: Question,
  decision: Decision,
  answer: (state: GivenAnswer['state']) => void,
) => (() => void) | undefined;

/** A process that waits for an answer. */
export interface Asker {
  readonly pid: number;
  /** Distinguishes it from earlier processes with that pid; empty if the system gives no start time. */
  readonly started: string;
}

/** A question to a person. Names and texts may come from a peer, and contain anything. */
export interface Question {
  /** Short enough to be typed. */
  readonly id: string;
  readonly session: string;
  readonly server: string;
  readonly method: string;
  readonly tool: string | undefined;
  readonly resource: string | undefined;
  readonly prompt: string | undefined;
  /** Name of the rule that asks, and its description; undefined if none does. */
  readonly rule: string | undefined;
  readonly description: string | undefined;
  /** The user's own policy, absolute, and the rule's 0-based position in it; undefined if the rule stands elsewhere. */
  readonly policyFile: string | undefined;
  readonly ruleIndex: number | undefined;
  /** The arguments without secrets, as JSON text; it is kept after the answer. */
  readonly summary: string;
  /** The arguments as they were sent, as JSON text, possibly cut; undefined without arguments, or once they were dropped. */
  readonly args: string | undefined;
  /** Length of the arguments' text in characters. */
  readonly argsLength: number;
  /** Its other parameters, as JSON text, possibly cut; undefined without any, or once they were dropped. */
  readonly extra: string | undefined;
  /** Keyed hash of the question's subject: server, method, subject, canonical arguments, and anything else that may change the result. */
  readonly fingerprint: string;
  /** False if only the call's method is known, so that a yes for the session would allow everything. */
  readonly canRemember: boolean;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly asker: Asker;
}

/** The state of a question. */
export interface QuestionStatus {
  readonly state: 'waiting' | 'granted' | 'refused' | 'expired' | 'withdrawn';
  readonly by: string | undefined;
  readonly remember: Remember | undefined;
  /** Milliseconds since the epoch; undefined while it waits. */
  readonly answeredAt: number | undefined;
}

/** A person's answer. */
export interface GivenAnswer {
  readonly state: 'granted' | 'refused';
  readonly by: string;
  readonly remember: Remember;
}

/** The outcome of writing a question. `remembered`: an identical one was granted for this session, so nobody need be asked. */
export type AskOutcome =
  | { readonly kind: 'waiting' | 'flood' }
  | { readonly kind: 'remembered'; readonly id: string; readonly by: string };

/** The outcome of an answer. `late`: the question has already ended. */
export type AnswerOutcome = { readonly kind: 'taken' | 'unknown' } | { readonly kind: 'late'; readonly status: QuestionStatus };

/** More questions than `most` about one server within `within` milliseconds are a flood. */
export interface FloodLimit {
  readonly most: number;
  readonly within: number;
}

/**
 * The questions that wait for a person, shared by all who ask and all who answer. Each method is one transaction, which nobody can
 * interrupt; it returns undefined if another process has locked the store just now, and throws if the store can't be used.
 */
export interface QuestionStore {
  ask(question: Question, limit: FloodLimit): AskOutcome | undefined;
  /** The questions that have ended; unknown ones are `withdrawn`. May be late by a moment. */
  ended(ids: readonly string[]): ReadonlyMap<string, QuestionStatus> | undefined;
  /** Ends the questions that still wait. @returns the status of each */
  end(ids: readonly string[], state: 'expired' | 'withdrawn', now: number): ReadonlyMap<string, QuestionStatus> | undefined;
  /** All questions that wait, oldest first. */
  waiting(now: number): readonly Question[] | undefined;
  /** The question and its status; null if there is none of that id. */
  find(id: string): (Question & QuestionStatus) | null | undefined;
  /** Takes an answer; the first one counts. @param grantedUntil end of a grant for the session, in milliseconds since the epoch */
  answer(
    id: string,
    answer: GivenAnswer,
    times: { readonly now: number; readonly grantedUntil: number },
  ): AnswerOutcome | undefined;
  /** Notes that a person is told of something. @param keys of the things told @returns the keys that were never told before */
  tellOnce(keys: readonly string[]): ReadonlySet<string> | undefined;
  close(): void;
}
