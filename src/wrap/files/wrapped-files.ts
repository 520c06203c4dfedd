import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseFileRecord } from './state-record.ts';

/** The files named by the records in the state folder. */
export interface WrappedFiles {
  /** Wrapped configs, by real path and by the paths that clients use. */
  readonly configs: readonly string[];
  /** Policies and configs of clawai that the wrapped command lines name. */
  readonly named: readonly string[];
}

/** Flags of `clawai proxy` that name a policy or config. */
const FILE_FLAGS: ReadonlySet<string> = new Set(['--policy', '--config']);

/** Reads which files were wrapped, without loading the rest of wrapping. A damaged record is skipped. Never throws. */
export function readWrappedFiles(folder: string): WrappedFiles {
  const configs = new Set<string>();
  const named = new Set<string>();
  for (const name of namesIn(folder)) {
    if (!name.endsWith('.json')) continue;
    const record = parseFileRecord(readText(join(folder, name)));
    if (record === undefined) continue;
    configs.add(record.file);
    for (const { alias, wrapped } of record.entries) {
      configs.add(alias);
      const end = wrapped.indexOf('--');
      const own = end === -1 ? wrapped : wrapped.slice(0, end);
      for (const [at, word] of own.entries()) if (FILE_FLAGS.has(own[at - 1] ?? '')) named.add(word);
    }
  }
  return { configs: [...configs], named: [...named] };
}

/** Reads in which files clients have clawai as their hook, by the records of that. Never throws. */
export function readHookedFiles(folder: string): readonly string[] {
  return namesIn(folder).flatMap((name) => {
    const [, file] = /"file": ("(?:[^"\\]|\\.)+")/.exec(name.endsWith('.json') ? readText(join(folder, name)) : '') ?? [];
    return file === undefined ? [] : [JSON.parse(file) as string];
  });
}

/** Returns a version that changes whenever a record is added, removed or rewritten, since each is put in place by renaming. */
export function wrappedFilesVersion(folder: string): number {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    // An inaccessible folder has no readable records.
    return 0;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was ever wrapped.
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The file was removed meanwhile, or is not a file.
    return '';
  }
}
