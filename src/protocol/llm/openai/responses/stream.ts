import { formatSseEvent } from '../../../sse/event.ts';
import type { SseEvent } from '../../../sse/splitter.ts';
import { CallStream } from '../../call-stream.ts';
import type { CallVerdict, ModelCall, ModelStream, StreamOptions } from '../../dialect.ts';
import { isObject, type JsonObject, textOf } from '../../json-object.ts';
import { applyEdits, membersOf, setMember, sourceOf, wholeOf } from '../../json-text.ts';
import { formatEnd, noteOf } from '../../note.ts';
import { formatLongFrame } from '../../typed-frame.ts';
import { callKindOf } from './call-kinds.ts';
import { idOf, isOfCall, readEvent, type ResponseEvent } from './events.ts';
import { ItemPlaces } from './item-places.ts';
import { readItemCall, readNamedCall } from './item-call.ts';
import { formatNoteEvents, type NoteItem, noteItem } from './note-item.ts';
import { KnownTexts } from './known-texts.ts';
import { OpenCall } from './open-call.ts';
import { PlainEvent } from './plain-event.ts';
import { type AnswerList, outputIn, SettledCalls, withheldNote } from './settled.ts';

/** The type of the event that begins an item. */
const BEGIN = 'response.output_item.added';

/** The state of an item at the client. `open`: its events pass. `note`: a note has replaced it. `done`: it has ended. */
type ItemState = 'open' | 'note' | 'done';

/**
 * Processes a streamed answer of the Responses API for the client.
 *
 * A call is shown up to four times: when its item begins, when its arguments are complete, when its item ends, and in the whole answer at
 * the end. Clients differ in which they act on, so all four pass only once the call is decided, and show the same. A message at the same
 * index replaces a denied call. Events of other items that have begun pass at once.
 */
export function createResponsesStream(options: StreamOptions): ModelStream {
  return new ResponsesStream(options);
}

class ResponsesStream extends CallStream<ResponseEvent> {
  readonly #items = new Map<number, ItemState>();
  readonly #places = new ItemPlaces();
  readonly #plain = new PlainEvent();
  readonly #known = new KnownTexts(this.options.nonce);
  readonly #settled = new SettledCalls(this.#known);
  /** The call whose item is open; there is only one, since other items wait for its end. */
  #current: OpenCall | undefined;
  #answerId = this.options.answer;
  #sequence = 0;
  /** The index of the last item that has begun. */
  #last = 0;

