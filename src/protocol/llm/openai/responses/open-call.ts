import type { ModelCall, NameVerdict } from '../../dialect.ts';
import { HeldText } from '../../held-text.ts';
import { isObject, type JsonObject } from '../../json-object.ts';
import { setMember, applyEdits, wholeOf } from '../../json-text.ts';
import { formatFrame } from '../../typed-frame.ts';
import { isOfCall, type ResponseEvent } from './events.ts';
import { findDifference, readItemCall } from './item-call.ts';

/** Characters of a text per rewritten event. */
const MOST_ANEW = 32 * 1024;

/** Members of a `whole` event that contain the text. */
const WHOLE = ['arguments', 'input', 'command', 'code'] as const;

/** Pieces in a row of one text, which pass again as few events. */
interface Pieces {
  /** The first event, as the form of them. */
  readonly event: ResponseEvent;
  readonly key: string;
  readonly text: HeldText;
}

/** A call whose item has begun and not ended. */
export class OpenCall {
  readonly index: number;
  readonly mode: NameVerdict;
  /** The call as its first event described it. */
  readonly call: ModelCall;
  readonly item: JsonObject;
  readonly #maxHeld: number;
  /** The texts so far, and as they were said to be in the end, by the member and the number of the command. */
  readonly #pieces = new Map<string, HeldText>();
  readonly #whole = new Map<string, string>();
  readonly #first = new Map<string, string>();
  #held: (string | Pieces)[] = [];
  #size = 0;
  /** True if the texts of its events are not one. */
  #isUnclear = false;
  readonly #sequence: number[] = [];

  constructor(
    call: ModelCall,
    of: { readonly mode: NameVerdict; readonly index: number; readonly item: JsonObject; readonly maxHeld: number },
  ) {
    this.call = call;
    this.mode = of.mode;
    this.index = of.index;
    this.item = of.item;
    this.#maxHeld = of.maxHeld;
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

  /** Takes one of its events. @returns false if it can't be read */
  take(event: ResponseEvent): boolean {
    this.#count(event.sequence);
    const { role, payload, type } = event;
    const place = `${type.slice(0, type.lastIndexOf('.'))} ${String(payload['command_index'] ?? '')}`;
    if (role === 'piece') {
      const piece = payload['delta'] ?? '';
      if (typeof piece !== 'string') return false;
      this.#addPiece(event, place, piece);
      return true;
    }
    if (isOfCall(role)) {
      const said = WHOLE.map((key) => payload[key] ?? null).filter((each) => each !== null);
      const [text = ''] = said;
      if (said.length > 1 || typeof text !== 'string') return false;
      this.#grow(text.length);
      const texts = role === 'first' ? this.#first : this.#whole;
      this.#isUnclear ||= (texts.get(place) ?? text) !== text;
      texts.set(place, text);
    }
    this.#hold(event);
    return true;
  }

  /**
   * Returns the call with its arguments, at its end; call it once.
   *
   * @param done the event that ends its item
   * @returns undefined if it is not a call any more, or can't be read
   */
  complete(done: ResponseEvent, item: JsonObject, source: () => string): ModelCall | undefined {
    this.#count(done.sequence);
    this.#grow(done.data.length);
    const call = readItemCall(item, source, this.call.answer);
    if (call === undefined || call === 'unreadable') return undefined;
    if (this.isTooLong) return { ...this.call, problem: 'too_long' };
    const problem = findDifference(this.item, item) ?? (this.#isUnclear || !this.#hasTextsOf(item) ? 'invalid_json' : undefined);
    return problem === undefined ? call : { ...withoutHistory(call), problem };
  }

  incomplete(): ModelCall {
    return { ...this.call, problem: 'incomplete' };
  }

  /** Releases the held events in order, and keeps none. */
  release(visit: (frame: string) => void): void {
    const held = this.#held;
    this.#held = [];
    for (const each of held) {
      if (typeof each === 'string') visit(each);
      else for (const frame of formatPieces(each)) visit(frame);
    }
    this.clear();
  }

  clear(): void {
    for (const text of this.#pieces.values()) text.clear();
    for (const each of this.#held) if (typeof each !== 'string') each.text.clear();
    this.#held = [];
  }

  #addPiece(event: ResponseEvent, place: string, piece: string): void {
    this.#grow(piece.length);
    if (this.isTooLong) return;
    const pieces = this.#pieces.get(place) ?? new HeldText();
    this.#pieces.set(place, pieces);
    pieces.add(piece);
    if (this.mode !== 'hold') return;
    const last = this.#held.at(-1);
    const key = `${event.type} ${place}`;
    if (typeof last === 'object' && last.key === key) {
      last.text.add(piece);
      return;
    }
    const text = new HeldText();
    text.add(piece);
    this.#grow(event.data.length);
    this.#held.push({ event, key, text });
  }

  #hold(event: ResponseEvent): void {
    if (this.mode !== 'hold') return;
    this.#grow(event.data.length);
    if (!this.isTooLong) this.#held.push(formatFrame(event));
  }

  /** Tells whether all texts that came are those of the item. */
  #hasTextsOf(item: JsonObject): boolean {
    const pieces = Array.from(this.#pieces, ([place, text]) => [place, text.take()] as const);
    this.#pieces.clear();
    return (
      [...this.#first].every(([place, text]) => textAt(item, place)?.startsWith(text) === true) &&
      [...this.#whole].every(([place, text]) => text === '' || text === textAt(item, place)) &&
      pieces.every(
        ([place, text]) =>
          ['', this.#first.get(place) ?? ''].some((first) => first + text === textAt(item, place)) || text === '',
      )
    );
  }

  #count(sequence: number | undefined): void {
    if (sequence === undefined) return;
    // A note has six events.
    if (this.#sequence.length < 6) this.#sequence.push(sequence);
    else this.#sequence[5] = sequence;
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

function formatPieces({ event, text }: Pieces): readonly string[] {
  const whole = text.take();
  const { payload, data } = event;
  if (payload['delta'] === whole || whole === '') return [formatFrame(event)];
  const frames: string[] = [];
  for (let at = 0; at < whole.length; at += MOST_ANEW) {
    const value = JSON.stringify(whole.slice(at, at + MOST_ANEW));
    frames.push(formatFrame(event, applyEdits(data, [setMember(data, wholeOf(data), 'delta', value)])));
  }
  return frames;
}
