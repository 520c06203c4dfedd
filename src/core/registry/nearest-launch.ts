import type { FieldChange } from './definition.ts';
import { diffDefinitions } from './diff.ts';

/** A launch identity as canonical JSON, and its fingerprint. */
interface Launch {
  readonly fingerprint: string;
  readonly text: string;
}

/** The one of several launches from which another differs least, and in what. Undefined where there are none. */
export function nearestLaunch(
  launches: readonly Launch[],
  text: string,
): { readonly previous: string; readonly changes: readonly FieldChange[] } | undefined {
  const all = launches.map((each) => ({ previous: each.fingerprint, changes: diffDefinitions(each.text, text) }));
  return all.toSorted((a, b) => a.changes.length - b.changes.length)[0];
}
