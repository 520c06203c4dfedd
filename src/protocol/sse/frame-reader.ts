import { hasDoubtfulBytes, isPrintable } from './string-bytes.ts';
import { CARRIAGE_RETURN, LINE_FEED, LineEnds } from './line-ends.ts';
import type { SseEvent } from './event.ts';

const COLON = 0x3a;
const SPACE = 0x20;

const EVENT = Buffer.from('event');
const ID = Buffer.from('id');
const RETRY = Buffer.from('retry');

/** The kinds of line ends in a frame, as flags. */
const LF_ONLY = 1;
const CRLF_ONLY = 2;
const CR_ALONE = 4;

const NOTHING = Buffer.alloc(0);

/**
 * Reads one frame after the other (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation). The reader
 * is itself the event that it read last.
 */
export class FrameReader implements SseEvent {
  bytes: Buffer = NOTHING;
  isJoined = false;
  drop: (() => void) | undefined;
  start = 0;
  end = 0;
  data: Buffer | undefined;
  dataStart = 0;
  dataEnd = 0;
  event: string | undefined;
  id: string | undefined;
  retry: string | undefined;
  isFramePlain = true;
  /** True if the frame has only blank lines. */
  isBlank = false;
  readonly #lines = new LineEnds();
  #lineEnds = 0;
  #dataLines = 0;
  /** Start and end of each data line, if there are several. */
  #spans: number[] | undefined;
  #events = 0;
  #ids = 0;
  #retries = 0;
  /** True if the data has doubtful bytes; undefined until that is needed. */
  #hasDoubt: boolean | undefined;
  /** The last event name, kept since names repeat. */
  #lastName = '';

  get isPlain(): boolean {
    if (!this.isFramePlain) return false;
    this.#hasDoubt ??= hasDoubtfulBytes(this.bytes, this.dataStart, this.dataEnd);
    return !this.#hasDoubt;
  }

  /** Switches to other bytes, and drops the previous ones. @param drop given if the frame came in several chunks */
  open(bytes: Buffer, drop?: () => void): void {
    this.bytes = bytes;
    this.isJoined = drop !== undefined;
    this.drop = drop;
    this.data = undefined;
    this.#lines.open(bytes);
  }

  /**
   * Reads the frame at `start`, which must not be before the end of the last one.
   *
   * @returns false if no blank line ends the frame; its fields are then invalid
   */
  read(start: number): boolean {
    this.#clear(start);
    const { bytes } = this;
    const lines = this.#lines;
    let at = start;
    for (;;) {
      if (!lines.find(at)) return false;
      const { end, next } = lines;
      this.#lineEnds |= next - end === 2 ? CRLF_ONLY : bytes[end] === LINE_FEED ? LF_ONLY : CR_ALONE;
      if (end === at) break;
      this.#readLine(at, end);
      at = next;
    }
    this.end = lines.next;
    this.isBlank = at === start;
    if (this.isBlank) this.#takeBlankLines();
    this.#finish();
    return true;
  }

