import type { Category } from '../call.ts';
import type { Action } from '../decision.ts';
import type { DetectionRules } from '../detect/types.ts';
import type { FlowAction, RateLimit, Severity } from '../finding.ts';
import type { Numeral } from '../numeral.ts';
import type { Regex } from '../patterns/regex.ts';

/** What became of a policy file that changed while it was in use. */
export interface PolicyChange {
  /**
   * `loaded`: it decides from now on. `kept`: what is there now can't be used, so the last good one goes on deciding. `gone`: there is
   * none any more, so every call is denied.
   */
  readonly status: 'loaded' | 'kept' | 'gone';
  /** Whose it is. */
  readonly source: 'user' | 'project';
  readonly file: string;
  /** What is wrong with it, in one line; undefined where nothing is. */
  readonly problem: string | undefined;
  /** Hash of the policy that decides from now on, as `CompiledPolicy` has it. */
  readonly hash: string;
}

export type { Action } from '../decision.ts';

/** Which servers there may be at all. */
export interface ServerPolicy {
  /** `none`: the lists say nothing. `denylist`: all but those in `deny`. `allowlist`: those in `allow` that are not in `deny`. */
  readonly mode: 'none' | 'denylist' | 'allowlist';
  /** Globs for names of servers. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** What becomes of what was not approved as it is. `hide`: out of the server's lists, and denied. */
export type OnChange = 'deny' | 'hide' | 'prompt' | 'alert';

/** What becomes of calls whose definition is another one than a person approved. */
export interface Pinning {
  readonly enabled: boolean;
  /** What is seen for the first time counts as approved. */
  readonly trustFirstUse: boolean;
  readonly onChange: OnChange;
}

/** What is asked of a flow between two servers: calls of the right kinds, or that a value of the one's result is in the other's arguments. */
export type EvidenceKind = 'category' | 'value';

interface FlowRuleSettings {
  readonly enabled: boolean;
  readonly action: FlowAction;
}

/** What becomes of calls that are harmless one by one and harmful together. */
export interface Flow {
  readonly enabled: boolean;
  /** A tool that sends, after another server's that reads. Windows are in milliseconds. */
  readonly readThenSend: FlowRuleSettings & { readonly window: number; readonly evidence: EvidenceKind };
  /** A tool that writes or sends, after another server's that reads, in one turn of the model. */
  readonly crossServerFlow: FlowRuleSettings & {
    readonly window: number;
    readonly sameTurnOnly: boolean;
    readonly evidence: EvidenceKind;
  };
  /** More calls of one server than so many in a window. */
  readonly burst: FlowRuleSettings & { readonly maxCalls: number; readonly window: number };
  /** A tool whose name another server of the session had first. */
  readonly shadowTool: FlowRuleSettings;
}

/** What becomes of definitions in which something was found. `hide`: out of the server's lists, and denied, until a person approves it. */
export type OnDefinition = 'alert' | 'hide' | 'deny';

/** What becomes of messages in whose texts something was found. `redact`: they go on without it. */
export type OnText = 'alert' | 'redact' | 'deny';

/** What the policy's user does not want to be told, nor acted on. */
export interface Suppression {
  /** Globs: of the server, of its tool, and of a detector's rule. */
  readonly server: string;
  /** Absent: all that the server sends. */
  readonly tool?: string;
  readonly rule: string;
  /** For whoever sees what was suppressed. */
  readonly reason: string;
}

/** What becomes of texts in which something was found that should not reach a model. */
export interface Detection {
  readonly enabled: boolean;
  readonly onDefinition: OnDefinition;
  /** Of all that comes in but definitions and requests. */
  readonly onResult: OnText;
  /** Of the server's requests: sampling, elicitation. */
  readonly onSampling: OnText;
  /** A critical finding needs a person before the tool is usable. */
  readonly requireApproval: boolean;
  /** What is milder is kept with the definition and neither told nor acted on. */
  readonly threshold: Severity;
  readonly rules: DetectionRules;
  readonly suppress: readonly Suppression[];
}

/** How often a server may be called. */
export interface RateLimits {
  readonly enabled: boolean;
  /** Of every server that has none of its own. */
  readonly default: RateLimit;
  readonly servers: ReadonlyMap<string, ServerRate>;
}

export interface ServerRate {
  /** Undefined: the default. */
  readonly limit: RateLimit | undefined;
  /** By the tool's name; besides the server's. */
  readonly tools: ReadonlyMap<string, RateLimit>;
}

/** Globs for names of tools, by the category that such a tool has, whatever it looks like. */
export type ClassifyGlobs = Readonly<Partial<Record<Category, readonly string[]>>>;

/** A way of asking a person about a call. */
export type Channel = 'terminal' | 'desktop';

/** How a person is asked where a decision is `prompt`. */
export interface ApprovalSettings {
  /** None: nobody is asked, and such calls are denied. */
  readonly channels: readonly Channel[];
  /** Milliseconds until a question without an answer is a denial. */
  readonly timeout: number;
}

/** A TOML value that is compared as a whole. */
export type Scalar = string | boolean | Numeral;

/** A value that is compared with all that is in it: tables (as maps), lists, and scalars at their ends. */
export type Whole = Scalar | readonly Whole[] | ReadonlyMap<string, Whole>;

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

/** What a field of a rule asks of one value, as written. */
export type Matcher =
  | { readonly op: 'globs'; readonly patterns: readonly string[] }
  | { readonly op: 'equals'; readonly value: Scalar }
  | { readonly op: 'same'; readonly value: Whole }
  | { readonly op: 'regex'; readonly regex: Regex }
  | { readonly op: 'compare'; readonly comparison: Comparison; readonly bound: Numeral }
  | { readonly op: 'exists'; readonly present: boolean }
  | { readonly op: 'not'; readonly inner: Matcher }
  | { readonly op: 'all'; readonly of: readonly Matcher[] }
  | { readonly op: 'any'; readonly of: readonly Matcher[] };

/**
 * One step into the arguments. `name` looks into every element of an array on its way, `token` (of a JSON Pointer) is exact,
 * `any` is one segment whatever its name, `deep` any number of them, also none.
 */
export type ArgStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'token'; readonly name: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'deep' };

export interface ArgMatch {
  readonly path: readonly ArgStep[];
  readonly matcher: Matcher;
}

/** The match fields that a rule and its `unless` share. All that are given must match. */
export interface Conditions {
  readonly tool?: Matcher;
  readonly resource?: Matcher;
  readonly prompt?: Matcher;
  readonly method?: Matcher;
  readonly server?: Matcher;
  readonly args: readonly ArgMatch[];
  /** What kinds of tools; any of them. */
  readonly category?: readonly Category[];
  /** Definitions, by their fingerprints; any of them. */
  readonly fingerprint?: readonly string[];
}

export interface Rule extends Conditions {
  /** 0-based position in the file. */
  readonly index: number;
  readonly action: Action;
  readonly id?: string;
  readonly description?: string;
  readonly message?: string;
  readonly unless?: Conditions;
}

/** A step from the policy's root to what an error is about: keys and 0-based positions. */
export type PolicyPath = readonly (string | number)[];

/** Something in a policy that reads as TOML but means nothing. */
export interface PolicyError {
  readonly path: PolicyPath;
  readonly message: string;
  readonly hint?: string;
}

/** Text that is not TOML; 1-based place. */
export interface PolicySyntaxError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}
