import { isObject, type JsonObject } from '../json-object.ts';
import { applyEdits, elementsOf, findKeyProblem, type TextSpan, wholeOf } from '../json-text.ts';
import { formatUnknown } from '../note.ts';
import { fieldsOf, fieldSpansOf, holdsCall } from './keys.ts';
import { type CallPart, hasCallWithin, readCallPart, unknownKind } from './part.ts';

/** A part that concerns calls, and its place. */
export interface PlacedPart {
  /** The candidate's number. */
  readonly candidate: number;
  readonly span: TextSpan;
  readonly part: CallPart;
}

/** A `GenerateContentResponse`: a whole answer, or one event of a streamed one. */
export interface Answer {
  /** The API's own id; undefined if there is none. */
  readonly id: string | undefined;
  /** True if it reports an error. */
  readonly isError: boolean;
  readonly parts: readonly PlacedPart[];
  /** Candidates that say that they are finished. */
  readonly finished: readonly number[];
  /** An unknown part, described in words. */
  readonly unknown: string | undefined;
}

const VARIANT = 'it has a key that some readers take for another';

/**
 * Reads the parts of an answer that concern calls.
 *
 * @param text JSON
 * @returns a description of the fault if readers may differ on the calls
 */
export function readAnswer(text: string): Answer | string {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isObject(payload)) return 'it is no object';
  const fields = fieldsOf(payload);
  const spans = fieldSpansOf(text, wholeOf(text));
  if (fields === undefined || spans === undefined) return VARIANT;
  const found: Found = { parts: [], finished: [], unknown: undefined, isElsewhere: hasCallBeside(payload, 'candidates') };
  const problem = readCandidates(text, { value: fields.get('candidates'), span: spans.get('candidates'), found });
  if (problem !== undefined) return problem;
  if (found.isElsewhere) return 'a call is where none is expected';
  if (!isEveryKeyClear(text, found.parts)) return 'a key occurs twice in it, or it is nested too deeply';
  const id = fields.get('responseId');
  return {
    id: typeof id === 'string' && id !== '' ? id : undefined,
    isError: (fields.get('error') ?? null) !== null,
    parts: found.parts,
    finished: found.finished,
    unknown: found.unknown,
  };
}

interface Found {
  readonly parts: PlacedPart[];
  readonly finished: number[];
  /** True if there are calls in unknown places. */
  isElsewhere: boolean;
  unknown: string | undefined;
}

interface Inside {
  readonly value: unknown;
  readonly span: TextSpan | undefined;
  readonly found: Found;
}

/** @returns a description of the fault */
function readCandidates(text: string, { value, span, found }: Inside): string | undefined {
  const elements = span && elementsOf(text, span);
  if (!Array.isArray(value) || elements === undefined) {
    found.isElsewhere ||= holdsCall(value);
    return undefined;
  }
  for (const [position, element] of elements.entries()) {
    const candidate: unknown = value[position];
    // No known client reads lists inside of lists.
    if (!isObject(candidate)) {
      found.isElsewhere ||= holdsCall(candidate);
      continue;
    }
    const fields = fieldsOf(candidate);
    const content = fields?.get('content');
    if (fields === undefined) return VARIANT;
    const index = fields.get('index');
    const number = typeof index === 'number' ? index : position;
    if ((fields.get('finishReason') ?? null) !== null) found.finished.push(number);
    found.isElsewhere ||= hasCallBeside(candidate, 'content');
    const inner = fieldSpansOf(text, element)?.get('content');
    const problem = readContent(text, { value: content, span: inner, found }, number);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function readContent(text: string, { value, span, found }: Inside, candidate: number): string | undefined {
  if (!isObject(value) || span === undefined) {
    found.isElsewhere ||= holdsCall(value);
    return undefined;
  }
  const spans = fieldSpansOf(text, span);
  if (spans === undefined) return VARIANT;
  found.isElsewhere ||= hasCallBeside(value, 'parts');
  const parts = spans.get('parts');
  const elements = parts && elementsOf(text, parts);
  if (elements === undefined) found.isElsewhere ||= holdsCall(value);
  const listed = fieldsOf(value)?.get('parts');
  found.isElsewhere ||= Array.isArray(listed) && listed.some((part) => (isObject(part) ? hasCallWithin(part) : holdsCall(part)));
  const kind = (Array.isArray(listed) ? listed : []).map(unknownKind).find((each) => each !== undefined);
  if (kind !== undefined) found.unknown = formatUnknown('a part', kind);
  for (const element of elements ?? []) {
    const part = readCallPart(text, element);
    if (typeof part === 'string') return part;
    if (part !== undefined) found.parts.push({ candidate, span: element, part });
  }
  return undefined;
}

function hasCallBeside(object: JsonObject, place: string): boolean {
  return Object.entries(object).some(([key, value]) => key !== place && holdsCall({ [key]: value }));
}

/** Tells whether there is no duplicate key. Arguments are checked separately. */
function isEveryKeyClear(text: string, parts: readonly PlacedPart[]): boolean {
  const args = parts.flatMap(({ part }) => ('args' in part && part.args !== undefined ? [{ ...part.args, text: '0' }] : []));
  return findKeyProblem(applyEdits(text, args)) === undefined;
}
