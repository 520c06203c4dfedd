import { elementsOf, membersOf, stringOf, type TextSpan } from '../json-text.ts';
import { type FoundString, visitStrings } from './strings.ts';

/**
 * The meaning of a string for a model. `text`: words for it. `arguments`: arguments of a call, as JSON text. `definition`: a part of a
 * tool's definition.
 */
export type TextKind = 'text' | 'arguments' | 'definition';

/**
 * Describes where a value contains texts for a model. Whatever a shape does not name, and `all` does not mean, is opaque: numbers and keys
 * always are.
 */
export interface Shape {
  /** The kind of a string here. */
  readonly text?: TextKind;
  /** Every string below is of that kind, at any depth. */
  readonly deep?: TextKind;
  /** Tells which members are opaque with all that is in them, where every string is of a kind. */
  readonly skips?: (name: string) => boolean;
  /** The elements of a list; some APIs accept one element for the list. */
  readonly each?: Shape;
  /** Members by name. */
  readonly members?: Readonly<Record<string, Shape>>;
  /** All other members. */
  readonly all?: Shape;
  /** The members of an object that depend on its other members. */
  readonly by?: (object: ObjectReader) => Readonly<Record<string, Shape>> | undefined;
  /** True if the value is remembered as a whole: a message of the conversation, or all tools. */
  readonly isUnit?: boolean;
}

/** Reads members of the object that a shape is about. */
export interface ObjectReader {
  /** Returns a member that is a string. */
  text(name: string): string | undefined;
  /** Tells whether a member is `true`. */
  isTrue(name: string): boolean;
}

/** A string with a text for a model, the name of a member, or all arguments of a call. */
export interface TextPlace extends TextSpan {
  readonly kind: TextKind;
  /** The name of the member that contains the string; for an element of a list, the list's. */
  readonly name: string | undefined;
  /** True for the name of a member that no shape knows. */
  readonly isKey?: boolean;
}

/** A piece of a text that a stream's event adds. */
export interface TextDelta {
  /** The text that it belongs to. */
  readonly key: string;
  /** The string in the event's data. */
  readonly span: TextSpan;
  /** True if the text ends with it, or something else follows in the same event. */
  readonly isLast: boolean;
}

/** An event that begins a text, and one with the words that it begins with. */
export interface BegunText {
  readonly begin: string;
  /** The name of the other event. */
  readonly name: string;
  readonly words: string;
}

/** A call by its names in the model's words. */
export interface CallName {
  readonly name: string;
  /** The toolset or namespace of the name, if the API gives it separately. */
  readonly group: string | undefined;
}

/** A part of a call that the client runs, in an event or a whole answer. */
export interface CallPiece {
  /** The same for all pieces of a call; empty if the piece ends all calls. */
  readonly key: string;
  /** Set where the call begins. */
  readonly call?: CallName | undefined;
  /** A string with a piece of its arguments. */
  readonly piece?: TextSpan | undefined;
  /** All its arguments: an object, or a string. */
  readonly whole?: TextSpan | undefined;
  /** True if its arguments are complete. */
  readonly isEnd: boolean;
}

/** The places of texts in one API's requests and answers. */
export interface ModelTexts {
  readonly request: Shape;
  /** A batch of requests in one body. */
  readonly batch?: Shape;
  /** Words for the user in a whole answer. */
  readonly answer: Shape;
  /** The same in a line of a batch's results. */
  readonly line?: Shape;
  /** The same in an event of a stream, where it is whole. */
  readonly event?: Shape;
  /** Returns the pieces of words for the user in an event, in order. @param data valid JSON */
  readonly deltas: (data: string) => readonly TextDelta[];
  /**
   * Returns the piece of words in an event of the most frequent form, which is valid JSON then; undefined for all others. Much faster than
   * `deltas`.
   */
  readonly plainDelta?: (data: string) => TextDelta | undefined;
  /** Splits an event that begins a text with words into one that begins it without, and one that adds them. @param data valid JSON */
  readonly split?: (data: string) => BegunText | undefined;
  /** Returns the parts of calls in an event, or in a whole answer. @param data valid JSON */
  readonly calls: (data: string) => readonly CallPiece[];
  /** Tells whether an event says nothing about the answer. */
  readonly isIdle?: (data: string) => boolean;
  /** Translates a member's name to the one that shapes use. */
  readonly toName?: (key: string) => string;
}

interface Visitor {
  readonly toName?: ((key: string) => string) | undefined;
  /** @returns true if the unit needs no more */
  readonly unit: (span: TextSpan, shape: Shape) => boolean;
  readonly place: (place: TextPlace) => void;
}

/** Visits the texts in a value, in order. @param text valid JSON @param span one value in it */
export function visitTexts(text: string, span: TextSpan, shape: Shape, visitor: Visitor): void {
  visit(text, { span, shape, name: undefined }, visitor);
}

interface Value {
  readonly span: TextSpan;
  readonly shape: Shape;
  readonly name: string | undefined;
}

function visit(text: string, { span, shape, name }: Value, visitor: Visitor): void {
  if (shape.isUnit === true && visitor.unit(span, shape)) return;
  const { deep: kind } = shape;
  // Names and labels in arguments tell about their values, so these stay together.
  if (kind === 'arguments') return visitor.place({ ...span, kind, name });
  if (kind !== undefined) {
    const take = ({ span: string, name: key = name, isKey }: FoundString): void => {
      if (!isKey) visitor.place({ ...string, kind, name: key });
      else if (kind === 'text') visitor.place({ ...string, kind, name: undefined, isKey });
    };
    visitStrings(text, span, take, shape.skips);
    return;
  }
  const first = text[span.start];
  if (first === '"') {
    if (shape.text !== undefined) visitor.place({ ...span, kind: shape.text, name });
  } else if (first === '[') {
    const { each } = shape;
    if (each !== undefined)
      for (const element of elementsOf(text, span) ?? []) visit(text, { span: element, shape: each, name }, visitor);
  } else if (first === '{') visitObject(text, { span, shape, name }, visitor);
}

function visitObject(text: string, { span, shape, name }: Value, visitor: Visitor): void {
  const { members: own, all, by, each } = shape;
  if (own === undefined && all === undefined && by === undefined) {
    if (each !== undefined) visit(text, { span, shape: each, name }, visitor);
    return;
  }
  const members = membersOf(text, span) ?? new Map<string, TextSpan>();
  const { toName = (key: string) => key } = visitor;
  const named = visitor.toName === undefined ? members : new Map(Array.from(members, ([key, value]) => [toName(key), value]));
  const further = by?.({
    text: (key) => stringOf(text, named.get(key)),
    isTrue: (key) => text.startsWith('true', named.get(key)?.start ?? text.length),
  });
  for (const [key, value] of members) {
    const at = toName(key);
    const inner = valueOf(own, at) ?? valueOf(further, at) ?? (all?.skips?.(key) === true ? undefined : all);
    if (inner !== undefined) visit(text, { span: value, shape: inner, name: key }, visitor);
  }
}

function valueOf(shapes: Readonly<Record<string, Shape>> | undefined, name: string): Shape | undefined {
  return shapes !== undefined && Object.hasOwn(shapes, name) ? shapes[name] : undefined;
}
