import { Carry } from './sse/carry.ts';
import type { SseEvent } from './sse/event.ts';
import { QUOTE, BACKSLASH, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE } from './json-bytes.ts';

const NOTHING = Buffer.alloc(0);

/** `first` and `next`: an element has to come, or may; `behind`: one has ended. */
type Place = 'start' | 'first' | 'element' | 'behind' | 'next' | 'end';

/** An element of the array, or a bracket of its own, as an event of a stream. */
class ArrayEvent implements SseEvent {
  bytes: Buffer = NOTHING;
  start = 0;
  end = 0;
  isJoined = false;
  data: Buffer | undefined;
  dataStart = 0;
  dataEnd = 0;
  readonly event = undefined;
  readonly id = undefined;
  readonly retry = undefined;
  readonly isPlain = true;
  readonly isFramePlain = true;
}

/**
 * Cuts a JSON array of objects into its elements while it comes: chunks may end anywhere. Each element is visited with what separates it
 * from the one before in `bytes[start..end)`, and the element alone as its data; the brackets of the array are visited as events without
 * data. What is in an element is not checked. The scanner wants a text as a whole, hence none here. All visited bytes are, in a row, those
 * of the array up to its end.
 */
export class JsonArraySplitter {
  readonly #maxFrame: number;
  readonly #event = new ArrayEvent();
  /** The part of the next event that came in earlier chunks. */
  readonly #carry = new Carry();
  #place: Place = 'start';
  /** The number of open brackets in the element, and whether the position is within a string. */
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** Bytes of the event before the element. */
  #offset = 0;
  #isOver = false;
  #isMalformed = false;

  /** @param options `maxFrame`: bytes that an element may have, with what separates it from the one before */
  constructor(options: { readonly maxFrame: number }) {
    this.#maxFrame = options.maxFrame;
  }

  /** True if it was no array of objects. */
  get isMalformed(): boolean {
    return this.#isMalformed;
  }

  /** Bytes of the unfinished element, which were copied. */
  get joined(): number {
    return this.#carry.length;
  }

  /**
   * Visits what the chunk completes.
   *
   * @returns false once an element was longer than `maxFrame`, or what came is no array of objects: nothing more is visited from then on
   */
  push(chunk: Buffer, visit: (event: SseEvent) => void): boolean {
    if (this.#isOver) return false;
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#place === 'element') {
        if (!this.#endsElement(byte)) continue;
        if (!this.#visit(chunk, { from, end: at + 1, hasData: true }, visit)) return false;
        from = at + 1;
        this.#place = 'behind';
      } else if (!isSpace(byte)) {
        const next = this.#follow(byte);
        if (next === undefined) return this.#stop(true);
        if (next === 'element') this.#begin(this.#carry.length + at - from);
        else if (next !== 'next') {
          if (!this.#visit(chunk, { from, end: at + 1, hasData: false }, visit)) return false;
          from = at + 1;
        }
        this.#place = next;
      }
    }
    if (this.#place === 'end') return true;
    if (this.#carry.length + chunk.length - from > this.#maxFrame) return this.#stop(false);
    if (from < chunk.length) this.#carry.add(chunk, from, chunk.length);
    return true;
  }

  /** The place that a byte outside of elements leads to; undefined if the byte can't stand there. */
  #follow(byte: number): Place | undefined {
    switch (this.#place) {
      case 'start':
        return byte === OPEN_BRACKET ? 'first' : undefined;
      case 'first':
      case 'behind':
        if (byte === CLOSE_BRACKET) return 'end';
        if (this.#place === 'behind') return byte === COMMA ? 'next' : undefined;
        return byte === OPEN_BRACE ? 'element' : undefined;
      case 'next':
        return byte === OPEN_BRACE ? 'element' : undefined;
      default:
        return undefined;
    }
  }

  #begin(offset: number): void {
    this.#depth = 1;
    this.#isString = false;
    this.#isEscaped = false;
    this.#offset = offset;
  }

  #endsElement(byte: number): boolean {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isString = false;
      return false;
    }
    if (byte === QUOTE) this.#isString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--;
    return this.#depth === 0;
  }

  /** @returns false if it was too long */
  #visit(
    chunk: Buffer,
    { from, end, hasData }: { readonly from: number; readonly end: number; readonly hasData: boolean },
    visit: (event: SseEvent) => void,
  ): boolean {
    const length = this.#carry.length + end - from;
    if (length > this.#maxFrame) return this.#stop(false);
    const event = this.#event;
    const isCarried = this.#carry.length > 0;
    if (isCarried) this.#carry.add(chunk, from, end);
    event.isJoined = isCarried;
    event.bytes = isCarried ? this.#carry.take() : chunk;
    event.start = isCarried ? 0 : from;
    event.end = event.start + length;
    event.data = hasData ? event.bytes : undefined;
    event.dataStart = hasData ? event.start + this.#offset : 0;
    event.dataEnd = hasData ? event.end : 0;
    visit(event);
    event.bytes = NOTHING;
    event.data = undefined;
    if (isCarried) this.#carry.rest(length);
    return true;
  }

  #stop(isMalformed: boolean): false {
    this.#isOver = true;
    this.#isMalformed = isMalformed;
    this.#carry.clear();
    return false;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
