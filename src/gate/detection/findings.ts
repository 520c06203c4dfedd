import type { DetectionFacts } from '../../core/facts.ts';
import type { Look } from '../../core/detect/look.ts';
import { TOO_LONG } from '../../core/detect/too-long.ts';
import type { Detection } from '../../core/detect/types.ts';
import { type Finding, SEVERITIES, type Severity } from '../../core/finding.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import type { PinRecord } from '../../core/registry/definition.ts';
import { pinStatus } from '../../core/registry/trust.ts';

/** What something is found in. */
export interface FoundIn {
  readonly server: string;
  /** The tool that declares it, or whose call it is about. */
  readonly tool: string | undefined;
}

/** A detection that the policy is concerned with, and why it is not, where that is so. */
export interface Told {
  readonly detection: Detection;
  readonly suppressed: string | undefined;
}

const NONE: readonly never[] = [];

/** Nothing was found. */
export const CLEAN: DetectionFacts = { findings: NONE, ofServer: NONE, isApproved: false };

/** Of what was found, what is severe enough for the policy, and what tells that not all was looked at where nothing may pass without that. */
export function toldOf(policy: CompiledPolicy, detections: readonly Detection[], { server, tool }: FoundIn): readonly Told[] {
  if (detections.length === 0) return NONE;
  const { threshold, onDefinition } = policy.policy.detection;
  // Behind a heap of honest words may stand anything.
  const isUnseen = (rule: string): boolean => rule === TOO_LONG && onDefinition !== 'alert';
  return detections
    .filter(({ rule, severity }) => isAtLeast(severity, threshold) || isUnseen(rule))
    .map((detection) => ({ detection, suppressed: policy.suppressionOf(detection.rule, { server, tool })?.reason }));
}

/** Of these, what is acted on. */
export function actedOn(told: readonly Told[]): readonly Detection[] {
  return told.filter(({ suppressed }) => suppressed === undefined).map(({ detection }) => detection);
}

/** What a decision says of them. */
export function toFindings(detections: readonly Detection[]): readonly Finding[] {
  return detections.map(({ rule, severity, description, field }) => ({ rule, severity, description, field }));
}

/** What was found in a definition, as a decision knows it. @param look undefined where it was not looked at */
export function findingsOf(policy: CompiledPolicy, look: Look | undefined, about: FoundIn): readonly Finding[] {
  return look?.severity === undefined ? NONE : toFindings(actedOn(toldOf(policy, look.detections, about)));
}

/** A person has said yes to a definition as it is. @param pin what is known of it */
export function isApproved(pin: PinRecord | undefined): boolean {
  return pin?.isApproved === true && pinStatus(pin) === 'pinned';
}

function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(threshold);
}
