import type { ModelCall } from '../../dialect.ts';
import { isObject, type JsonObject } from '../../json-object.ts';
import { type Edit, elementsOf, membersOf, removeElements, type TextSpan, wholeOf } from '../../json-text.ts';
import { WITHHELD_RESULT } from '../../note.ts';
import { callKindOf, resultOf } from './call-kinds.ts';
import { findDifference, readItemCall } from './item-call.ts';
import { formatNoteItem, type NoteItem, noteItem } from './note-item.ts';

/** An item that the client has: a call that was decided, or a note in its place. */
interface Settled {
  readonly index: number;
  readonly type: unknown;
  readonly callId: unknown;
  /** Undefined for a note. */
  readonly item: JsonObject | undefined;
  /** JSON text of what the client has. */
  readonly text: string;
}

/** A call in a whole answer that is not decided yet. */
export interface NewCall {
  readonly at: number;
  readonly call: ModelCall;
}

/** The decided calls of an answer, so that each state of the whole answer shows the same. */
export class SettledCalls {
  readonly #byIndex = new Map<number, Settled>();
  readonly #byCallId = new Map<string, Settled[]>();
  /** Ids of denied calls that have run: their results are withheld. */
  readonly #withheld = new Set<string>();

  /** Notes an item that passed. @param text its JSON text */
  allow(index: number, item: JsonObject, text: string): void {
    this.#add({ index, type: item['type'], callId: item['call_id'], item, text });
  }

  /** Notes an item that a note has replaced. */
  deny(index: number, item: JsonObject, { call, note }: { readonly call: ModelCall | undefined; readonly note: NoteItem }): void {
    this.#add({ index, type: item['type'], callId: item['call_id'], item: undefined, text: formatNoteItem(note) });
    if (call?.runBy === 'provider' && call.id !== '') this.#withheld.add(call.id);
  }

  /** Tells whether an item is the result of a denied call. */
  isWithheld(item: JsonObject): boolean {
    const id = resultOf(item);
    return id !== undefined && this.#withheld.has(id);
  }

  /**
   * Finds calls in a whole answer that were not decided before, with their arguments.
   *
   * @param list the span of its items
   * @returns undefined if one of them can't be read
   */
  newCalls(text: string, list: TextSpan | undefined, answer: string | undefined): readonly NewCall[] | undefined {
    const calls: NewCall[] = [];
    for (const [at, span] of (elementsOf(text, list) ?? []).entries()) {
      const item = itemAt(text, span);
      if (callKindOf(item['type']) === undefined || this.#known(at, item) !== undefined) continue;
      const call = readItemCall(item, () => text.slice(span.start, span.end), answer);
      if (call === 'unreadable') return undefined;
      if (call !== undefined) calls.push({ at, call });
    }
    return calls;
  }

  /**
   * Builds the edits that make a whole answer show what was decided.
   *
   * @param undecided the fate of calls that are not decided yet: they stay, unless an early state of the answer has them
   */
  edits(text: string, list: TextSpan | undefined, undecided: 'keep' | 'remove'): readonly Edit[] {
    const spans = elementsOf(text, list) ?? [];
    const removed = new Set<number>();
    const edits = spans.flatMap((span, at): Edit[] => {
      const item = itemAt(text, span);
      const known = this.#known(at, item);
      if (this.isWithheld(item)) {
        return [{ ...span, text: known?.text ?? formatNoteItem(withheldNote(at)) }];
      }
      if (callKindOf(item['type']) === undefined) return [];
      if (known === undefined) {
        if (undecided === 'remove') removed.add(at);
        return [];
      }
      const isSame = known.item !== undefined && isSameItem(known.item, item);
      return isSame ? [] : [{ ...span, text: known.text }];
    });
    return [...edits, ...removeElements(spans, (at) => removed.has(at))];
  }

  #add(settled: Settled): void {
    this.#byIndex.set(settled.index, settled);
    if (typeof settled.callId !== 'string') return;
    this.#byCallId.set(settled.callId, [...(this.#byCallId.get(settled.callId) ?? []), settled]);
  }

  /** Finds the decided item that an item of a whole answer is: the one at its place, else the only one with its id. */
  #known(at: number, item: JsonObject): Settled | undefined {
    const { type, call_id: callId } = item;
    const isIt = (settled: Settled | undefined): boolean => settled?.type === type && settled?.callId === callId;
    const there = this.#byIndex.get(at);
    if (isIt(there)) return there;
    const named = (typeof callId === 'string' ? this.#byCallId.get(callId) : undefined)?.filter(isIt) ?? [];
    return named.length === 1 ? named[0] : undefined;
  }
}

/** The message that replaces the result of a denied call. */
export function withheldNote(index: number): NoteItem {
  return noteItem(WITHHELD_RESULT, `result ${index}`);
}

function isSameItem(one: JsonObject, other: JsonObject): boolean {
  return findDifference(one, other) === undefined && findDifference(other, one) === undefined;
}

function itemAt(text: string, { start, end }: TextSpan): JsonObject {
  const item: unknown = JSON.parse(text.slice(start, end));
  return isObject(item) ? item : {};
}

/** Returns the span of an answer's items. @param path to the answer in the text */
export function outputIn(text: string, path: readonly string[]): TextSpan | undefined {
  let span: TextSpan | undefined = wholeOf(text);
  for (const key of [...path, 'output']) span = membersOf(text, span)?.get(key);
  return span;
}
