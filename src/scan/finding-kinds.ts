import { SEVERITIES, type Severity } from '../core/finding.ts';
import type { ScanFinding } from './scanned.ts';

/** The judgements of a scan besides those of detection: what they mean, and what to do about all of a kind. */
export const FINDING_KINDS = {
  'changed-definition': {
    summary: 'A definition is not the one that was trusted',
    help: 'Compare the two definitions, and approve the new one only if it still does what you expect of it.',
  },
  'read-only-hint': {
    summary: 'A tool claims to only read, and its name says otherwise',
    help: 'Clients let tools with readOnlyHint run without asking. Let yours ask before this one.',
  },
  'harmless-hint': {
    summary: 'A tool claims to destroy nothing, and its name says otherwise',
    help: 'Clients ask less about tools with destructiveHint = false. Let yours ask before this one.',
  },
  'same-name': {
    summary: 'Another server has a tool or prompt of the same name',
    help: 'A client may call one and mean the other. Remove one, or switch the tool off.',
  },
  'alike-name': {
    summary: 'A name looks like a name of another server',
    help: 'A server may pass itself off as another one. Remove the one that you did not mean.',
  },
  'same-server-name': {
    summary: 'Two different servers have one name',
    help: 'Rules and pins go by names, so each server needs its own.',
  },
  'no-schema': {
    summary: 'A tool does not say which arguments it takes',
    help: 'Nobody can check the arguments of its calls. Let no client allow it unasked, and tell its author.',
  },
  'invalid-schema': {
    summary: 'The schema of the arguments cannot hold',
    help: 'No call can satisfy it, so nobody can check one. Let no client allow it unasked, and tell its author.',
  },
  'outside-schema': {
    summary: 'The schema of the arguments refers to another document',
    help: 'The other document is not read, and may change. Let no client allow it unasked, and tell its author.',
  },
  'untyped-argument': {
    summary: 'An argument may be anything',
    help: 'Ask the author of the server for its type.',
  },
  'no-description': {
    summary: 'A tool does not say what it does',
    help: 'Ask the author of the server for a description.',
  },
  'unpinned-package': {
    summary: 'The version of the server is whatever is newest',
    help: 'Whoever publishes the package decides what runs at the next start. Name an exact version.',
  },
  'moving-tag': {
    summary: 'The image behind the tag may change',
    help: 'Name the image by its digest.',
  },
  'plain-http': {
    summary: 'The server is reached without encryption',
    help: 'Anybody on the way can read and change what is said. Write https://.',
  },
  'secret-in-config': {
    summary: 'A config contains a secret in plain text',
    help: 'Let the client fill it in from the environment. Revoke it if others have seen the file.',
  },
  'readable-config': {
    summary: 'Other users can read a config with secrets',
    help: 'Take the right to read it from others: chmod 600.',
  },
  'writable-config': {
    summary: 'Other users can change which programs a client starts',
    help: 'Take the right to write it, and its folder, from others: chmod go-w.',
  },
  'not-looked-at': {
    summary: 'A server or a config was not looked at',
    help: 'The message says why. A scan without findings says nothing about it.',
  },
} as const satisfies Readonly<Record<string, { readonly summary: string; readonly help: string }>>;

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
