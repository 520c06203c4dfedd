import type { Call } from '../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** Characters of what a client says of a turn; honest ones have a few hundred. */
const MOST_CHARACTERS = 4096;
const LONGEST_TURN = 128;

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
