import { canonicalJson } from '../canonical-json.ts';
import type { JsonValue } from '../json.ts';
import { numberText } from './number-text.ts';

/**
 * The canonical JSON text of what a server declares (RFC 8785): the same however its members are ordered and its numbers spelled,
 * another one wherever a value is another. Unlike the RFC's, it keeps all digits of a number that a double would round, and it has
 * a text for half of a surrogate pair, `\udxxx`.
 */
export function canonicalText(value: JsonValue): string {
  return canonicalJson(value, numberText);
}
