import type { Call } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import type { DefinitionKind } from '../../core/registry/definition.ts';

/**
 * `expired`: nobody answered in time. `flood`: the server asks so much that nobody was asked. `withdrawn`: whoever made the call does
 * not want it any more.
 */
export type Approval = 'granted' | 'refused' | 'expired' | 'flood' | 'unavailable' | 'withdrawn';

/** How long a yes counts: for this call, for calls just like it in this session, or as a rule of the policy. */
export type Remember = 'once' | 'session' | 'always';

/** What came of asking, and how. */
export interface Answer {
  readonly approval: Approval;
  /** Of the question; undefined where none was written. */
  readonly id?: string | undefined;
  /** Who answered, and where. */
  readonly by?: string | undefined;
  /** As the person said. */
  readonly remember?: Remember | undefined;
  /** It was given before, where the call was seen in a model's answer. */
  readonly isEarlier?: boolean | undefined;
}

/** Something that a server declares and that the policy denies, or hides, as long as no person has approved it. */
export interface Refused {
  readonly server: string;
  /** `server`: the way in which it is started, and with that whatever it declares. */
  readonly kind: DefinitionKind | 'server';
  /** Empty for instructions, and for the way in which a server is started. */
  readonly name: string;
  /** `found`: something was found in it that may mislead a model. */
  readonly why: 'changed' | 'new' | 'found';
  readonly action: 'deny' | 'hide';
  /** Fingerprint of what is trusted in its place; of the refused launch for a server. */
  readonly trusted: string | undefined;
}

/**
 * Asks a person about a call whose decision is `prompt`. Whatever goes wrong is `unavailable`. When `withdrawn` aborts, the question
 * is taken back and the answer is `withdrawn`. An approver that has no more to say gives the approval alone.
 */
export interface Approver {
  ask(call: Call, decision: Decision, withdrawn: AbortSignal): Promise<Approval | Answer>;
  /** Points a person to what is refused, once. Never throws, waits for nothing. */
  tell?(refused: Refused): void;
}

/** A process that waits for an answer. */
export interface Asker {
  readonly pid: number;
  /** Tells it from others that have had that pid; empty where the system doesn't say. */
  readonly started: string;
}

/** A question to a person. Names and texts may come from a peer, and hold whatever it wants. */
export interface Question {
  /** Short enough to be typed. */
  readonly id: string;
  readonly session: string;
  readonly server: string;
  readonly method: string;
  readonly tool: string | undefined;
  readonly resource: string | undefined;
  readonly prompt: string | undefined;
  /** Name of the rule that asks, and its description; undefined where none does. */
  readonly rule: string | undefined;
  readonly description: string | undefined;
  /** The user's own policy, absolute, and the rule's 0-based position in it; undefined where the rule stands elsewhere. */
  readonly policyFile: string | undefined;
  readonly ruleIndex: number | undefined;
  /** The arguments without secrets, as JSON text; what is kept of them once there is an answer. */
  readonly summary: string;
  /** The arguments as they were sent, as JSON text, or its beginning; undefined where there are none, or none any more. */
  readonly args: string | undefined;
  /** Characters that the arguments' text had. */
  readonly argsLength: number;
  /** What else its parameters say, as JSON text, or its beginning; undefined where there is nothing, or not any more. */
  readonly extra: string | undefined;
  /** Keyed hash of what is asked about: server, method, subject, canonical arguments, and what else may change what comes of it. */
  readonly fingerprint: string;
  /** False where all that is known of the call is its method, so that a yes for the session would be one to everything. */
  readonly canRemember: boolean;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly asker: Asker;
}

/** What became of a question. */
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

/** What came of writing a question down. `remembered`: one just like it was granted for this session, so nobody need be asked. */
export type AskOutcome =
  | { readonly kind: 'waiting' | 'flood' }
  | { readonly kind: 'remembered'; readonly id: string; readonly by: string };

/** What came of an answer. `late`: there is an end to the question already. */
export type AnswerOutcome = { readonly kind: 'taken' | 'unknown' } | { readonly kind: 'late'; readonly status: QuestionStatus };

/** So many questions about one server within so many milliseconds are too many. */
export interface FloodLimit {
  readonly most: number;
  readonly within: number;
}

/**
 * The questions that wait for a person, shared by all who ask and all who answer. Each method is one transaction, which nobody comes
 * in between; it returns undefined where another process has the store just now, and throws where the store can't be used.
 */
export interface QuestionStore {
  ask(question: Question, limit: FloodLimit): AskOutcome | undefined;
  /** Those of the questions whose end is known; those that nobody knows any more are `withdrawn`. May be late by a moment. */
  ended(ids: readonly string[]): ReadonlyMap<string, QuestionStatus> | undefined;
  /** Ends those that still wait. @returns what became of each */
  end(ids: readonly string[], state: 'expired' | 'withdrawn', now: number): ReadonlyMap<string, QuestionStatus> | undefined;
  /** All that wait, oldest first. */
  waiting(now: number): readonly Question[] | undefined;
  /** The question and what became of it; null where there is none of that id. */
  find(id: string): (Question & QuestionStatus) | null | undefined;
  /** The first answer counts. @param grantedUntil end of a grant for the session, in milliseconds since the epoch */
  answer(
    id: string,
    answer: GivenAnswer,
    times: { readonly now: number; readonly grantedUntil: number },
  ): AnswerOutcome | undefined;
  /** Notes that a person is told of something. @param keys of what is told @returns those of which nobody was told before */
  tellOnce(keys: readonly string[]): ReadonlySet<string> | undefined;
  close(): void;
}
