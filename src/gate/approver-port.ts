import type { Call } from '../core/call.ts';
import type { Decision } from '../core/decision.ts';
import type { DefinitionKind } from '../core/registry/definition.ts';

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