  #clear(start: number): void {
    this.start = start;
    this.data = undefined;
    this.dataStart = 0;
    this.dataEnd = 0;
    this.event = undefined;
    this.id = undefined;
    this.retry = undefined;
    this.isFramePlain = true;
    this.#hasDoubt = undefined;
    this.#lineEnds = 0;
    this.#dataLines = 0;
    this.#spans = undefined;
    this.#events = 0;
    this.#ids = 0;
    this.#retries = 0;
  }

  #readLine(start: number, end: number): void {
    const { bytes } = this;
    switch (bytes[start]) {
      case 0x64:
        if (bytes[start + 1] === 0x61 && bytes[start + 2] === 0x74 && bytes[start + 3] === 0x61) {
          const value = this.#valueAfter(start + 4, end);
          if (value !== -1) return this.#addData(value, end);
        }
        break;
      case 0x65: {
        const value = this.#valueOf(EVENT, start, end);
        if (value !== -1) return this.#setEvent(value, end);
        break;
      }
      case 0x69: {
        const value = this.#valueOf(ID, start, end);
        if (value !== -1) return this.#setId(value, end);
        break;
      }
      case 0x72: {
        const value = this.#valueOf(RETRY, start, end);
        if (value !== -1) return this.#setRetry(value, end);
        break;
      }
      case COLON:
        if (!isPrintable(bytes, start, end)) this.isFramePlain = false;
        return;
    }
    // The line is ignored, but some readers trim names, drop a byte order mark or fail.
    this.isFramePlain = false;
  }

  /**
   * Returns the start of the value if the line's field has this name, else -1. Names contain no line ends, so the comparison stays within
   * the line.
   */
  #valueOf(name: Buffer, start: number, end: number): number {
    for (let i = 1; i < name.length; i++) if (this.bytes[start + i] !== name[i]) return -1;
    return this.#valueAfter(start + name.length, end);
  }

  #valueAfter(nameEnd: number, end: number): number {
    if (nameEnd === end) {
      // A name without a colon is a field with an empty value, and an error for some readers.
      this.isFramePlain = false;
      return end;
    }
    if (this.bytes[nameEnd] !== COLON) return -1;
    return this.bytes[nameEnd + 1] === SPACE ? nameEnd + 2 : nameEnd + 1;
  }

  #addData(start: number, end: number): void {
    this.#dataLines++;
    if (this.#dataLines === 1) {
      this.data = this.bytes;
      this.dataStart = start;
      this.dataEnd = end;
      return;
    }
    this.#spans ??= [this.dataStart, this.dataEnd];
    this.#spans.push(start, end);
  }

  #setEvent(start: number, end: number): void {
    this.#events++;
    const { bytes } = this;
    // An empty type means no type, and some readers trim a type.
    if (start === end || bytes[start] === SPACE || bytes[end - 1] === SPACE || !isPrintable(bytes, start, end))
      this.isFramePlain = false;
    if (start === end) this.event = undefined;
    else {
      if (!isText(this.#lastName, bytes, start, end)) this.#lastName = bytes.toString('utf8', start, end);
      this.event = this.#lastName;
    }
  }

  #setId(start: number, end: number): void {
    this.#ids++;
    if (isPrintable(this.bytes, start, end)) {
      this.id = this.bytes.toString('latin1', start, end);
      return;
    }
    this.isFramePlain = false;
    const id = this.bytes.toString('utf8', start, end);
    if (!id.includes('\0')) this.id = id;
  }

  #setRetry(start: number, end: number): void {
    this.#retries++;
    let isNumber = end > start;
    for (let i = start; i < end; i++) {
      const byte = this.bytes[i] as number;
      if (byte < 0x30 || byte > 0x39) isNumber = false;
    }
    if (isNumber) this.retry = this.bytes.toString('latin1', start, end);
    else this.isFramePlain = false;
  }

  /** Adds following blank lines to the frame, so that a stream of blank lines does not cause a visit per byte. */
  #takeBlankLines(): void {
    const { bytes } = this;
    for (let byte = bytes[this.end]; byte === LINE_FEED || byte === CARRIAGE_RETURN; byte = bytes[this.end]) {
      this.#lines.find(this.end);
      const { end, next } = this.#lines;
      this.#lineEnds |= next - end === 2 ? CRLF_ONLY : byte === LINE_FEED ? LF_ONLY : CR_ALONE;
      this.end = next;
    }
  }

  #finish(): void {
    if (this.#spans !== undefined) this.#join(this.#spans);
    // Some readers look for LF LF or CRLF CRLF, and find neither in a mixture.
    if (this.#lineEnds !== LF_ONLY && this.#lineEnds !== CRLF_ONLY) this.isFramePlain = false;
    if (this.#dataLines > 1 || this.#events > 1 || this.#ids > 1 || this.#retries > 1) this.isFramePlain = false;
    // A type without data makes no event, but some readers dispatch one.
    if (this.#dataLines === 0 && this.#events > 0) this.isFramePlain = false;
  }

  #join(spans: readonly number[]): void {
    let length = spans.length / 2 - 1;
    for (let i = 0; i < spans.length; i += 2) length += (spans[i + 1] as number) - (spans[i] as number);
    const data = Buffer.allocUnsafe(length);
    let at = 0;
    for (let i = 0; i < spans.length; i += 2) {
      if (i > 0) data[at++] = LINE_FEED;
      at += this.bytes.copy(data, at, spans[i], spans[i + 1]);
    }
    this.data = data;
    this.dataStart = 0;
    this.dataEnd = length;
  }
}

/** Tells whether `bytes[start..end)` is this text; always false for non-ASCII text. */
function isText(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80 || code !== bytes[start + i]) return false;
  }
  return true;
}
