import type { ModelCall } from '../../dialect.ts';
import { HeldText } from '../../held-text.ts';
import { isObject, type JsonObject } from '../../json-object.ts';
import { type Edit, elementsOf, membersOf, removeElements, type TextSpan, wholeOf } from '../../json-text.ts';
import { WITHHELD_RESULT } from '../../note.ts';
import { callKindOf, resultOf } from './call-kinds.ts';
import { findDifference, readItemCall } from './item-call.ts';
import { KnownTexts } from './known-texts.ts';
import { formatNoteItem, type NoteItem, noteItem } from './note-item.ts';

/** An item that the client has: a call that was decided, or a note in its place. */
interface Settled {
  readonly index: number;
  readonly type: unknown;
  readonly callId: unknown;
  readonly isNote: boolean;
  /** JSON text of what the client has. */
  readonly text: HeldText;
}

/** The items of a whole answer: their span in its text, and the list itself if somebody has parsed it. */
export interface AnswerList {
  readonly list: TextSpan | undefined;
  readonly parsed?: unknown;
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
  readonly #known: KnownTexts;
  /** Ids of denied calls that have run: their results are withheld. */
  readonly #withheld = new Set<string>();

  constructor(known = new KnownTexts()) {
    this.#known = known;
  }

  /** Notes an item that passed. @param text its JSON text */
  allow(index: number, item: JsonObject, text: string): void {
    this.#add({ index, type: item['type'], callId: item['call_id'], isNote: false, text: held(text) });
  }

  /** Notes an item that a note has replaced. */
  deny(index: number, item: JsonObject, { call, note }: { readonly call: ModelCall | undefined; readonly note: NoteItem }): void {
    this.#add({ index, type: item['type'], callId: item['call_id'], isNote: true, text: held(formatNoteItem(note)) });
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
   * @returns undefined if one of them can't be read
   */
  newCalls(
    text: string,
    { list, parsed, answer }: AnswerList & { readonly answer: string | undefined },
  ): readonly NewCall[] | undefined {
    const calls: NewCall[] = [];
    const spans = elementsOf(text, list) ?? [];
    const items = itemsAt(text, spans, parsed);
    const known = this.#match(items);
    for (const [at, span] of spans.entries()) {
      const item = items[at] as JsonObject;
      if (callKindOf(item['type']) === undefined || known[at] !== undefined) continue;
      const source = (): string => this.#known.expanded(text.slice(span.start, span.end));
      const call = readItemCall(this.#known.itemOf(item), source, answer);
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
  edits(text: string, { list, parsed }: AnswerList, undecided: 'keep' | 'remove'): readonly Edit[] {
    const spans = elementsOf(text, list) ?? [];
    const items = itemsAt(text, spans, parsed);
    const all = this.#match(items);
    const removed = new Set<number>();
    const edits = spans.flatMap((span, at): Edit[] => {
      const item = items[at] as JsonObject;
      const known = all[at];
      if (this.isWithheld(item)) {
        return [{ ...span, text: known?.text.read() ?? formatNoteItem(withheldNote(at)) }];
      }
      if (callKindOf(item['type']) === undefined) return [];
      if (known === undefined) {
        if (undecided === 'remove') removed.add(at);
        return [];
      }
      if (!known.isNote && known.text.isSame(text.slice(span.start, span.end))) return [];
      const settled = known.text.read();
      return !known.isNote && isSameItem(objectIn(settled), item) ? [] : [{ ...span, text: settled }];
    });
    return [...edits, ...removeElements(spans, (at) => removed.has(at))];
  }

  #add(settled: Settled): void {
    this.#byIndex.set(settled.index, settled);
    if (typeof settled.callId !== 'string') return;
    this.#byCallId.set(settled.callId, [...(this.#byCallId.get(settled.callId) ?? []), settled]);
  }

  /** Finds the decided item that each item of a whole answer is: the one at its place, else the next one of its id, each once. */
  #match(items: readonly JsonObject[]): readonly (Settled | undefined)[] {
    const matched = items.map((item, at) => {
      const there = this.#byIndex.get(at);
      return there !== undefined && isIt(there, item) ? there : undefined;
    });
    const taken = new Set(matched);
    return items.map((item, at) => {
      if (matched[at] !== undefined) return matched[at];
      const { call_id: callId } = item;
      const named = typeof callId === 'string' ? this.#byCallId.get(callId) : undefined;
      const next = named?.find((settled) => isIt(settled, item) && !taken.has(settled));
      if (next !== undefined) taken.add(next);
      return next;
    });
  }
}

function isIt({ type, callId }: Settled, item: JsonObject): boolean {
  return type === item['type'] && callId === item['call_id'];
}

/** The message that replaces the result of a denied call. */
export function withheldNote(index: number): NoteItem {
  return noteItem(WITHHELD_RESULT, `result ${index}`);
}

function isSameItem(one: JsonObject, other: JsonObject): boolean {
  return findDifference(one, other) === undefined && findDifference(other, one) === undefined;
}

/** Parses the items of a list, unless somebody has. */
function itemsAt(text: string, spans: readonly TextSpan[], parsed: unknown): readonly JsonObject[] {
  if (!Array.isArray(parsed)) return spans.map(({ start, end }) => objectIn(text.slice(start, end)));
  return parsed.map((item: unknown) => (isObject(item) ? item : {}));
}

function objectIn(text: string): JsonObject {
  const item: unknown = JSON.parse(text);
  return isObject(item) ? item : {};
}

function held(text: string): HeldText {
  const all = new HeldText();
  all.add(text);
  return all;
}

/** Returns the span of an answer's items. @param path to the answer in the text */
export function outputIn(text: string, path: readonly string[]): TextSpan | undefined {
  let span: TextSpan | undefined = wholeOf(text);
  for (const key of [...path, 'output']) span = membersOf(text, span)?.get(key);
  return span;
}
