import type { JsonObject, JsonValue } from '../json.ts';

const LABELS = ['name', 'key', 'header', 'field'] as const;
const VALUE_NAMES: ReadonlySet<string> = new Set(['value', 'val', 'content', 'text']);

/** Most characters of a name that is read. */
const MOST = 256;

/** The name in `{"name": "Authorization", "value": …}`, as in lists of headers, fields and variables. */
export function labelOf(object: JsonObject): string | undefined {
  for (const label of LABELS) {
    const name = Object.hasOwn(object, label) ? object[label] : undefined;
    if (typeof name === 'string' && name.length <= MOST) return name;
  }
  return undefined;
}

/** Tells whether a member holds what the label beside it names. */
export function isLabelled(name: string): boolean {
  return VALUE_NAMES.has(name);
}

/** The name of what stands behind `"--password"` in a list of a command's arguments, or behind `"Authorization"` in a pair. */
export function nameOfNext(before: JsonValue | undefined, length: number): string | undefined {
  if (typeof before !== 'string' || before.length > MOST || /[\s=:]/.test(before)) return undefined;
  return length === 2 || before.startsWith('-') ? before : undefined;
}
