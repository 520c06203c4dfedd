import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CodexWords } from './codex-words.ts';

/** Most sessions that are looked at, the newest first, and bytes of one: its first line names its provider. */
const MOST_SESSIONS = 200;
const MOST_BYTES = 16_384;

/** The name of a file with a session: its time, and its id. */
const FILE = /^rollout-.*\.jsonl$/;

/**
 * The providers of the sessions that Codex may resume, other than the one that its settings name: a session keeps its own, or cannot be
 * resumed. Never throws.
 */
export function otherProviders(
  resumed: CodexWords['resumed'],
  { folder, name }: { readonly folder: string; readonly name: string },
): readonly string[] {
  if (resumed === undefined) return [];
  // The names begin with the time, as do the folders.
  const files = listFiles(folder).toSorted().toReversed();
  const chosen = typeof resumed === 'object' ? files.filter((file) => basename(file).includes(resumed.id.toLowerCase())) : files;
  const providers = chosen.slice(0, resumed === 'last' ? 1 : MOST_SESSIONS).flatMap((file) => readProvider(file) ?? []);
  return [...new Set(providers)].filter((provider) => provider !== name);
}

function listFiles(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((file) => FILE.test(basename(file))).map((file) => join(folder, file));
  } catch {
    // There are no sessions yet.
    return [];
  }
}

function readProvider(file: string): string | undefined {
  try {
    const from = openSync(file, 'r');
    try {
      const start = Buffer.alloc(MOST_BYTES);
      const text = start.toString('utf8', 0, readSync(from, start));
      return /^[^\n]*?"model_provider"\s*:\s*"([^"\\\n]+)"/.exec(text)?.[1];
    } finally {
      closeSync(from);
    }
  } catch {
    // The session can't be read.
    return undefined;
  }
}
