import { ClawaiError, formatPlace } from '../errors.ts';
import type { PolicyChange } from '../core/policy/types.ts';

/** Describes a fault of a policy in one line that begins with its place. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ClawaiError)) return String(error);
  const [first, ...others] = error.faults;
  if (first === undefined) {
    const place = error.place === undefined ? '' : `${formatPlace(error.place)}: `;
    return `${place}${error.message}`;
  }
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${formatPlace(first.place)}: ${first.message}${more}`;
}

/** Describes a changed policy for a person, in one line. @param isUsual true if `clawai init` would write this file */
export function describeChange({ status, source, file, problem }: Omit<PolicyChange, 'hash'>, isUsual: boolean): string {
  const which = source === 'project' ? "the project's policy" : 'the policy';
  if (status === 'loaded') return `${which} has changed and now applies: ${file}`;
  if (status === 'gone') return describeGone(file, isUsual);
  return `${which} cannot be used, so the last valid one still applies: ${problem ?? file}`;
}

/** Describes a missing policy for a person, in one line. */
export function describeGone(file: string, isUsual: boolean): string {
  const how = isUsual ? 'it is back, or `clawai init` has written a new one' : 'it is back';
  return `the policy ${file} is gone: every call is denied until ${how}`;
}
