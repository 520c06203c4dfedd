import type { Severity } from '../finding.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { DefinitionKind } from '../registry/definition.ts';
import type { CleanTexts } from './clean-texts.ts';

/** The groups of rules, which a policy switches on and off. */
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

/** The parts of a policy that the detector needs. */
export interface DetectionRules {
  /** Families that are switched off or on; all are on by default, except `shell_injection`. */
  readonly families: Readonly<Partial<Record<Family, boolean>>>;
  readonly patterns: readonly CustomPattern[];
}

/** The place of a finding in a text. */
export interface DetectionMatch {
  /** At most 200 characters as they were sent, with invisible ones written out (`U+200B`). */
  readonly text: string;
  /** UTF-16 offset in the field as it was sent; that of the encoded text if the match lay in one. */
  readonly position: number;
  /** At most 50 characters before and behind. */
  readonly context: string;
  /** The way it was hidden, such as `base64`; absent if it was not. */
  readonly decoded?: string;
}

/** One rule's findings in one field. */
export interface Detection {
  /** Stable, e.g. `hidden_instructions.ignore_previous`; `custom.NAME` for a pattern of the user's. */
  readonly rule: string;
  readonly family: Family | 'custom' | 'schema' | 'dlp';
  readonly severity: Severity;
  /** One sentence for people, without a full stop: the finding, and why it matters. */
  readonly description: string;
  /** e.g. `description`, `inputSchema.properties.path.description`, `content[0].text`. */
  readonly field: string;
  /** Only the first few. */
  readonly matches: readonly DetectionMatch[];
  /**
   * Set if it lies in sentences that an earlier definition of the server has too: it is told once, since honest servers repeat themselves.
   * Code that acts on findings acts on this one as well.
   */
  readonly repeats?: true;
}

/** The result of an inspection. */
export interface Inspection {
  /** The most severe first. */
  readonly detections: readonly Detection[];
  /** Severity of the most severe one; undefined if there are none. */
  readonly severity: Severity | undefined;
  /** True if fields were longer than the inspected length, which is a finding by itself (`obfuscation.too_long`). */
  readonly isCut: boolean;
}

/** One declaration of a server, to be inspected. */
export interface DefinitionInput {
  readonly kind: DefinitionKind;
  /** Its name in the registry. */
  readonly name: string;
  /** The whole definition as it was listed; a text for instructions. */
  readonly value: JsonValue;
}

/** The surroundings of a definition. */
export interface ServerContext {
  readonly server: string;
  /** Names of all known tools of the server. */
  readonly tools: readonly string[];
  /** Names of other servers' tools, by server; orders about these weigh differently than orders about its own. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** Sentences with hits in the server's other definitions, with the number of definitions that share them. Is added to. */
  readonly sentences?: Map<string, number>;
  /** Clean texts of the server's other definitions. Is added to. */
  readonly clean?: CleanTexts;
}

/** Origins of texts besides definitions; `definition` means a server's texts about itself, or around the definitions that it lists. */
export type TextOrigin = 'definition' | 'result' | 'resource' | 'prompt' | 'sampling' | 'elicitation' | 'error' | 'log';

/** A text with its place in its message. */
export interface TextField {
  readonly field: string;
  readonly text: string;
}

/** Finds content that should not reach a model. Pure; takes time linear in the text, whatever is in it, and never throws. */
export interface Detector {
  /** Changes with the rules: findings of another version may differ. */
  readonly version: string;
  /**
   * Inspects one server's declarations together: a finding in a sentence that many of them share `repeats` at all but the first.
   *
   * @returns one inspection for each, in order
   */
  definitions(definitions: readonly DefinitionInput[], context: ServerContext): readonly Inspection[];
  /** Inspects the texts of one message, separately and joined in order: an order may be split over blocks. */
  texts(origin: TextOrigin, fields: readonly TextField[], context?: ServerContext): Inspection;
  /** Inspects a call's arguments for path traversal, shell injection and credentials, if these families are on. */
  arguments(args: JsonObject): Inspection;
}

/** Creates a detector. Never throws: patterns were checked when the policy was read; one that does not compile is left out. */
export type CreateDetector = (rules: DetectionRules) => Detector;

/** Detection's findings in a definition as it was seen, independent of the policy. */
export interface ScanResult extends Inspection {
  /** `Detector.version` at the time of the scan. */
  readonly version: string;
}

/** JSON text of a result: `{"version","severity","isCut","detections"}`; `severity` is null if nothing was found. */
export function formatScanResult({ version, severity, isCut, detections }: ScanResult): string {
  return JSON.stringify({ version, severity: severity ?? null, isCut, detections });
}

/** @param text of `formatScanResult`. @returns undefined if it is invalid, which only an edit can make it */
export function parseScanResult(text: string): ScanResult | undefined {
  try {
    const value = JSON.parse(text) as Partial<Omit<ScanResult, 'severity'>> & { readonly severity?: Severity | null };
    const { version, severity, isCut = false, detections } = value;
    if (typeof version !== 'string' || !Array.isArray(detections)) return undefined;
    return { version, severity: severity ?? undefined, isCut, detections: detections as readonly Detection[] };
  } catch {
    // It then counts as not scanned.
    return undefined;
  }
}

/** The rule for content that was not inspected completely. */
export const TOO_LONG = 'obfuscation.too_long';

/** Reports content that was not inspected completely. @param what describes its size */
export function tooLong({ field, as }: { readonly field: string; readonly as: 'definition' | 'text' }, what: string): Detection {
  return {
    rule: TOO_LONG,
    family: 'obfuscation',
    severity: as === 'definition' ? 'medium' : 'low',
    description: `Has ${what}, not all of which were scanned`,
    field,
    matches: [],
  };
}
