import type { JsonObject } from '../../json-object.ts';
import { hasVariantKey, knownKeys } from '../../variant-key.ts';

const KEYS = knownKeys([
  'id',
  'object',
  'choices',
  'error',
  'usage',
  'index',
  'delta',
  'message',
  'finish_reason',
  'role',
  'content',
  'tool_calls',
  'function_call',
  'type',
  'function',
  'custom',
  'name',
  'arguments',
  'input',
]);

/** Has an object of an answer a key that only some readers take for another, or that gives it members it does not show? */
export function hasDoubtfulKey(object: JsonObject): boolean {
  return Object.hasOwn(object, '__proto__') || hasVariantKey(object, KEYS);
}
