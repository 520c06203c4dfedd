import type { Severity } from '../../../finding.ts';
import { matchAt } from '../../match-at.ts';
import type { Normalised } from '../../normalise/normalise.ts';
import type { Detection } from '../../types.ts';

/** An inspected field. */
export interface Seen {
  readonly field: string;
  /** The text as sent. */
  readonly text: string;
  readonly normalised: Normalised;
}

/** Finds one way of hiding text in a field. */
export type FindHiding = (seen: Seen) => readonly Detection[];

export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface HidingFinding {
  /** Rule name behind `obfuscation.`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly description: string;
  readonly places: readonly Place[];
  readonly decoded?: string | undefined;
}

const MOST_MATCHES = 3;

/** A finding as a detection for people, with its first places. */
export function detection({ field, text }: Seen, { rule, severity, description, places, decoded }: HidingFinding): Detection {
  return {
    rule: `obfuscation.${rule}`,
    family: 'obfuscation',
    severity,
    description,
    field,
    matches: places.slice(0, MOST_MATCHES).map(({ start, end }) => matchAt(text, start, end, decoded)),
  };
}

/** The places of a global pattern; the search stops at `most`. */
export function placesOf(text: string, pattern: RegExp, most = 1000): Place[] {
  const places: Place[] = [];
  // Most texts have none, and an iterator costs more than the search.
  if (text.search(pattern) === -1) return places;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    places.push({ start: index, end: index + found.length });
    if (places.length >= most) break;
  }
  return places;
}
