import { SEVERITIES, type Severity } from '../core/finding.ts';
import type { ScanFinding } from './scanned.ts';

/** The judgements of a scan besides those of detection, and what they mean. */
export const FINDING_KINDS = {
  'changed-definition': 'A definition is not the one that was trusted',
  'read-only-hint': 'A tool claims to only read, and its name says otherwise',
  'harmless-hint': 'A tool claims to destroy nothing, and its name says otherwise',
  'deceptive-name': 'People or servers may take the name for another one',
  'same-name': 'Another server has a tool or prompt of the same name',
  'alike-name': 'A name looks like a name of another server',
  'same-server-name': 'Two different servers have one name',
  'no-schema': 'A tool does not say which arguments it takes',
  'invalid-schema': 'The schema of the arguments cannot hold',
  'outside-schema': 'The schema of the arguments refers to another document',
  'untyped-argument': 'An argument may be anything',
  'no-description': 'A tool does not say what it does',
  'unpinned-package': 'The version of the server is whatever is newest',
  'moving-tag': 'The image behind the tag may change',
  'plain-http': 'The server is reached without encryption',
  'secret-in-config': 'A config contains a secret in plain text',
  'readable-config': 'Other users can read a config with secrets',
  'writable-config': 'Other users can change which programs a client starts',
} as const satisfies Readonly<Record<string, string>>;

export type FindingKind = keyof typeof FINDING_KINDS;

/** Compares findings so that the most severe comes first, then those of one kind side by side. */
export function byUrgency(a: ScanFinding, b: ScanFinding): number {
  const order = rankOf(b.severity) - rankOf(a.severity);
  return order !== 0 ? order : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The place of a severity in the order of severities, from 0. */
export function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** The worst severity of these findings; undefined if there are none. */
export function worstOf(findings: readonly ScanFinding[]): Severity | undefined {
  return SEVERITIES.findLast((severity) => findings.some((finding) => finding.severity === severity));
}
