import { redactedMark } from '../dlp/redact-text.ts';
import type { ArgumentSecret } from '../finding.ts';
import { KNOWN } from './secrets-of-call.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/**
 * Arguments for the record: strings with a disguised secret become `[redacted:KIND]`. All strings do if a secret is split over them, and all
 * numbers if it is split over these. Secrets that show as they are, are left to `redactJson`.
 */
export function withoutDisguised(args: JsonObject, secrets: readonly ArgumentSecret[]): JsonObject {
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
