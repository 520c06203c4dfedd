import type { ModelCall, NameVerdict } from '../../dialect.ts';
import { HeldText } from '../../held-text.ts';
import { isObject, type JsonObject } from '../../json-object.ts';
import { escapeDoubtful } from '../../../sse/event.ts';
import { applyEdits, membersOf, setMember, wholeOf } from '../../json-text.ts';
import { formatFrame } from '../../typed-frame.ts';
import { isOfCall, type ResponseEvent, textPlaceOf, TEXTS } from './events.ts';
import { findDifference, readItemCall } from './item-call.ts';
import { formatHeldText, type KnownTexts } from './known-texts.ts';

/** Characters of a text per rewritten event. */
const MOST_ANEW = 32 * 1024;

/** Events of a note, and numbers that it needs. */
const MOST_NUMBERS = 6;

/** Members by which events about the arguments may name their call. */
const NAMES = ['call_id', 'name', 'namespace', 'server_label'] as const;

/** Characters from which the whole of a text is not held if it is known from its pieces. */
const BIG = 64 * 1024;

/** A held event with a part of a text, which is known when the call is complete. */
interface Part {
  /** The event; of pieces in a row, which pass again as few events, the first one. */
  readonly event: ResponseEvent;
  readonly place: string;
  /** The member with the text. */
  readonly key: string;
  readonly start: number;
  end: number;
}

/** A call whose item has begun and not ended. */
export class OpenCall {
  readonly index: number;
  readonly mode: NameVerdict;
  /** The call as its first event described it. */
  readonly call: ModelCall;
  readonly item: JsonObject;
  readonly #maxHeld: number;
  readonly #known: KnownTexts;
  /** The texts so far, and as they were said to be in the end, by the member and the number of the command. */
  readonly #pieces = new Map<string, HeldText>();
  readonly #lengths = new Map<string, number>();
  readonly #whole = new Map<string, string>();
  readonly #first = new Map<string, string>();
  #held: (string | Part)[] = [];
  #size = 0;
  /** True if the texts of its events are not one. */
  #isUnclear = false;
  /** The names that its events say and its beginning does not. */
  #named: JsonObject = {};
  readonly #sequence: number[] = [];
  /** The place of the text whose piece came last, if nothing else came after it. */
  #lastPlace: string | undefined;

  constructor(
    call: ModelCall,
    of: {
      readonly mode: NameVerdict;
      readonly index: number;
      readonly item: JsonObject;
      readonly maxHeld: number;
      readonly known: KnownTexts;
    },
  ) {
    this.call = call;
    this.mode = of.mode;
    this.index = of.index;
    this.item = of.item;
    this.#maxHeld = of.maxHeld;
    this.#known = of.known;
  }

  get isLive(): boolean {
    return this.mode === 'allow';
  }

  get isTooLong(): boolean {
    return this.#size > this.#maxHeld;
  }

  /** Sequence numbers of its first events, and of the last one. */
  get sequence(): readonly number[] {
    return this.#sequence;
  }

  /** The texts so far, from their pieces. */
  get texts(): Iterable<HeldText> {
    return this.#pieces.values();
  }

