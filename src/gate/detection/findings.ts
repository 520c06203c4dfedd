import type { DetectionFacts } from '../../core/facts.ts';
import { type Detection, type ScanResult, TOO_LONG } from '../../core/detect/types.ts';
import { redactText } from '../../core/dlp/redact-text.ts';
import { finderOf } from '../../core/outgoing/secrets-of-call.ts';
import { type Finding, SEVERITIES, type Severity } from '../../core/finding.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import type { PinRecord } from '../../core/registry/definition.ts';
import { pinStatus } from '../../core/registry/trust.ts';

/** The place of a finding. */
export interface FoundIn {
  readonly server: string;
  /** The tool that declares it, or whose call it is about. */
  readonly tool: string | undefined;
}

/** A detection that the policy cares about, and the reason if the user suppressed it. */
export interface Reported {
  readonly detection: Detection;
  readonly suppressed: string | undefined;
}

const NONE: readonly never[] = [];

/** Facts of something in which nothing was found. */
export const CLEAN: DetectionFacts = { findings: NONE, ofServer: NONE, isApproved: false };

/**
 * The detections that are severe enough for the policy, and those that tell that something was too long to scan, if nothing may pass
 * unscanned.
 */
export function reportOf(
  policy: CompiledPolicy,
  detections: readonly Detection[],
  { server, tool }: FoundIn,
): readonly Reported[] {
  if (detections.length === 0) return NONE;
  const { threshold, onDefinition } = policy.policy.detection;
  // Anything may follow a heap of honest words.
  const isUnseen = (rule: string): boolean => rule === TOO_LONG && onDefinition !== 'alert';
  return detections
    .filter(({ rule, severity }) => isAtLeast(severity, threshold) || isUnseen(rule))
    .map((detection) => ({ detection, suppressed: policy.suppressionOf(detection.rule, { server, tool })?.reason }));
}

/** The detections that are acted on. */
export function actedOn(reported: readonly Reported[]): readonly Detection[] {
  return reported.filter(({ suppressed }) => suppressed === undefined).map(({ detection }) => detection);
}

/** A detection for the record: the words that it quotes have nothing that the policy counts as secret, whatever is done with secrets. */
export function recordedDetection({ policy }: CompiledPolicy, detection: Detection): Detection {
  if (detection.matches.length === 0) return detection;
  const finder = finderOf(policy.dlp);
  const shown = (text: string): string => redactText(text, text.length, finder).text;
  const matches = detection.matches.map((match) => ({ ...match, text: shown(match.text), context: shown(match.context) }));
  return { ...detection, matches };
}

/** Detections in the form of a decision's findings. */
export function toFindings(detections: readonly Detection[]): readonly Finding[] {
  return detections.map(({ rule, severity, description, field }) => ({ rule, severity, description, field }));
}

/** Findings in a definition for a decision. @param result undefined if it was not scanned */
export function findingsOf(policy: CompiledPolicy, result: ScanResult | undefined, about: FoundIn): readonly Finding[] {
  return result?.severity === undefined ? NONE : toFindings(actedOn(reportOf(policy, result.detections, about)));
}

/** Tells whether a person approved a definition as it is. */
export function isApproved(pin: PinRecord | undefined): boolean {
  return pin?.isApproved === true && pinStatus(pin) === 'pinned';
}

function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(threshold);
}
