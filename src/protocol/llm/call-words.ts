import { isObject, type JsonObject } from './json-object.ts';

/** What calls are kept under, in any API: `tool_calls`, `functionCall`, `tool_use`. */
const CALL_KEY = /(?:calls?|tooluses?)$/;

/** What calls say that they are: `function_call`, `tool_use`, `custom_tool_call`. */
const CALL_TYPE = /(?:^|[._-])(?:call|tool_use)$|(?:function|tool)_?(?:call|use)/i;

/**
 * Does a member look like calls, in the words of whichever API? Numbers and texts of such names tell of calls.
 *
 * @param key in whatever spelling
 */
function isCallMember(key: string, value: unknown): boolean {
  const isSome = Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
  return isSome && CALL_KEY.test(key.toLowerCase().replaceAll(/[_-]/g, ''));
}

/** Is anything in a value that looks like a call? However deep it is nested. What was used is no call. */
export function holdsCallWords(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isObject(next) && looksLikeCall(next)) return true;
    for (const [key, inner] of Object.entries(next)) if (key !== 'usage') open.push(inner);
  }
  return false;
}

function looksLikeCall(object: JsonObject): boolean {
  const { type } = object;
  if (typeof type === 'string' && CALL_TYPE.test(type)) return true;
  return Object.entries(object).some(([key, value]) => key !== 'usage' && isCallMember(key, value));
}
