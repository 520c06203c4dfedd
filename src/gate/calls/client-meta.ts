import type { Call } from '../../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';

/** Most characters of a client's text about a turn; honest ones have a few hundred. */
const MOST_CHARACTERS = 4096;
const LONGEST_TURN = 128;

/** Members of `_meta` in which clients put the API's id of a call: Claude Code, Codex. */
const ID_MEMBERS = ['claudecode/toolUseId', 'callId'] as const;

/** Most characters of an id; honest ones have some thirty. */
const LONGEST_ID = 256;

/** Shorter tool names occur in random ids by chance, so they count only as whole words. */
const SHORTEST_DISTINCT = 4;

const SEPARATORS = /[^\p{L}\p{N}]/gu;

/** Providers' ids have at least twenty random characters; some programs just count. */
const SHORTEST_UNIQUE = 16;

/**
 * The id that the model's API gave a call, as its client repeats it in `_meta`; undefined without one. Empty if the value cannot be such an
 * id or two of them differ: it then matches no call.
 */
export function toolUseIdOf({ extra }: Call): string | undefined {
  const meta = extra?.['_meta'];
  if (!isJsonObject(meta)) return undefined;
  // This runs for every call, so it allocates no arrays.
  let id: JsonValue | undefined;
  for (const name of ID_MEMBERS) {
    const value = Object.hasOwn(meta, name) ? meta[name] : undefined;
    if (value === undefined) continue;
    if (id !== undefined && value !== id) return '';
    id = value;
  }
  if (id === undefined) return undefined;
  return typeof id === 'string' && isToolUseId(id) ? id : '';
}

/** Tells whether an id can be compared with a client's. */
export function isToolUseId(id: string): boolean {
  return id !== '' && id.length <= LONGEST_ID;
}

/** Tells whether an id is unique across sessions. Some models count the calls of each tool: `functions.read_file:0` (Kimi). */
export function isUniqueId(id: string, { tool = '' }: Pick<Call, 'tool'>): boolean {
  return id.length >= SHORTEST_UNIQUE && isToolUseId(id) && !namesTool(id, plainName(tool));
}

function namesTool(id: string, name: string): boolean {
  if (name === '') return false;
  return name.length < SHORTEST_DISTINCT ? id.toLowerCase().split(SEPARATORS).includes(name) : plainName(id).includes(name);
}

/** Programs spell characters that are neither letters nor digits in their own ways. */
function plainName(name: string): string {
  return name.toLowerCase().replace(SEPARATORS, '');
}

/**
 * The id of the model's turn that a call came from, if its client puts it in `_meta`, as Codex does. Undefined for all others: nobody knows
 * then which calls belong together.
 */
export function turnOf({ extra }: Call): string | undefined {
  const meta = extra?.['_meta'];
  if (!isJsonObject(meta)) return undefined;
  const turn = toObject(meta['x-codex-turn-metadata'])?.['turn_id'];
  return typeof turn === 'string' && turn !== '' && turn.length <= LONGEST_TURN ? turn : undefined;
}

/** An object, given as such or as JSON text. */
function toObject(value: JsonValue | undefined): JsonObject | undefined {
  if (isJsonObject(value ?? null)) return value as JsonObject;
  if (typeof value !== 'string' || value.length > MOST_CHARACTERS) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed as JsonValue) ? (parsed as JsonObject) : undefined;
  } catch {
    // Text that is not JSON tells nothing.
    return undefined;
  }
}
