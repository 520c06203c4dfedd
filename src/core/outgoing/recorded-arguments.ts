import { isRedacted } from '../dlp/plausible-secret.ts';
import { MOST_MEMBERS } from '../dlp/redact-json.ts';
import { redactedMark } from '../dlp/redact-text.ts';
import { type ArgumentSecret, KNOWN } from '../finding.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { isRandom } from './looks-secret.ts';

/** So many findings are told of a call; if the last one has no place, there were more. */
const MOST_FOUND = 20;

/** Matches a name that hides nothing: an encoded secret is longer, or has digits. */
const PLAIN_NAME = /^[A-Za-z][A-Za-z_-]{0,22}$/;

/**
 * Arguments for the record: each secret that was found becomes `[redacted:KIND]`, whatever its kind, its disguise and the policy's action.
 * A string becomes one mark as a whole if the secret's place in it is unknown, and all strings do if it is unknown which has it.
 *
 * @param most members of an object or a list; others are only counted in a record
 */
export function recordedArguments(args: JsonObject, secrets: readonly ArgumentSecret[], most = MOST_MEMBERS): JsonObject {
  const last = secrets.at(-1);
  if (last === undefined) return args;
  const isMore = secrets.length >= MOST_FOUND && last.spans === undefined;
  // A secret of another server may be in any name, too.
  const anywhere = isMore ? 'name' : secrets.find(({ kind }) => kind === KNOWN)?.kind;
  const places = new Map<string, ArgumentSecret[]>();
  for (const secret of secrets) {
    const place = JSON.stringify(secret.steps);
    places.set(place, [...(places.get(place) ?? []), secret]);
  }
  const copy = (value: JsonValue, steps: readonly (string | number)[]): JsonValue => {
    if (Array.isArray(value))
      return (value as readonly JsonValue[]).map((item, index) => (index < most ? copy(item, [...steps, index]) : null));
    if (isJsonObject(value)) return copyObject(value, steps);
    const found = (places.get(JSON.stringify(steps)) ?? []).filter(({ hiding }) => hiding !== 'key');
    if (typeof value === 'string') return isMore ? redactedMark(last.kind) : withoutSpans(value, found);
    const isNumber = typeof value === 'number' || value instanceof ExactNumber;
    const kind = found[0]?.kind ?? (isMore ? last.kind : undefined);
    return isNumber && kind !== undefined ? redactedMark(kind) : value;
  };
  const copyObject = (object: JsonObject, steps: readonly (string | number)[]): JsonObject => {
    const members = new Map<string, JsonValue>();
    for (const name of Object.keys(object)) {
      if (members.size >= most) {
        // They are only counted.
        members.set(name, null);
        continue;
      }
      const place = [...steps, name];
      const shown = unused(recordedName(name, places.get(JSON.stringify(place)), anywhere), members);
      members.set(shown, copy(object[name] ?? null, place));
    }
    return Object.fromEntries(members);
  };
  return copyObject(withoutDisguised(args, secrets), []);
}

/** A resource's URI for the record: the argument `uri` of its call. */
export function recordedURI(uri: string, secrets: readonly ArgumentSecret[]): string {
  return String(recordedArguments({ uri }, secrets)['uri']);
}

/**
 * The name of a member, or a mark if a secret is in it, or may be: a disguised one has the same place as one in the value.
 *
 * @param anywhere the kind of a secret that may be in any name
 */
function recordedName(name: string, found: readonly ArgumentSecret[] = [], anywhere: string | undefined): string {
  const secret = found.find(({ hiding }) => hiding === 'key' || (hiding !== undefined && !PLAIN_NAME.test(name)));
  if (secret !== undefined) return redactedMark(secret.kind);
  return anywhere !== undefined && (!PLAIN_NAME.test(name) || isRandom(name)) ? redactedMark(anywhere) : name;
}

function unused(name: string, members: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; members.has(free); count += 1) free = `${name} (${count})`;
  return free;
}

/** @param found the secrets of that string */
function withoutSpans(text: string, found: readonly ArgumentSecret[]): string {
  const [first] = found;
  if (first === undefined || isRedacted(text)) return text;
  const hasNoPlace = found.find(({ spans }) => spans === undefined);
  if (hasNoPlace !== undefined) return redactedMark(hasNoPlace.kind);
  let out = '';
  let at = 0;
  const spans = found.flatMap((secret) => secret.spans ?? []).toSorted((a, b) => a.start - b.start);
  for (const { start, end, kind } of spans) {
    if (start >= at) out += text.slice(at, start) + redactedMark(kind);
    at = Math.max(at, end);
  }
  return out + text.slice(at);
}

/**
 * Arguments for the record: strings with a disguised secret become `[redacted:KIND]`. All strings do if a secret is split over them, and all
 * numbers if it is split over these. Secrets that show as they are, are left to `redactJson`.
 */
function withoutDisguised(args: JsonObject, secrets: readonly ArgumentSecret[]): JsonObject {
  const hidden = secrets.filter(({ hiding, kind }) => kind === KNOWN || (hiding !== undefined && hiding !== 'key'));
  const split = hidden.find(({ hiding, steps }) => steps.length === 0 || hiding?.startsWith('split') === true);
  if (hidden.length === 0) return args;
  // Its characters are numbers.
  const areCodes = hidden.some(({ hiding }) => hiding === 'split, codes');
  const kinds = new Map(hidden.map(({ steps, kind }) => [JSON.stringify(steps), kind]));
  const copy = (value: JsonValue, steps: readonly (string | number)[]): JsonValue => {
    if (typeof value === 'string') {
      const kind = split?.kind ?? kinds.get(JSON.stringify(steps));
      return kind === undefined ? value : redactedMark(kind);
    }
    if (areCodes && (typeof value === 'number' || value instanceof ExactNumber)) return redactedMark(split?.kind ?? '');
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item, index) => copy(item, [...steps, index]));
    return isJsonObject(value) ? copyObject(value, steps) : value;
  };
  const copyObject = (object: JsonObject, steps: readonly (string | number)[]): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, copy(value, [...steps, key])]));
  return copyObject(args, []);
}
