import { isObject } from '../json-object.ts';
import { elementsOf, sourceOf, type TextSpan } from '../json-text.ts';
import type { ModelCall } from '../dialect.ts';
import { fieldsOf, fieldSpansOf } from './keys.ts';

/** A piece of a call's arguments: a value, or a part of a text, and its path. */
export interface PartialArg {
  readonly path: string;
  /** A part of a text. */
  readonly piece: string | undefined;
  /** JSON text of another value; undefined if there is neither. */
  readonly value: string | undefined;
  readonly willContinue: boolean;
}

/** Matches names and indices only: some readers don't support other syntax of paths. */
const PATH =
  /^\$\.[^\s.[\]'"*?:,()@$\\\d][^\s.[\]'"*?:,()@$\\]*(?:\.[^\s.[\]'"*?:,()@$\\\d][^\s.[\]'"*?:,()@$\\]*|\[(?:0|[1-9]\d{0,5})\])*(?:\[\])?$/;
const SEGMENT = /\.([^.[\]]+)|\[(\d*)\]/g;

const MOST_SEGMENTS = 64;

type Value =
  | { readonly kind: 'object'; readonly members: Map<string, Value> }
  | { readonly kind: 'array'; readonly elements: Value[] }
  | { readonly kind: 'text'; readonly pieces: string[]; isOpen: boolean }
  | { readonly kind: 'other'; readonly source: string };

/** Reads `partialArgs`. Undefined if it is invalid. @param span of the array */
export function readPartialArgs(text: string, span: TextSpan): readonly PartialArg[] | undefined {
  const elements = elementsOf(text, span);
  const args = elements?.map((element) => readPartialArg(text, element));
  return args?.every((arg) => arg !== undefined) === true ? args : undefined;
}

function readPartialArg(text: string, span: TextSpan): PartialArg | undefined {
  const value: unknown = JSON.parse(text.slice(span.start, span.end));
  const fields = isObject(value) ? fieldsOf(value) : undefined;
  const path = fields?.get('jsonPath');
  const willContinue = fields?.get('willContinue') ?? false;
  if (fields === undefined || typeof path !== 'string' || typeof willContinue !== 'boolean') return undefined;
  // Null is a value for `nullValue`, but means absent for the others.
  const isNull = fields.has('nullValue');
  const { stringValue, numberValue, boolValue } = {
    stringValue: fields.get('stringValue') ?? undefined,
    numberValue: fields.get('numberValue') ?? undefined,
    boolValue: fields.get('boolValue') ?? undefined,
  };
  if ([stringValue, numberValue, boolValue, isNull || undefined].filter((one) => one !== undefined).length > 1) return undefined;
  if (stringValue !== undefined && typeof stringValue !== 'string') return undefined;
  if (numberValue !== undefined && typeof numberValue !== 'number') return undefined;
  if (boolValue !== undefined && typeof boolValue !== 'boolean') return undefined;
  const number = numberValue === undefined ? undefined : sourceOf(text, fieldSpansOf(text, span)?.get('numberValue'));
  const other = boolValue === undefined ? (isNull ? 'null' : undefined) : String(boolValue);
  return { path, piece: stringValue, value: number ?? other, willContinue };
}

/**
 * Assembles the arguments of a call that come in pieces (`streamFunctionCallArguments` of Vertex). Anything ambiguous is a problem: a
 * duplicate value, a text that continues after its end, an element after a gap.
 */
export class PartialArgs {
  readonly #root: Value = { kind: 'object', members: new Map() };
  #isUnclear = false;

  add(arg: PartialArg): void {
    if (!this.#isUnclear && !this.#put(arg)) this.#isUnclear = true;
  }

  /** Returns the arguments as JSON text. */
  read(): { readonly args: string; readonly problem: ModelCall['problem'] } {
    return { args: formatValue(this.#root), problem: this.#isUnclear ? 'invalid_json' : undefined };
  }

  #put({ path, piece, value, willContinue }: PartialArg): boolean {
    if (!PATH.test(path)) return false;
    const isList = path.endsWith('[]');
    const segments = [...path.matchAll(SEGMENT)].slice(0, isList ? -1 : undefined).map(toSegment);
    if (segments.length > MOST_SEGMENTS) return false;
    const last = segments.pop();
    const parent = last === undefined ? undefined : this.#parent(segments, last);
    if (parent === undefined || last === undefined) return false;
    const known = memberOf(parent, last);
    if (piece !== undefined) {
      if (known === undefined) return setMember(parent, last, { kind: 'text', pieces: [piece], isOpen: willContinue });
      if (known.kind !== 'text' || !known.isOpen) return false;
      known.pieces.push(piece);
      known.isOpen = willContinue;
      return true;
    }
    if (value !== undefined) return known === undefined && setMember(parent, last, { kind: 'other', source: value });
    // A piece without a value ends a text, or begins a container, which may stay empty.
    if (known?.kind === 'text') known.isOpen &&= willContinue;
    if (known !== undefined || willContinue) return true;
    return setMember(parent, last, isList ? { kind: 'array', elements: [] } : { kind: 'object', members: new Map() });
  }

  /** Returns the parent of a value, created if needed. */
  #parent(segments: readonly (string | number)[], last: string | number): Value | undefined {
    let at: Value = this.#root;
    for (const [index, segment] of segments.entries()) {
      const next = segments[index + 1] ?? last;
      let inner: Value | undefined = memberOf(at, segment);
      if (inner === undefined) {
        inner = typeof next === 'number' ? { kind: 'array', elements: [] } : { kind: 'object', members: new Map() };
        if (!setMember(at, segment, inner)) return undefined;
      }
      at = inner;
    }
    return at;
  }
}

function toSegment([, name, index]: RegExpExecArray): string | number {
  return name ?? Number(index);
}

function memberOf(value: Value, segment: string | number): Value | undefined {
  if (value.kind === 'object' && typeof segment === 'string') return value.members.get(segment);
  return value.kind === 'array' && typeof segment === 'number' ? value.elements[segment] : undefined;
}

/** False if the place does not exist. */
function setMember(into: Value, segment: string | number, value: Value): boolean {
  if (into.kind === 'object' && typeof segment === 'string') into.members.set(segment, value);
  else if (into.kind === 'array' && segment === into.elements.length) into.elements.push(value);
  else return false;
  return true;
}

function formatValue(value: Value): string {
  switch (value.kind) {
    case 'object':
      return `{${Array.from(value.members, ([key, inner]) => `${JSON.stringify(key)}:${formatValue(inner)}`).join(',')}}`;
    case 'array':
      return `[${value.elements.map(formatValue).join(',')}]`;
    case 'text':
      return JSON.stringify(value.pieces.join(''));
    case 'other':
      return value.source;
  }
}
