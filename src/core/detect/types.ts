import type { Severity } from '../finding.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { DefinitionKind } from '../registry/definition.ts';
import type { CleanTexts } from './clean-texts.ts';

/** What rules are grouped by, and switched on and off by in a policy. */
export const FAMILIES = [
  'credential_theft',
  'exfiltration',
  'hidden_instructions',
  'shell_injection',
  'path_traversal',
  'tool_shadowing',
  'obfuscation',
  'covert_side_effect',
  'secret_leak',
] as const;
export type Family = (typeof FAMILIES)[number];

/** A pattern of the user's own: RE2 syntax, which matches in linear time. */
export interface CustomPattern {
  readonly name: string;
  readonly pattern: string;
  readonly severity: Severity;
  readonly description: string;
}

/** What of a policy the detector needs. */
export interface DetectionRules {
  /** Families that are switched off or on; what is absent is as it is by default: on, but for `shell_injection`. */
  readonly families: Readonly<Partial<Record<Family, boolean>>>;
  readonly patterns: readonly CustomPattern[];
}

/** Where in a text something was found. */
export interface DetectionMatch {
  /** At most 200 characters, as it was sent, with what cannot be seen written out (`U+200B`). */
  readonly text: string;
  /** UTF-16 offset in the field as it was sent; that of the encoded text where it lay in one. */
  readonly position: number;
  /** At most 50 characters before and behind. */
  readonly context: string;
  /** How it was hidden, such as `base64`; absent where it was not. */
  readonly decoded?: string;
}

/** What one rule found in one field. */
export interface Detection {
  /** Stable, e.g. `hidden_instructions.ignore_previous`; `custom.NAME` for a pattern of the user's. */
  readonly rule: string;
  readonly family: Family | 'custom';
  readonly severity: Severity;
  /** One sentence for people, without a full stop: what was found, and why that matters. */
  readonly description: string;
  /** e.g. `description`, `inputSchema.properties.path.description`, `content[0].text`. */
  readonly field: string;
  /** The first few. */
  readonly matches: readonly DetectionMatch[];
  /**
   * It lies in sentences that an earlier definition of the server has too: it is told once, since honest servers repeat themselves. Whoever acts on
   * what is found acts on this one as well.
   */
  readonly repeats?: true;
}

/** What came of looking. */
export interface Inspection {
  /** The most severe first. */
  readonly detections: readonly Detection[];
  /** Of the most severe one; undefined where there are none. */
  readonly severity: Severity | undefined;
  /** Fields that were longer than what is looked at, which is a finding by itself (`obfuscation.too_long`). */
  readonly isCut: boolean;
}

/** One thing that a server declares, to be looked at. */
export interface DefinitionInput {
  readonly kind: DefinitionKind;
  /** As the registry knows it. */
  readonly name: string;
  /** All of it, as it was listed; a text for instructions. */
  readonly value: JsonValue;
}

/** What a definition is seen beside. */
export interface ServerContext {
  readonly server: string;
  /** Names of all tools of the server, as far as they are known. */
  readonly tools: readonly string[];
  /** Names of other servers' tools, by server; orders about these are another matter than those about its own. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** Of the server's definitions that are not looked at together: sentences in which something was found, with how many have them. Is added to. */
  readonly sentences?: Map<string, number>;
  /** Of the same: texts in which nothing was found. Is added to. */
  readonly clean?: CleanTexts;
}

/** Texts that come in besides definitions; `definition` is what a server says of itself, or stands beside those that it lists. */
export type TextOrigin = 'definition' | 'result' | 'resource' | 'prompt' | 'sampling' | 'elicitation' | 'error' | 'log';

/** A text with where it was in its message. */
export interface TextField {
  readonly field: string;
  readonly text: string;
}

/**
 * Finds what should not be in texts that reach a model. Pure; takes time linear in the text, whatever is in it. Nothing it is given makes it throw.
 */
export interface Detector {
  /** Changes whenever rules do: what was found under another one may be found otherwise now. */
  readonly version: string;
  /**
   * Looks at what one server declares, together: what lies in a sentence that many of its definitions share `repeats` at all but the first.
   *
   * @returns one for each, in order
   */
  definitions(definitions: readonly DefinitionInput[], context: ServerContext): readonly Inspection[];
  /** Looks at the texts of one message, by themselves and joined in their order: an order may be split over blocks. */
  texts(origin: TextOrigin, fields: readonly TextField[], context?: ServerContext): Inspection;
  /** Looks at a call's arguments for path traversal and shell injection, as far as these families are on. */
  arguments(args: JsonObject): Inspection;
}

/** Makes a detector. @throws never: patterns were checked where the policy was read; one that does not compile is left out */
export type CreateDetector = (rules: DetectionRules) => Detector;
