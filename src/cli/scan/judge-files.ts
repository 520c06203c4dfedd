import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type FileFacts, judgeFile } from '../../scan/judge-config.ts';
import type { ScanFinding, ScannedFile, ScannedServer } from '../../scan/scanned.ts';
import { shortPath } from '../terminal/text.ts';
import type { TargetFile } from './scan-target.ts';

/** Judges who else can read and change each config. Windows has other permissions, which nobody looks at here. */
export function judgeFiles(
  files: readonly TargetFile[],
  servers: readonly ScannedServer[],
  { getuid, platform } = process,
): readonly ScannedFile[] {
  const user = getuid?.call(process);
  return files.map(({ file, realFile, clients, problem }) => {
    const facts = user === undefined || platform === 'win32' ? undefined : readFacts(file, realFile, user);
    const hasSecrets = servers.some(
      ({ places, findings }) =>
        places.some((place) => place.file === file) && findings.some(({ id }) => id === 'secret-in-config'),
    );
    const findings: readonly ScanFinding[] = facts === undefined ? [] : judgeFile(facts, hasSecrets);
    return { file, clients, findings, problem };
  });
}

function readFacts(file: string, realFile: string, user: number): FileFacts | undefined {
  try {
    const { mode, uid, gid } = statSync(realFile);
    return { file: shortPath(file), mode, uid, gid, folder: statSync(dirname(realFile)), user };
  } catch {
    // The file cannot be read either, which its problem says.
    return undefined;
  }
}
