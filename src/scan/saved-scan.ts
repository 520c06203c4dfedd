import type { Scan, ScannedServer } from './scanned.ts';

/** Everything of a scan that a later one is compared with. */
export interface SavedScan {
  readonly time: number;
  readonly servers: readonly SavedServer[];
  readonly files: readonly { readonly file: string; readonly findings: readonly SavedFinding[] }[];
}

export interface SavedServer extends Pick<ScannedServer, 'name' | 'places' | 'launchFingerprint' | 'definitions'> {
  /** True if its definitions were looked at. */
  readonly isLooked: boolean;
  readonly findings: readonly SavedFinding[];
}

/** A finding without quotes, so that no words of a server are kept. */
export interface SavedFinding {
  readonly id: string;
  readonly subject: string;
}

/** JSON of a scan, without secrets and without what servers said. */
export function formatSavedScan({ time, servers, files }: Scan): string {
  const saved: SavedScan = {
    time,
    servers: servers.map(({ name, places, launchFingerprint, definitions, looked, findings }) => ({
      name,
      places,
      launchFingerprint,
      definitions,
      isLooked: looked.kind !== 'not',
      findings: findings.map(toSaved),
    })),
    files: files.map(({ file, findings }) => ({ file, findings: findings.map(toSaved) })),
  };
  return `${JSON.stringify({ format: 1, ...saved })}\n`;
}

function toSaved({ id, subject }: SavedFinding): SavedFinding {
  return { id, subject };
}

/** Parses a saved scan; undefined if the text is none, e.g. damaged or of another format. */
export function parseSavedScan(text: string): SavedScan | undefined {
  try {
    const value = JSON.parse(text) as Partial<SavedScan> & { readonly format?: unknown };
    const { format, time, servers, files } = value;
    if (format !== 1 || typeof time !== 'number' || !Array.isArray(servers) || !Array.isArray(files)) return undefined;
    const isWhole =
      servers.every(
        ({ name, places, findings, definitions }: Partial<SavedServer>) =>
          typeof name === 'string' &&
          typeof places?.[0]?.file === 'string' &&
          Array.isArray(findings) &&
          Array.isArray(definitions),
      ) && files.every((file: Partial<SavedScan['files'][number]>) => Array.isArray(file.findings));
    return isWhole ? { time, servers: servers as readonly SavedServer[], files } : undefined;
  } catch {
    // The text is truncated or edited.
    return undefined;
  }
}
