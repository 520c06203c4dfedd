import type { StageName } from '../../core/decide/decide.ts';
import type { Call, Category } from '../../core/call.ts';
import type { Action, Decision } from '../../core/decision.ts';
import type { ArgumentSecret, FlowFinding, NamedLimit, SchemaFault } from '../../core/finding.ts';
import type { JsonValue } from '../../core/json.ts';
import type { PinStatus } from '../../core/facts.ts';
import type { Outcome } from '../../core/match/evaluate.ts';
import type { Mode } from '../../core/match/match-context.ts';

/** The reasons for the decision about a call. */
export interface Explanation {
  readonly call: Call;
  /** The decision of `decide`. */
  readonly decision: Decision;
  /** The stages in the order in which they are asked. */
  readonly stages: readonly StageAccount[];
  /** The rules: the user's for the call, then for what it amounts to, then the project's for both. */
  readonly rules: readonly RulesAccount[];
}

/**
 * The reason why a stage says nothing: `off`: the policy does not switch it on; `unconcerned`: it is about no such call; `unknown`:
 * nothing is known of what it looks at; `alert`: it has found something and only tells of it; `clear`: it has nothing against the call.
 */
export type Silence = 'off' | 'unconcerned' | 'unknown' | 'alert' | 'clear';

/** One stage's part in a decision. */
export interface StageAccount {
  readonly stage: StageName;
  /** Its own decision, whatever the others do; undefined if it has nothing against the call. */
  readonly says: Decision | undefined;
  /** Set if it says nothing. */
  readonly silence: Silence | undefined;
  /** True if a stage before it has denied the call, which ended it. */
  readonly isSkipped: boolean;
  /** True if the decision is this stage's. */
  readonly hasDecided: boolean;
  readonly known: Known;
}

/** The facts that a stage goes by. */
export interface Known {
  /** The findings of the flow rules, also if they only alert. */
  readonly flow?: readonly FlowFinding[];
  /** The parts of the arguments that do not fit the tool's schema. */
  readonly faults?: readonly SchemaFault[];
  /** The secrets in the arguments, and whether the call goes on without them. */
  readonly secrets?: readonly ArgumentSecret[];
  readonly isRedacted?: boolean;
  /** The status of the definition. */
  readonly pin?: PinStatus;
  readonly isServerChanged?: boolean;
  /** The limits on the call, with the calls that are left at once. */
  readonly limits?: readonly (NamedLimit & { readonly left: number })[];
}

/** The treatment of a call by the rules of one policy. */
export interface RulesAccount {
  readonly source: 'user' | 'project';
  /** The call that they were asked about. */
  readonly call: Call;
  /** True if that is the equivalent of the explained call. */
  readonly isLike: boolean;
  /** True for the project's rules if the user's deny: they are not asked then. Their decision is told all the same. */
  readonly isSkipped: boolean;
  /** The number of rules in the policy. */
  readonly total: number;
  /** The rules in file order; if there are many, those that tell the most. */
  readonly rules: readonly RuleAccount[];
  /** Rules about this call that were looked at and are not in `rules`, since they miss in more than one way or there are too many. */
  readonly missed: number;
  /** Rules about this call below the one that decided, that are not in `rules`. */
  readonly unasked: number;
  /** Rules that are not in `rules` because they are about other calls, by what they are about. */
  readonly elsewhere: Readonly<Partial<Record<NameField, number>>>;
  /** The decision of the first rule that matches; undefined if none does. */
  readonly decision: Decision | undefined;
}

/** A name that sets a rule apart from a call. `native`: it is not about an agent's own tools, and the call is of one. */
export type NameField = 'method' | 'server' | 'tool' | 'prompt' | 'native';

export interface RuleAccount {
  /** 0-based position in the policy. */
  readonly index: number;
  readonly action: Action;
  readonly id: string | undefined;
  readonly description: string | undefined;
  /** True if an earlier rule decided. The outcome is told all the same. */
  readonly isUnasked: boolean;
  /** The first name that is not this call's; nothing else was looked at then. */
  readonly elsewhere: NameField | undefined;
  /** The result of `evaluateRule`. */
  readonly outcome: Outcome;
  readonly conditions: readonly ConditionAccount[];
  readonly unless: UnlessAccount | undefined;
  /** The rule's own name, if this call's is nearly the same and all else matches. */
  readonly nearName: string | undefined;
}

/** An exception. If it matches, the rule does not. */
export interface UnlessAccount {
  /** `miss` if one of its conditions does not hold. */
  readonly outcome: Outcome;
  readonly conditions: readonly ConditionAccount[];
}

export interface ConditionAccount {
  /** The field as a policy has it: `tool`, `args.options.path`, `args."**"`. */
  readonly field: string;
  readonly holds: boolean;
  /** The readings that must match: any or all. */
  readonly mode: Mode;
  readonly because: Because;
}

/** The reason why a condition holds or does not. */
export type Because =
  /** A name of the call; undefined if it has none. */
  | { readonly kind: 'name'; readonly name: string | undefined; readonly asks: Asks }
  /** Nothing is there. */
  | { readonly kind: 'absent' }
  /** Something is there, and nothing should be. */
  | { readonly kind: 'present'; readonly count: number }
  /** It is missing in some of several places, and all would have to match. */
  | { readonly kind: 'incomplete' }
  /** The value is deeper than matching looks. */
  | { readonly kind: 'too_deep' }
  /** A value that is read as a path has a NUL byte in it. */
  | { readonly kind: 'nul' }
  | { readonly kind: 'value'; readonly settling: SettlingValue; readonly count: number }
  | { readonly kind: 'category'; readonly categories: readonly Category[]; readonly wanted: readonly Category[] }
  | { readonly kind: 'fingerprint'; readonly seen: string | undefined; readonly wanted: readonly string[] };

/** The conditions of a matcher as a policy may write them: `"/etc/**"`, `lt = 5`. The first few, and the number of the others. */
export interface Asks {
  readonly each: readonly string[];
  readonly others: number;
}

/** The value that settles a condition, or the first of those that together do. */
export interface SettlingValue {
  /** `embedded`: in a text that is JSON. */
  readonly where: 'value' | 'embedded' | 'key';
  /** JSON Pointer to it in the arguments, the first of several; of a text that it is in. Undefined if it is not looked for. */
  readonly pointer: string | undefined;
  readonly value: JsonValue;
  readonly test: Test;
}

/** The comparison of a value, and its reading for that. */
export interface Test {
  /** The conditions that settled it: one that the value matches, or all that it does not. */
  readonly asks: Asks;
  /** True if the value matches them. */
  readonly matches: boolean;
  /** True if a `not` is around it, so that it counts the other way round. */
  readonly isNegated: boolean;
  /** The form of the value that was compared; undefined if that is itself, or it is read in no way that counts. */
  readonly form: string | undefined;
  /** The steps from the value to that form. */
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
  | 'command_word'
  | 'other';
