import { elementsOf, stringOf, type TextSpan } from '../json-text.ts';
import { fieldSpansOf } from './keys.ts';

/** An element of `contents`. */
export interface Content {
  readonly span: TextSpan;
  readonly isModels: boolean;
  readonly parts: readonly Part[];
}

/** A part of it; only one of these is there. */
export interface Part {
  readonly span: TextSpan;
  /** Undefined for what is no text, or a thought. */
  readonly text: string | undefined;
  /** The id of a call or of a result, empty where it has none; undefined where it is neither. */
  readonly call: string | undefined;
  readonly result: string | undefined;
  readonly signature: string | undefined;
}

/** @param text which `readRequest` could read @param span of the element */
export function readContent(text: string, span: TextSpan): Content {
  const fields = fieldSpansOf(text, span);
  const parts = fields?.get('parts');
  const elements = parts && elementsOf(text, parts);
  return {
    span,
    isModels: stringOf(text, fields?.get('role')) === 'model',
    parts: (elements ?? []).map((element) => readPart(text, element)),
  };
}

function readPart(text: string, span: TextSpan): Part {
  const fields = fieldSpansOf(text, span);
  const idOf = (name: string): string | undefined => {
    const inner = fields?.get(name);
    return inner === undefined ? undefined : (stringOf(text, fieldSpansOf(text, inner)?.get('id')) ?? '');
  };
  const thought = fields?.get('thought');
  const isThought = thought !== undefined && text.startsWith('true', thought.start);
  return {
    span,
    text: isThought ? undefined : stringOf(text, fields?.get('text')),
    call: idOf('functionCall'),
    result: idOf('functionResponse'),
    signature: stringOf(text, fields?.get('thoughtSignature')),
  };
}
