import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ClawaiError } from '../errors.ts';
import type { Fixture } from './fixture-case.ts';
import { type FixtureUse, parseFixtures } from './fixture.ts';
import { nameOfFile, readStdin } from './stdin.ts';

/** Everything that could be read, and one error for each file that could not. */
export interface LoadedFixtures {
  readonly fixtures: readonly Fixture[];
  readonly errors: readonly ClawaiError[];
}

/** Loads fixture files in the order given; `-` is stdin. Never rejects for a bad file: that is an entry in `errors`. */
export async function loadFixtures(files: readonly string[], use: FixtureUse): Promise<LoadedFixtures> {
  const fixtures: Fixture[] = [];
  const errors: ClawaiError[] = [];
  for (const file of files) {
    try {
      fixtures.push(...parseFixtures(await readText(file), nameOfFile(file), use));
    } catch (error) {
      // Every bad file is reported, not only the first; anything else that is thrown stays a bug.
      if (!(error instanceof ClawaiError)) throw error;
      errors.push(error);
    }
  }
  return { fixtures, errors };
}

/**
 * The fixture files directly in a directory, as `directory/name`, sorted by code unit so that every machine has one order.
 * Folders in it are for other policies and are left alone, as are names that start with a dot, and schemas (`*.schema.json`).
 * Throws ClawaiError where there is none: a suite that ran nothing must not look like one that passed.
 */
export async function listFixtures(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((cause: unknown) => {
    const hint = codeOf(cause) === 'ENOTDIR' ? `for one file, write --fixture ${directory}` : undefined;
    throw unreadable(directory, cause, hint);
  });
  const names = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json') && !name.startsWith('.'))
    .sort();
  if (names.length === 0) {
    throw new ClawaiError('there is no fixture in this directory', {
      code: 'fixture_unreadable',
      place: { file: directory },
      hint: 'a fixture is a file *.json directly in it',
    });
  }
  return names.map((name) => join(directory, name));
}

async function readText(file: string): Promise<string> {
  try {
    if (file !== '-' && (await stat(file)).isDirectory()) {
      throw new ClawaiError('this fixture is a directory', {
        code: 'fixture_unreadable',
        place: { file },
        hint: `for every fixture in it, write --fixture-dir ${file}`,
      });
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await (file === '-' ? readStdin('fixture_unreadable') : readFile(file)),
    );
  } catch (cause) {
    if (cause instanceof ClawaiError) throw cause;
    if (cause instanceof TypeError && codeOf(cause) === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new ClawaiError('the fixture is not UTF-8', { code: 'fixture_invalid', place: { file: nameOfFile(file) }, cause });
    }
    throw unreadable(nameOfFile(file), cause);
  }
}

function unreadable(file: string, cause: unknown, hint?: string): ClawaiError {
  const reasons: Record<string, string> = {
    ENOENT: 'it does not exist',
    EACCES: 'permission denied',
    ENOTDIR: 'it is not a directory',
    ELOOP: 'it is a link to itself',
  };
  const code = codeOf(cause);
  if (code === undefined) throw cause;
  return new ClawaiError(`the fixtures cannot be read: ${reasons[code] ?? code}`, {
    code: 'fixture_unreadable',
    place: { file },
    hint,
    cause,
  });
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}
