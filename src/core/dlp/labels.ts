import type { JsonObject, JsonValue } from '../json.ts';
import { secretNameKind } from './secret-name.ts';

/** Names of members whose value names what stands in another one, and those others; both also behind a word, as `ParameterKey` does. */
const LABEL = /^(?:name|key|header|field|(?<prefix>[A-Za-z]{2,32}?)[_-]?(?:key|name))$/i;
const VALUE = /^(?:value|val|content|text|[A-Za-z]{2,32}?[_-]?value)$/i;

/** Most characters of a name that is read, and most members of an object that are looked at: such objects are small. */
const MOST = 256;
const MOST_MEMBERS = 16;

/**
 * The name in `{"name": "Authorization", "value": …}`, as in lists of headers, fields and variables: if there are several, one that tells of a
 * secret.
 */
export function labelOf(object: JsonObject): string | undefined {
  let label: string | undefined;
  let looked = 0;
  for (const key in object) {
    if (looked++ >= MOST_MEMBERS) break;
    const found = LABEL.exec(key);
    const name = found === null || !Object.hasOwn(object, key) ? undefined : object[key];
    if (typeof name !== 'string' || name.length > MOST) continue;
    const prefix = found?.groups?.['prefix'];
    if (prefix !== undefined && !hasValue(object, prefix)) continue;
    if (secretNameKind(name) !== undefined) return name;
    label ??= name;
  }
  return label;
}

/** Tells whether there is a `ParameterValue` beside a `ParameterKey`. */
function hasValue(object: JsonObject, prefix: string): boolean {
  const wanted = prefix.toLowerCase();
  let looked = 0;
  for (const key in object) {
    if (looked++ >= MOST_MEMBERS) break;
    const name = key.toLowerCase();
    if (name.endsWith('value') && name.startsWith(wanted) && /^[_-]?$/.test(name.slice(wanted.length, -'value'.length)))
      return true;
  }
  return false;
}

/** Tells whether a member holds what the label beside it names. */
export function isLabelled(name: string): boolean {
  return name.length <= 64 && VALUE.test(name);
}

/**
 * The name of what stands behind `"--password"` in a list of a command's arguments, or behind `"Authorization"` in a pair; the list's own name if
 * that tells of a secret, or if nothing else does.
 */
export function nameOfNext(before: JsonValue | undefined, length: number, own?: string): string | undefined {
  const isName = typeof before === 'string' && before.length <= MOST && !/[\s=:]/.test(before);
  if (!isName || !(length === 2 || before.startsWith('-'))) return own;
  return own !== undefined && secretNameKind(own) !== undefined ? own : before;
}
