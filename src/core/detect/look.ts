import type { Severity } from '../finding.ts';
import type { Detection, Inspection } from './types.ts';

/** Detection's findings in a definition as it was seen, independent of the policy. */
export interface Look extends Inspection {
  /** `Detector.version` at the time of looking. */
  readonly version: string;
}

/** JSON text of a look: `{"version","severity","isCut","detections"}`; `severity` is null if nothing was found. */
export function formatLook({ version, severity, isCut, detections }: Look): string {
  return JSON.stringify({ version, severity: severity ?? null, isCut, detections });
}

/** @param text of `formatLook`. @returns undefined if it is invalid, which only an edit can make it */
export function parseLook(text: string): Look | undefined {
  try {
    const value = JSON.parse(text) as Partial<Omit<Look, 'severity'>> & { readonly severity?: Severity | null };
    const { version, severity, isCut = false, detections } = value;
    if (typeof version !== 'string' || !Array.isArray(detections)) return undefined;
    return { version, severity: severity ?? undefined, isCut, detections: detections as readonly Detection[] };
  } catch {
    // It then counts as not looked at.
    return undefined;
  }
}