  get keepAlive(): string {
    return formatSseEvent({
      event: 'keepalive',
      data: JSON.stringify({ type: 'keepalive', sequence_number: this.#sequence }),
    });
  }

  protected get isBehind(): boolean {
    return this.#current !== undefined && (!this.#current.isLive || this.pending.hasBehind);
  }

  protected get unfinished(): ModelCall | undefined {
    return this.#current?.incomplete();
  }

  protected read(event: SseEvent, data: Buffer): void {
    if (event.isFramePlain && this.#plain.read(event, data) && this.#takePlain(event, data)) return;
    const frame = this.#readPlaced(event, data);
    if (typeof frame === 'string') return this.fail(frame);
    if (frame.role === 'begin' || frame.role === 'done') this.#plain.forget();
    else this.#plain.learn(frame);
    if (frame.role === 'error') return this.#endBy(frame, event);
    if (frame.role === 'alive' || this.#passesAtOnce(frame)) return this.write(frame, event);
    if (this.isWaiting) return this.wait(() => this.pending.add(frame));
    this.take(frame, event);
    this.pump();
  }

  /** Passes or holds an event that was recognised by its bytes. False if it must be parsed. */
  #takePlain(event: SseEvent, data: Buffer): boolean {
    const { index = -1, place } = this.#plain;
    const current = this.#current;
    if (place === undefined) {
      if (this.#items.get(index) !== 'open' || index === current?.index) return false;
    } else if (this.isWaiting || index !== current?.index || !current.takeMore(place, this.#plain.text(data))) return false;
    // Each event has the next number.
    if (this.#sequence > 0) this.#sequence++;
    if (place === undefined || current?.isLive === true) this.options.output.pass(event);
    return true;
  }

  #readPlaced(event: SseEvent, data: Buffer): ResponseEvent | string {
    const frame = readEvent(event, data, this.options.passesUnknown, (bytes, start, end) => {
      for (const text of this.#current?.texts ?? []) this.#known.add(text);
      return this.#known.shorten(bytes, start, end);
    });
    if (typeof frame === 'string') return frame;
    const placed = this.#places.place(frame);
    return typeof placed === 'string' && this.options.passesUnknown === true ? frame : placed;
  }

  protected formatFault(why: string): string {
    const told = { code: 'server_error', message: formatEnd(why), param: null };
    const data = { type: 'error', sequence_number: this.#sequence, ...told, error: { type: 'server_error', ...told } };
    return formatSseEvent({ event: 'error', data: JSON.stringify(data) });
  }

  /** Tells whether an event is about an item that has begun at the client, and about no call: it need not wait for one. */
  #passesAtOnce({ role, index, doubt }: ResponseEvent): boolean {
    return (
      role === 'other' &&
      doubt === undefined &&
      index !== undefined &&
      this.#items.get(index) === 'open' &&
      index !== this.#current?.index
    );
  }

  protected take(frame: ResponseEvent, event: SseEvent | undefined): void {
    const { role, index, doubt } = frame;
    const current = this.#current;
    if (doubt !== undefined) {
      // Clients do without an unknown event of a call whose other events they have.
      const isOfCurrent = role === 'other' && current !== undefined && index === current.index;
      return isOfCurrent ? undefined : this.fail(doubt);
    }
    if (role === 'end') return current === undefined ? this.#finish(frame, event) : this.#abandon(current, frame);
    if (role === 'snapshot') return this.#showState(frame, event);
    if (current !== undefined && index !== current.index) return this.wait(() => this.pending.addBehind(frame));
    if (role === 'begin' || role === 'done') return this.#takeItem(frame, event);
    if (current !== undefined) return this.#continueCall(current, frame, event);
    const state = index === undefined ? undefined : this.#items.get(index);
    // Without its beginning, clients may add it to another call; a replaced item gets nothing more.
    const isAstray = isOfCall(role) || state === 'note';
    if (!isAstray || this.options.passesUnknown === true) this.write(frame, event);
  }

  #takeItem(frame: ResponseEvent, event: SseEvent | undefined): void {
    const { role, index, payload } = frame;
    const { item } = payload;
    if (index === undefined || !isObject(item)) return this.fail('an item that cannot be read');
    const current = this.#current;
    if (role === 'begin') {
      if (this.#items.has(index)) return this.fail('an item that begins twice');
      // Clients append items and look them up by index; what goes on after a break may begin with any.
      if (index < this.#last && this.options.passesUnknown !== true) return this.fail('an item that begins out of order');
      this.#last = index;
      return this.#begin(frame, event, item);
    }
    if (current !== undefined) return this.#endCall(current, { frame, event, item });
    const state = this.#items.get(index);
    if (state === 'done') return this.fail('an item that ends twice');
    if (state === 'note') return;
    const isCall = callKindOf(item['type']) !== undefined;
    // An item that was none when it began may be a call at its end.
    if (isCall && state === 'open') return this.fail('a call that cannot be read');
    this.#items.set(index, 'done');
    if (isCall) this.#takeWhole(frame, event, item);
    else if (this.#settled.isWithheld(item)) this.#replaceResult(frame, item, index);
    else this.write(frame, event);
  }

  #begin(frame: ResponseEvent, event: SseEvent | undefined, item: JsonObject): void {
    const { nameVerdict, maxHeld } = this.options;
    const index = frame.index as number;
    const call = readNamedCall(item, this.#answerId);
    if (call === 'unreadable') return this.fail('a call that cannot be read');
    if (call === undefined) {
      if (this.#settled.isWithheld(item)) return this.#replaceResult(frame, item, index);
      this.#items.set(index, 'open');
      return this.write(frame, event);
    }
    this.#items.set(index, 'open');
    // A call whose name is not known yet is held.
    const mode = call.name === '' ? 'hold' : nameVerdict(call);
    const begun = this.options.passesUnknown === true ? frame : withoutPlaceholder(frame, item);
    this.#current = new OpenCall(call, { mode, index, item: begun.payload['item'] as JsonObject, maxHeld, known: this.#known });
    this.#continueCall(this.#current, begun, begun === frame ? event : undefined);
  }

  #continueCall(current: OpenCall, frame: ResponseEvent, event: SseEvent | undefined): void {
    if (!current.take(frame)) return this.fail('a part of a call that cannot be read');
    if (current.isLive) this.write(frame, event);
  }

  #endCall(
    current: OpenCall,
    { frame, event, item }: { readonly frame: ResponseEvent; readonly event: SseEvent | undefined; readonly item: JsonObject },
  ): void {
    const source = itemText(frame);
    const call = current.complete(frame, item, () => this.#known.expanded(source));
    if (call === undefined) return this.fail('a call that cannot be read');
    // The event's bytes are only valid until this method returns.
    let live = event;
    this.ask(call, (verdict) =>
      this.#settle(current, {
        verdict,
        call,
        item,
        end: () => {
          this.#settled.allow(current.index, item, source);
          this.write(frame, live);
        },
      }),
    );
    live = undefined;
  }

  /** Takes a call whose item has no beginning. */
  #takeWhole(frame: ResponseEvent, event: SseEvent | undefined, item: JsonObject): void {
    const index = frame.index as number;
    const source = itemText(frame);
    const call = readItemCall(this.#known.itemOf(item), () => this.#known.expanded(source), this.#answerId);
    if (call === undefined || call === 'unreadable') return this.fail('a call that cannot be read');
    this.options.nameVerdict({ ...call, args: undefined, problem: undefined });
    let live = event;
    this.ask(call, (verdict) => {
      if (!verdict.isAllowed) return this.#replace(verdict.note, { call, item, index, sequence: sequenceOf(frame) });
      this.#settled.allow(index, item, source);
      // Some clients fail at an item that never began.
      if (this.options.passesUnknown !== true) this.write({ ...frame, type: BEGIN }, undefined, beginningOf(frame));
      this.write(frame, live);
    });
    live = undefined;
  }

  /** @param of `end`: passes the event that ends the call's item */
  #settle(
    current: OpenCall,
    {
      verdict,
      call,
      item,
      end,
    }: { readonly verdict: CallVerdict; readonly call: ModelCall; readonly item: JsonObject; readonly end: () => void },
  ): void {
    const isAllowed = verdict.isAllowed && (current.isLive || (current.mode === 'hold' && !current.isTooLong));
    // Sent content can't be taken back; without its end the call will not be run.
    if (!isAllowed && current.isLive) return this.fail(`a call of ${JSON.stringify(call.name)} that must not be run`);
    this.#items.set(current.index, 'done');
    if (isAllowed) {
      this.options.output.parts(current.release());
      end();
    } else {
      const note = verdict.isAllowed ? undefined : verdict.note;
      this.#replace(note, { call, item, index: current.index, sequence: current.sequence });
      current.clear();
    }
    this.#current = undefined;
    this.pending.releaseBehind();
  }

  #replace(
    told: string | undefined,
    of: { readonly call: ModelCall; readonly item: JsonObject; readonly index: number; readonly sequence: readonly number[] },
  ): void {
    const { call, item, index, sequence } = of;
    const note = noteItem(noteOf(told, call), `${this.#answerId} ${index}`);
    this.#items.set(index, 'note');
    this.#settled.deny(index, item, { call, note });
    this.#writeNote(note, index, sequence);
  }

  #replaceResult(frame: ResponseEvent, item: JsonObject, index: number): void {
    const note = withheldNote(index);
    this.#items.set(index, 'note');
    this.#settled.deny(index, item, { call: undefined, note });
    this.#writeNote(note, index, sequenceOf(frame));
  }

  #writeNote(note: NoteItem, index: number, sequence: readonly number[]): void {
    this.#sequence = sequence.at(-1) ?? this.#sequence;
    this.options.output.text(formatNoteEvents(note, index, sequence));
  }

  /** Gives up the open call, which will not be complete; `frame` comes after its replacement. */
  #abandon(current: OpenCall, frame: ResponseEvent): void {
    const isLast = !this.pending.hasBehind;
    this.pending.addBehind(frame);
    const call = current.incomplete();
    this.ask(call, (verdict) => {
      // A live call may end early with its answer only if its arguments make no difference.
      const isAllowed = verdict.isAllowed && current.isLive && isLast;
      this.#settle(current, { verdict: isAllowed ? verdict : denialOf(verdict), call, item: current.item, end: () => undefined });
    });
  }

  /** Passes an early state of the whole answer, without calls that are not decided yet. */
  #showState(frame: ResponseEvent, event: SseEvent | undefined): void {
    const { response } = frame.payload;
    if (isObject(response)) this.#answerId = idOf(response) ?? this.#answerId;
    const undecided = this.options.passesUnknown === true ? 'keep' : 'remove';
    this.write(frame, event, this.#decided(frame, undecided));
  }

  /** Ends the stream with the whole answer. Calls that are only there are asked about first. */
  #finish(frame: ResponseEvent, event: SseEvent | undefined): void {
    const { response } = frame.payload;
    if (isObject(response)) this.#answerId = idOf(response) ?? this.#answerId;
    const { data } = frame;
    const calls = this.#settled.newCalls(data, { ...listOf(frame), answer: this.#answerId });
    if (calls === undefined) return this.fail('a call that cannot be read');
    let live = event;
    const items = isObject(response) && Array.isArray(response['output']) ? (response['output'] as readonly JsonObject[]) : [];
    const questions = calls.map(({ at, call }) => () => {
      this.options.nameVerdict({ ...call, args: undefined, problem: undefined });
      this.ask(call, (verdict) => {
        const item = items[at] ?? {};
        if (verdict.isAllowed) this.#settled.allow(at, item, JSON.stringify(item));
        else this.#settled.deny(at, item, { call, note: noteItem(noteOf(verdict.note, call), `${this.#answerId} ${at}`) });
      });
    });
    const end = (): void => {
      this.write(frame, live, this.#decided(frame, 'keep'));
      this.stop();
    };
    this.pending.prepend([...questions, end]);
    this.pump();
    live = undefined;
  }

  /** Ends the stream with upstream's own error, which drops held content. */
  #endBy(frame: ResponseEvent, event: SseEvent): void {
    if (frame.doubt !== undefined) return this.fail(frame.doubt);
    this.write(frame, event);
    this.stop();
  }

  #decided(frame: ResponseEvent, undecided: 'keep' | 'remove'): string {
    return applyEdits(frame.data, this.#settled.edits(frame.data, listOf(frame), undecided));
  }

  protected override write(frame: ResponseEvent, event: SseEvent | undefined, data: string = frame.data): void {
    if (frame.sequence !== undefined) this.#sequence = frame.sequence;
    if (this.#known.isIn(data)) this.options.output.parts(formatLongFrame(frame, this.#known.expand(data)));
    else super.write(frame, event, data);
  }
}

function denialOf(verdict: CallVerdict): CallVerdict {
  return verdict.isAllowed ? { isAllowed: false, note: '' } : verdict;
}

/** Turns the event that ends an item into one that begins it. */
function beginningOf({ data }: ResponseEvent): string {
  return applyEdits(data, [setMember(data, wholeOf(data), 'type', JSON.stringify(BEGIN))]);
}

/** Empties the arguments of a call that begins with `{}`, as some servers do: pieces follow, which clients append. */
function withoutPlaceholder(frame: ResponseEvent, item: JsonObject): ResponseEvent {
  const { args } = callKindOf(item['type']) ?? {};
  if (args?.as !== 'text' || textOf(item[args.key]).trim() !== '{}') return frame;
  const { data, payload } = frame;
  const span = membersOf(data, wholeOf(data))?.get('item') ?? wholeOf(data);
  return {
    ...frame,
    data: applyEdits(data, [setMember(data, span, args.key, '""')]),
    payload: { ...payload, item: { ...item, [args.key]: '' } },
  };
}

/** Returns the items of an event with a whole answer. */
function listOf({ data, payload: { response } }: ResponseEvent): AnswerList {
  return { list: outputIn(data, ['response']), parsed: isObject(response) ? response['output'] : undefined };
}

function sequenceOf({ sequence }: ResponseEvent): readonly number[] {
  return sequence === undefined ? [] : [sequence];
}

/** Returns the JSON text of an event's item. */
function itemText({ data }: ResponseEvent): string {
  return sourceOf(data, membersOf(data, wholeOf(data))?.get('item')) ?? '{}';
}
