import type { StageName } from '../../core/decide/decide.ts';
import type { Call, Category } from '../../core/call.ts';
import type { Action, Decision } from '../../core/decision.ts';
import type { FlowFinding, NamedLimit } from '../../core/finding.ts';
import type { JsonValue } from '../../core/json.ts';
import type { PinStatus } from '../../core/facts.ts';
import type { Outcome } from '../../core/match/evaluate.ts';
import type { Mode } from '../../core/match/match-context.ts';

/** Why a call is decided as it is. */
export interface Explanation {
  readonly call: Call;
  /** What `decide` says. */
  readonly decision: Decision;
  /** In the order in which they are asked. */
  readonly stages: readonly StageAccount[];
  /** The rules: the user's for the call, then for what it amounts to, then the project's for both. */
  readonly rules: readonly RulesAccount[];
}

/**
 * Why a stage says nothing: `off`: the policy does not switch it on; `unconcerned`: it is about no such call; `unknown`: nothing is known of what it
 * looks at; `alert`: it has found something and only tells of it; `clear`: it has nothing against the call.
 */
export type Silence = 'off' | 'unconcerned' | 'unknown' | 'alert' | 'clear';

/** What one stage of a decision has to say. */
export interface StageAccount {
  readonly stage: StageName;
  /** What it says by itself, whatever the others do; undefined where it has nothing against the call. */
  readonly says: Decision | undefined;
  /** Set where it says nothing. */
  readonly silence: Silence | undefined;
  /** A stage before it has denied the call, and that ended it. */
  readonly isSkipped: boolean;
  /** The decision is this stage's. */
  readonly hasDecided: boolean;
  readonly known: Known;
}

/** What a stage goes by. */
export interface Known {
  /** What the rules on flow say, also where they only alert. */
  readonly flow?: readonly FlowFinding[];
  /** What is known of the definition. */
  readonly pin?: PinStatus;
  readonly isServerChanged?: boolean;
  /** What limits the call, with the calls that are left at once. */
  readonly limits?: readonly (NamedLimit & { readonly left: number })[];
}

/** What the rules of one policy make of a call. */
export interface RulesAccount {
  readonly source: 'user' | 'project';
  /** What they were asked about. */
  readonly call: Call;
  /** It is not the call itself, but what that amounts to. */
  readonly isLike: boolean;
  /** The project's are not asked where the user's deny. What they would say is told all the same. */
  readonly isSkipped: boolean;
  /** Rules of the policy. */
  readonly total: number;
  /** In file order, those that tell the most where there are many. */
  readonly rules: readonly RuleAccount[];
  /** Rules about this call that were looked at and are not in `rules`, since they miss in more than one way or there are too many. */
  readonly missed: number;
  /** Rules about this call below the one that decided, that are not in `rules`. */
  readonly unasked: number;
  /** Rules that are not in `rules` because they are about other calls, by what they are about. */
  readonly elsewhere: Readonly<Partial<Record<NameField, number>>>;
  /** What the first of them that matches says; undefined where none does. */
  readonly decision: Decision | undefined;
}

/** What a rule may be about that no arguments decide. `native`: it is not about an agent's own tools, and the call is of one. */
export type NameField = 'method' | 'server' | 'tool' | 'prompt' | 'native';

export interface RuleAccount {
  /** 0-based position in the policy. */
  readonly index: number;
  readonly action: Action;
  readonly id: string | undefined;
  readonly description: string | undefined;
  /** An earlier one decided. What it would have said is told all the same. */
  readonly isUnasked: boolean;
  /** Set where its names are not this call's; then nothing else was looked at. */
  readonly elsewhere: NameField | undefined;
  /** What `evaluateRule` says. */
  readonly outcome: Outcome;
  readonly conditions: readonly ConditionAccount[];
  readonly unless: UnlessAccount | undefined;
  /** Where it is about another name: that name, where this call's is nearly it, and all else matches. */
  readonly nearName: string | undefined;
}

/** An exception. Where it matches, the rule does not. */
export interface UnlessAccount {
  /** `miss` where one of its conditions does not hold. */
  readonly outcome: Outcome;
  readonly conditions: readonly ConditionAccount[];
}

export interface ConditionAccount {
  /** As a policy has it: `tool`, `args.options.path`, `args."**"`. */
  readonly field: string;
  readonly holds: boolean;
  /** Does any reading count, or must all? */
  readonly mode: Mode;
  readonly because: Because;
}

/** Why a condition holds or does not. */
export type Because =
  /** A name of the call; undefined where it has none. */
  | { readonly kind: 'name'; readonly name: string | undefined; readonly asks: Asks }
  /** Nothing is there. */
  | { readonly kind: 'absent' }
  /** Something is there, and nothing should be. */
  | { readonly kind: 'present'; readonly count: number }
  /** It is missing in some of several places, and all would have to match. */
  | { readonly kind: 'incomplete' }
  /** Deeper than anybody looks. */
  | { readonly kind: 'too_deep' }
  /** What is read as a path has a NUL byte in it. */
  | { readonly kind: 'nul' }
  | { readonly kind: 'value'; readonly settling: SettlingValue; readonly count: number }
  | { readonly kind: 'category'; readonly categories: readonly Category[]; readonly wanted: readonly Category[] }
  | { readonly kind: 'fingerprint'; readonly seen: string | undefined; readonly wanted: readonly string[] };

/** What a condition asks, as it may stand in a policy: `"/etc/**"`, `lt = 5`. The first few, and how many there are besides. */
export interface Asks {
  readonly each: readonly string[];
  readonly others: number;
}

/** The value that settles a condition, or the first of those that together do. */
export interface SettlingValue {
  /** `embedded`: in a text that is JSON. */
  readonly where: 'value' | 'embedded' | 'key';
  /** JSON Pointer to it in the arguments, the first of several; of a text that it is in. Undefined where it is not looked for. */
  readonly pointer: string | undefined;
  readonly value: JsonValue;
  readonly test: Test;
}

/** What a value was compared with, and how it was read for that. */
export interface Test {
  /** What settled it: what the value matches, or what all it does not. */
  readonly asks: Asks;
  /** Does the value match that? */
  readonly matches: boolean;
  /** A `not` is around it, so that it counts the other way round. */
  readonly isNegated: boolean;
  /** What the value was read as; undefined where that is itself, or it is read in no way that counts. */
  readonly form: string | undefined;
  /** How it came to be that. */
  readonly readAs: readonly ReadingStep[];
}

/** One step from what was sent to what a server may make of it. */
export type ReadingStep =
  | 'decoded'
  | 'home_variable'
  | 'unwrapped'
  | 'surrogates'
  | 'url'
  | 'file_uri'
  | 'foreign_file_uri'
  | 'home'
  | 'home_of_other'
  | 'absolute'
  | 'tidied'
  | 'folder_name'
  | 'slashes'
  | 'spelling'
  | 'folded'
  | 'alias'
  | 'links'
  | 'text'
  | 'number'
  | 'boolean'
  | 'shortened'
  | 'uncertain'
  | 'prose'
  | 'other';
