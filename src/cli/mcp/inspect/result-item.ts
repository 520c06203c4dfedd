import type { TextOrigin } from '../../../core/detect/types.ts';
import { isJsonObject, type JsonValue } from '../../../core/json.ts';
import type { TextsInput } from './item.ts';
import { findTexts } from './text-fields.ts';

/** What kinds of content there are in a result. */
const CONTENT_TYPES: ReadonlySet<JsonValue> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** A result to be looked at: a text, any JSON value, the result of a call, or the whole JSON-RPC message that has one. */
export function toResultItem(value: JsonValue): TextsInput {
  const answer = isJsonObject(value) && typeof value['jsonrpc'] === 'string' ? value : undefined;
  const { result, error } = answer ?? {};
  if (result !== undefined) return { kind: originOf(result), ...findTexts(result) };
  if (error !== undefined) return { kind: 'error', ...findTexts(error) };
  const isParts = Array.isArray(value) && isContent(value as readonly JsonValue[]);
  return { kind: originOf(value), ...findTexts(isParts ? { content: value } : value) };
}

/** Is this the list of parts of one result, and no list of results? */
export function isContent(values: readonly JsonValue[]): boolean {
  return values.every((value) => isJsonObject(value) && CONTENT_TYPES.has(value['type'] ?? null));
}

function originOf(value: JsonValue): TextOrigin {
  if (!isJsonObject(value)) return 'result';
  if (Array.isArray(value['contents'])) return 'resource';
  return Array.isArray(value['messages']) ? 'prompt' : 'result';
}