  /** Takes one of its events. @returns false if it can't be read */
  take(event: ResponseEvent): boolean {
    this.#count(event.sequence);
    const { role, payload, type } = event;
    const place = textPlaceOf(type, payload);
    this.#lastPlace = role === 'piece' ? place : undefined;
    if (isOfCall(role)) {
      const given = TEXTS.filter((key) => (payload[key] ?? null) !== null);
      const [key] = given;
      const read = key === undefined ? '' : payload[key];
      if (given.length > 1 || typeof read !== 'string' || (role === 'piece' && key !== undefined && key !== 'delta'))
        return false;
      if (!this.#names(payload)) return false;
      if (role === 'piece') {
        this.#addPiece(event, place, read);
        return true;
      }
      if (role === 'whole' && key !== undefined && this.#isKnown(place, read)) {
        this.#holdPart(event, { place, key, start: 0, end: this.#lengths.get(place) ?? 0 });
        return true;
      }
      const text = this.#known.textOf(read);
      this.#grow(text.length);
      const texts = role === 'first' ? this.#first : this.#whole;
      this.#isUnclear ||= (texts.get(place) ?? text) !== text;
      texts.set(place, text);
    }
    this.#hold(event);
    return true;
  }

  /** Takes one more piece of the text whose piece came last. False if it must be taken as an event. */
  takeMore(place: string, piece: string): boolean {
    const isCounted = this.#sequence.length === 0 || this.#sequence.length >= MOST_NUMBERS;
    const last = this.#held.at(-1);
    if (place !== this.#lastPlace || !isCounted || (this.mode === 'hold' && typeof last !== 'object')) return false;
    if (!this.#add(place, piece)) return true;
    if (typeof last === 'object') last.end += piece.length;
    return true;
  }

  /**
   * Returns the call with its arguments, at its end; call it once.
   *
   * @param done the event that ends its item
   * @returns undefined if it is not a call any more, or can't be read
   */
  complete(done: ResponseEvent, item: JsonObject, source: () => string): ModelCall | undefined {
    const whole = this.#known.itemOf(item);
    this.#count(done.sequence);
    this.#grow(done.data.length);
    const call = readItemCall(whole, source, this.call.answer);
    if (call === undefined || call === 'unreadable') return undefined;
    if (this.isTooLong) return { ...this.call, problem: 'too_long' };
    const begun = { ...this.item, ...this.#named };
    const problem =
      findDifference(begun, whole) ?? (this.#isUnclear || !this.#hasTextsOf(item, whole) ? 'invalid_json' : undefined);
    return problem === undefined ? call : { ...withoutHistory(call), problem };
  }

  incomplete(): ModelCall {
    return { ...this.call, problem: 'incomplete' };
  }

  /** Releases the held events in order, and keeps none. A long one comes in parts. */
  release(): Iterable<string> {
    const released = formatHeld(this.#held, new Map(this.#pieces));
    this.#held = [];
    return released;
  }

  clear(): void {
    // Events that wait may have a stand-in for a known one.
    for (const text of this.#pieces.values()) if (!this.#known.has(text)) text.clear();
    this.#held = [];
  }

  /** Tells whether an event names the call as the others do, as far as it does. */
  #names(payload: JsonObject): boolean {
    for (const key of NAMES) {
      const name = payload[key] ?? '';
      const known = (this.#named[key] ?? '') || (this.item[key] ?? '');
      if (name === '' || name === known) continue;
      if (known !== '') return false;
      this.#named = { ...this.#named, [key]: name };
    }
    return true;
  }

  #addPiece(event: ResponseEvent, place: string, piece: string): void {
    const start = this.#lengths.get(place) ?? 0;
    if (!this.#add(place, piece)) return;
    const last = this.#held.at(-1);
    if (typeof last === 'object' && last.place === place && last.event.type === event.type) last.end += piece.length;
    else this.#holdPart(event, { place, key: 'delta', start, end: start + piece.length });
  }

  /** False if it is too long. */
  #add(place: string, piece: string): boolean {
    this.#grow(piece.length);
    if (this.isTooLong) return false;
    const pieces = this.#pieces.get(place) ?? new HeldText();
    this.#pieces.set(place, pieces);
    pieces.add(piece);
    this.#lengths.set(place, (this.#lengths.get(place) ?? 0) + piece.length);
    return true;
  }

  /** Tells whether a big text is that of its pieces, so that it need not be held twice. */
  #isKnown(place: string, text: string): boolean {
    const pieces = this.#pieces.get(place);
    if (this.#first.has(place) || pieces === undefined) return false;
    return this.#known.isStandIn(text, pieces) || (text.length >= BIG && pieces.isSame(text));
  }

  #holdPart(event: ResponseEvent, part: Omit<Part, 'event'>): void {
    if (this.mode !== 'hold') return;
    const { data } = event;
    const isBig = part.end - part.start >= BIG;
    // A copy, since a part of a text keeps all of the text in memory.
    const short = isBig ? Buffer.from(applyEdits(data, [setMember(data, wholeOf(data), part.key, '""')])).toString() : data;
    this.#grow(short.length);
    if (!this.isTooLong) this.#held.push({ ...part, event: isBig ? { ...event, data: short, payload: {} } : event });
  }

  #hold(event: ResponseEvent): void {
    if (this.mode !== 'hold') return;
    const data = this.#known.expanded(event.data);
    this.#grow(data.length);
    if (!this.isTooLong) this.#held.push(formatFrame(event, data));
  }

  /** Tells whether all texts that came are those of the item. @param whole the item without stand-ins */
  #hasTextsOf(item: JsonObject, whole: JsonObject): boolean {
    return (
      [...this.#first].every(([place, text]) => textAt(whole, place)?.startsWith(text) === true) &&
      [...this.#whole].every(([place, text]) => text === '' || text === textAt(whole, place)) &&
      [...this.#pieces].every(([place, pieces]) => this.#isTextOf(item, place, pieces))
    );
  }

  /** Tells whether these pieces are a text of the item, perhaps without its beginning. */
  #isTextOf(item: JsonObject, place: string, pieces: HeldText): boolean {
    if (this.#lengths.get(place) === 0) return true;
    const read = textAt(item, place) ?? '';
    if (this.#known.isStandIn(read, pieces)) return true;
    const text = this.#known.textOf(read);
    const first = this.#first.get(place) ?? '';
    return pieces.isSame(text) || (text.startsWith(first) && pieces.isSame(text.slice(first.length)));
  }

  #count(sequence: number | undefined): void {
    if (sequence === undefined) return;
    if (this.#sequence.length < MOST_NUMBERS) this.#sequence.push(sequence);
    else this.#sequence[MOST_NUMBERS - 1] = sequence;
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.isTooLong) this.clear();
  }
}

function withoutHistory({ inHistory: _inHistory, ...call }: ModelCall): ModelCall {
  return call;
}

/** Returns the text of an item that events are about. */
function textAt(item: JsonObject, place: string): string | undefined {
  const [type = '', command = ''] = place.split(' ');
  if (type === 'response.shell_call_command') {
    const { action } = item;
    const commands: unknown = isObject(action) ? action['commands'] : undefined;
    const text: unknown = Array.isArray(commands) ? commands[Number(command)] : undefined;
    return typeof text === 'string' ? text : undefined;
  }
  const key = type === 'response.custom_tool_call_input' ? 'input' : type.endsWith('_code') ? 'code' : 'arguments';
  const text = item[key];
  return typeof text === 'string' ? text : undefined;
}

function* formatHeld(held: readonly (string | Part)[], texts: ReadonlyMap<string, HeldText>): Iterable<string> {
  for (const each of held) {
    if (typeof each === 'string') yield each;
    else yield* formatPart(each, texts.get(each.place) ?? new HeldText());
  }
}

/** Formats a held event anew. @param text all of the text that it has a part of */
function* formatPart({ event, key, start, end }: Part, text: HeldText): Iterable<string> {
  const { payload, data } = event;
  const value = payload[key];
  if (start === end || (typeof value === 'string' && value.length === end - start && value === text.slice(start, end))) {
    yield formatFrame(event);
    return;
  }
  if (key !== 'delta') {
    yield* formatLong(event, key, formatHeldText(text, start, end));
    return;
  }
  for (let at = start; at < end; at += MOST_ANEW) {
    const piece = JSON.stringify(text.slice(at, Math.min(end, at + MOST_ANEW)));
    yield formatFrame(event, applyEdits(data, [setMember(data, wholeOf(data), key, piece)]));
  }
}

/** Formats an event in parts: as one text it would be copied several times. @param parts of the text that its empty member `key` has */
function* formatLong(event: ResponseEvent, key: string, parts: Iterable<string>): Iterable<string> {
  const data = escapeDoubtful(event.data);
  const frame = formatFrame(event, data);
  const at = frame.lastIndexOf(data) + (membersOf(data, wholeOf(data))?.get(key)?.start ?? 0) + 1;
  yield frame.slice(0, at);
  yield* parts;
  yield frame.slice(at);
}
