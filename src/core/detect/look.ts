import type { Severity } from '../finding.ts';
import type { Detection, Inspection } from './types.ts';

/** What was found in a definition as it was seen, whatever the policy thinks of it. */
export interface Look extends Inspection {
  /** `Detector.version` of who looked. */
  readonly version: string;
}

/** JSON text that keeps a look: `{"version","severity","isCut","detections"}`; `severity` is null where nothing was found. */
export function formatLook({ version, severity, isCut, detections }: Look): string {
  return JSON.stringify({ version, severity: severity ?? null, isCut, detections });
}

/** @param text of `formatLook`. @returns undefined where it is none, as only an edit can make it */
export function parseLook(text: string): Look | undefined {
  try {
    const value = JSON.parse(text) as Partial<Omit<Look, 'severity'>> & { readonly severity?: Severity | null };
    const { version, severity, isCut = false, detections } = value;
    if (typeof version !== 'string' || !Array.isArray(detections)) return undefined;
    return { version, severity: severity ?? undefined, isCut, detections: detections as readonly Detection[] };
  } catch {
    // Then it counts as not looked at.
    return undefined;
  }
}
