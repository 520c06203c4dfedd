import type { Call } from '../../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';

/** Characters of what a client says of a turn; honest ones have a few hundred. */
const MOST_CHARACTERS = 4096;
const LONGEST_TURN = 128;

/** Where clients say in `_meta` which call of the model's a call is: Claude Code, Codex. */
const NAMES = ['claudecode/toolUseId', 'callId'] as const;

/** Characters; honest ones have some thirty. */
const LONGEST = 256;

/** Names of tools that have fewer letters say nothing where they are part of a word. */
const SHORTEST_TELLING = 4;

const SEPARATORS = /[^\p{L}\p{N}]/gu;

/** Those of providers have twenty random characters and more; some programs count theirs. */
const SHORTEST_UNIQUE = 16;

/**
 * The model's API's own id of a call, as its client says it in `_meta`; undefined where it says none. Empty where what it says can be no such id,
 * or is two of them: then it is that of no call.
 */
export function toolUseIdOf({ extra }: Call): string | undefined {
  const meta = extra?.['_meta'];
  if (!isJsonObject(meta)) return undefined;
  // No arrays: this is on every call's way.
  let id: JsonValue | undefined;
  for (const name of NAMES) {
    const said = Object.hasOwn(meta, name) ? meta[name] : undefined;
    if (said === undefined) continue;
    if (id !== undefined && said !== id) return '';
    id = said;
  }
  if (id === undefined) return undefined;
  return typeof id === 'string' && isToolUseId(id) ? id : '';
}

/** May it be compared with what a client says? */
export function isToolUseId(id: string): boolean {
  return id !== '' && id.length <= LONGEST;
}

/** Is it one that nobody else's call has, whatever session that is of? Some models count the calls of each tool: `functions.read_file:0` (Kimi). */
export function isUniqueId(id: string, { tool = '' }: Pick<Call, 'tool'>): boolean {
  return id.length >= SHORTEST_UNIQUE && isToolUseId(id) && !saysTool(id, plainName(tool));
}

function saysTool(id: string, name: string): boolean {
  if (name === '') return false;
  // A short one is in many a random id, by chance.
  return name.length < SHORTEST_TELLING ? id.toLowerCase().split(SEPARATORS).includes(name) : plainName(id).includes(name);
}

/** Programs spell what is neither a letter nor a digit in their own ways. */
function plainName(name: string): string {
  return name.toLowerCase().replace(SEPARATORS, '');
}

/**
 * The answer of the model that a call came from, where its client says so in `_meta`: Codex names its turn. Undefined for all others: then
 * nobody knows which calls belong together.
 */
export function turnOf({ extra }: Call): string | undefined {
  const meta = extra?.['_meta'];
  if (!isJsonObject(meta)) return undefined;
  const turn = toObject(meta['x-codex-turn-metadata'])?.['turn_id'];
  return typeof turn === 'string' && turn !== '' && turn.length <= LONGEST_TURN ? turn : undefined;
}

/** An object, or the text of one. */
function toObject(value: JsonValue | undefined): JsonObject | undefined {
  if (isJsonObject(value ?? null)) return value as JsonObject;
  if (typeof value !== 'string' || value.length > MOST_CHARACTERS) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed as JsonValue) ? (parsed as JsonObject) : undefined;
  } catch {
    // Nothing that can be told.
    return undefined;
  }
}
