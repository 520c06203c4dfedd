import { readArguments } from '../calls.ts';
import type { ModelCall } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-object.ts';
import { sourceOf, type TextSpan } from '../json-text.ts';
import { type Fields, fieldsOf, fieldSpansOf, holdsCall, isCallKey, providerToolOf, toCamel } from './keys.ts';
import { type PartialArg, readPartialArgs } from './partial-args.ts';

/** A part of an answer that concerns calls. */
export type CallPart =
  /** A whole call. `args`: the span of its arguments, which are checked separately. */
  | {
      readonly kind: 'call';
      readonly call: ModelCall;
      readonly isSigned: boolean;
      readonly args: TextSpan | undefined;
      /** True if its kind is known, and so the form of its result. */
      readonly isFunction: boolean;
    }
  /** A piece of a call that comes in several parts. `call`: set for the first one. */
  | {
      readonly kind: 'piece';
      readonly call: ModelCall | undefined;
      readonly isSigned: boolean;
      readonly partial: readonly PartialArg[];
      readonly isEnd: boolean;
    }
  /** A call that the provider has run. */
  | { readonly kind: 'provider_call'; readonly call: ModelCall; readonly args: TextSpan | undefined; readonly isCode: boolean }
  /** The result of such a call. `id`: the call's; empty if the last call of its kind is meant. */
  | { readonly kind: 'provider_result'; readonly id: string; readonly isCode: boolean };

const PROVIDER_CALLS = new Set(['toolCall', 'executableCode']);

/** The keys of a part's content; a part has one of them, in any spelling. */
const DATA: ReadonlySet<string> = new Set(
  `audioTranscription codeExecutionResult executableCode fileData functionCall functionResponse inlineData text toolCall
  toolResponse`.split(/\s+/),
);

/** The keys of a part's metadata. */
const METADATA: ReadonlySet<string> = new Set(
  'mediaProcessing mediaResolution partMetadata speechMetadata videoMetadata'.split(' '),
);

/** Returns the kind of an unknown part, which may be a call; undefined for all others. Parts with the name of a call are not unknown. */
export function unknownKind(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  const keys = Object.keys(part).map((key) => [key, toCamel(key)] as const);
  if (keys.some(([key, name]) => DATA.has(name) || isCallKey(key))) return undefined;
  return keys.find(([key, name]) => !METADATA.has(name) && typeof part[key] === 'object' && part[key] !== null)?.[0];
}

/** The keys of results, whatever their words. */
const RESULTS: ReadonlySet<string> = new Set(['codeExecutionResult', 'functionResponse', 'toolResponse']);

/** The keys of a function call. */
const OF_A_CALL: ReadonlySet<string> = new Set(['args', 'id', 'name', 'partialArgs', 'willContinue']);

/** Tells whether a part contains a call besides the one that it is. */
export function hasCallWithin(part: JsonObject): boolean {
  // A part of unknown kind counts as a possible call as a whole.
  if (unknownKind(part) !== undefined) return false;
  const others = Object.entries(part).filter(([key]) => !isCallKey(key) && !RESULTS.has(toCamel(key)));
  return holdsCall(Object.fromEntries(others));
}

const VARIANT = 'it has a key that some readers take for another';
const UNREADABLE = 'a call cannot be read';

/**
 * Reads what a part has to do with calls, by its keys alone: the finish reason of an answer proves nothing.
 *
 * @param text valid JSON
 * @param span of the part
 * @returns undefined if it is not a call; a description of the fault if readers may differ on it
 */
export function readCallPart(text: string, span: TextSpan): CallPart | string | undefined {
  const part: unknown = JSON.parse(text.slice(span.start, span.end));
  if (!isObject(part)) return undefined;
  const fields = fieldsOf(part);
  const spans = fieldSpansOf(text, span);
  if (fields === undefined || spans === undefined) return VARIANT;
  const calls = [...fields.keys()].filter((key) => isCallKey(key) && fields.get(key) !== null);
  const [name] = calls;
  if (name === undefined) return readResult(fields);
  const inner = spans.get(name);
  const call = fields.get(name);
  if (calls.length > 1 || inner === undefined || !isObject(call)) return UNREADABLE;
  const callFields = fieldsOf(call);
  if (callFields === undefined) return VARIANT;
  const isSigned = (fields.get('thoughtSignature') ?? null) !== null;
  if (name === 'functionCall') return readFunctionCall(text, inner, { fields: callFields, isSigned });
  if (PROVIDER_CALLS.has(name)) return readProviderCall(text, inner, { fields: callFields, isCode: name === 'executableCode' });
  return readUnknownCall(text, inner, { fields: callFields, isSigned, key: name });
}

