import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { formatSchema, SCHEMA_NAMES, type SchemaName } from '../../schemas/schemas.ts';

/** The folder of our schemas beside the user's policy; they are of the version that wrote them. */
const FOLDER = 'schemas';

/** The config that `clawai init` writes: all settings at their defaults and commented out, so that later defaults count as well. */
export const CONFIG_TEMPLATE = `${schemaLine('config')}
# How clawai runs; what is allowed is in policy.toml beside this file.
# Each line shows a default: remove the # in front of what you change. A server counts with it from its next start.

# "observe" decides and records, and lets everything pass.
#mode = "enforce"

# What becomes of a call that can't be decided or recorded; "allow" lets it pass.
#on_error = "deny"

# The folder in which clawai keeps what it remembers; an absolute path, ~ is your home.
#state_dir = "~/.local/state/clawai"

# Where \`clawai serve\` takes requests; port 0 takes any that is free.
#listen = "127.0.0.1:8787"

#[serve]
# Further names by which it is reached.
#hosts = []

#[llm]
# "disabled": what models call is neither decided nor recorded.
#mode = "embedded"
# Keep what is said to models and by them, without secrets, and for how long.
#store_bodies = false
#retain = "30d"
# A table [llm.providers.anthropic], [llm.providers.openai] or [llm.providers.gemini] gives \`clawai serve\` a URL for what speaks to that provider.

#[limits]
# The longest message, 64 KiB to 256 MiB; longer ones are refused.
#message = "32 MiB"
# Objects and lists inside each other in a message, 16 to 512.
#depth = 128
# The longest event of a stream, 64 KiB to 64 MiB.
#frame = "16 MiB"

#[audit]
# What a recorded event survives: the end of any process, or with "full" also that of the machine.
#sync = "normal"
# How long events are kept, and how much room they may take.
#retain = "90d"
#max_size = "1 GiB"
# true also writes each event as a line to events.jsonl in state_dir; or the path of a file.
#jsonl = false
`;

/** The line by which editors find the schema of a file beside that folder; it has to be the first. */
export function schemaLine(name: SchemaName): string {
  return `#:schema ./${FOLDER}/${name}.schema.json`;
}

/** `old`: some are those of another version, or are missing. `none`: nobody has written any. */
export type SchemaState = 'none' | 'old' | 'current';

/** The state of the schemas beside the policy in this folder. */
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
    // A file that we can't read, an editor can't either.
    return undefined;
  }
}
