/**
 * Two ids are one when their JSON values are: `1` and `1.0`, `"a"` and `"\u0061"`, but not `1` and `"1"`. Integers that a double
 * can't hold stay apart by their text.
 *
 * @param text a JSON string or number
 */
export function idKey(text: string): string {
  if (/^(?:0|-?[1-9]\d{0,14}|"[\w-]*")$/.test(text)) return text;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'number') return JSON.stringify(value);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? String(value) : text;
}