/** Reads a call of unknown kind, which counts as the client's, with its whole content as arguments. */
function readUnknownCall(
  text: string,
  span: TextSpan,
  { fields, isSigned, key }: { readonly fields: Fields; readonly isSigned: boolean; readonly key: string },
): CallPart {
  const [id, name] = [fields.get('id'), fields.get('name')];
  const named = { id: typeof id === 'string' ? id : '', name: typeof name === 'string' ? name : key };
  const call = { ...NO_CALL, ...named, ...readArguments(sourceOf(text, span) ?? '') };
  return { kind: 'call', call, isSigned, args: span, isFunction: false };
}

function readFunctionCall(
  text: string,
  span: TextSpan,
  { fields, isSigned }: { readonly fields: Fields; readonly isSigned: boolean },
): CallPart | string {
  const id = fields.get('id') ?? '';
  const name = fields.get('name') ?? undefined;
  const willContinue = fields.get('willContinue') ?? false;
  if (typeof id !== 'string' || typeof willContinue !== 'boolean') return UNREADABLE;
  if (holdsCall(Object.fromEntries([...fields].filter(([key]) => !OF_A_CALL.has(key))))) return UNREADABLE;
  if (name !== undefined && (typeof name !== 'string' || name === '')) return 'a call has no name';
  const spans = fieldSpansOf(text, span);
  const args = (fields.get('args') ?? null) === null ? undefined : spans?.get('args');
  const pieces = (fields.get('partialArgs') ?? null) === null ? undefined : spans?.get('partialArgs');
  const call = name === undefined ? undefined : { ...NO_CALL, id, name };
  if (pieces === undefined && !willContinue && call !== undefined) {
    return { kind: 'call', call: { ...call, ...readArguments(sourceOf(text, args) ?? '') }, isSigned, args, isFunction: true };
  }
  // Some readers take the whole arguments then, and some the pieces.
  if (args !== undefined) return call === undefined ? 'a call has no name' : UNREADABLE;
  const partial = pieces === undefined ? [] : readPartialArgs(text, pieces);
  if (partial === undefined) return UNREADABLE;
  const isEnd = !willContinue && partial.every((arg) => !arg.willContinue);
  return { kind: 'piece', call, isSigned, partial, isEnd };
}

function readProviderCall(
  text: string,
  span: TextSpan,
  { fields, isCode }: { readonly fields: Fields; readonly isCode: boolean },
): CallPart | string {
  const id = fields.get('id') ?? '';
  const type = isCode ? 'codeExecution' : fields.get('toolType');
  if (typeof id !== 'string' || typeof type !== 'string') return UNREADABLE;
  const args = isCode ? span : (fields.get('args') ?? null) === null ? undefined : fieldSpansOf(text, span)?.get('args');
  const call: ModelCall = { ...NO_CALL, id, name: providerToolOf(type), runBy: 'provider' };
  return { kind: 'provider_call', call: { ...call, ...readArguments(sourceOf(text, args) ?? '') }, args, isCode };
}

function readResult(fields: Fields): CallPart | string | undefined {
  const ofCode = fields.get('codeExecutionResult') ?? undefined;
  const result = ofCode ?? fields.get('toolResponse') ?? undefined;
  if (result === undefined) return undefined;
  const id = isObject(result) ? (fieldsOf(result)?.get('id') ?? '') : undefined;
  return typeof id === 'string' ? { kind: 'provider_result', id, isCode: ofCode !== undefined } : UNREADABLE;
}

const NO_CALL = {
  id: '',
  name: '',
  group: undefined,
  args: undefined,
  problem: undefined,
  runBy: 'client',
  server: undefined,
} as const satisfies ModelCall;
