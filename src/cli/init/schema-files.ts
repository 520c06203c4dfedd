import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { formatSchema, SCHEMA_NAMES, type SchemaName } from '../../schemas/schemas.ts';

/** In the folder of the user's policy: these files are ours, and of the version that has written them. */
const FOLDER = 'schemas';

/** The line by which editors find the schema of a file beside that folder; it has to be the first. */
export function schemaLine(name: SchemaName): string {
  return `#:schema ./${FOLDER}/${name}.schema.json`;
}

/** `old`: some are those of another version, or are missing. `none`: nobody has written any. */
export type SchemaState = 'none' | 'old' | 'current';

/** What there is of them beside the policy in this folder. */
export function schemaState(folder: string): SchemaState {
  const texts = SCHEMA_NAMES.map((name) => readIfThere(fileOf(folder, name)));
  if (texts.every((text) => text === undefined)) return 'none';
  return texts.every((text, index) => text === formatSchema(SCHEMA_NAMES[index] ?? 'policy')) ? 'current' : 'old';
}

/**
 * Writes them, over those of another version.
 *
 * @returns the folder, and what was there before
 * @throws ClawaiError `config_unwritable`
 */
export function writeSchemas(folder: string): { readonly folder: string; readonly before: SchemaState } {
  const own = join(folder, FOLDER);
  const before = schemaState(folder);
  if (before === 'current') return { folder: own, before };
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 });
    for (const name of SCHEMA_NAMES) writeAtomically(fileOf(folder, name), Buffer.from(formatSchema(name)), { mode: 0o600 });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClawaiError(`the schemas for editors cannot be written: ${why}`, {
      code: 'config_unwritable',
      place: { file: own },
      hint: 'move away what is there, and run this again',
      cause,
    });
  }
  return { folder: own, before };
}

function fileOf(folder: string, name: SchemaName): string {
  return join(folder, FOLDER, `${name}.schema.json`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Whatever keeps it from being read keeps an editor from it, too.
    return undefined;
  }
}
