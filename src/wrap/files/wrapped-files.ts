import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseFileRecord } from './state-record.ts';

/** What the records in the state folder name. */
export interface WrappedFiles {
  /** Configs that were wrapped, by real path and by the names that clients have for them. */
  readonly configs: readonly string[];
  /** Policies and configs of clawai that the wrapped command lines name. */
  readonly named: readonly string[];
}

/** Flags of `clawai proxy` that name a file that decides. */
const FILE_FLAGS: ReadonlySet<string> = new Set(['--policy', '--config']);

/** Reads what was wrapped, without the rest of wrapping. A record that can't be read says nothing. Never throws. */
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

/** Changes whenever a record comes, goes or is written anew: each is put in its place by renaming. */
export function wrappedFilesVersion(folder: string): number {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    // A folder that can't be looked at has no records that could be read either.
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
    // Removed meanwhile, or no file.
    return '';
  }
}
