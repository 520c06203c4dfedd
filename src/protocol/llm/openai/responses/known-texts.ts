import { BACKSLASH, QUOTE } from '../../../json-bytes.ts';
import { escapeDoubtful } from '../../../sse/event.ts';
import { stringBytesEnd, stringBytesText } from '../../../sse/string-bytes.ts';
import type { HeldText } from '../../held-text.ts';
import { isObject, type JsonObject, objectsIn } from '../../json-object.ts';
import { callKindOf } from './call-kinds.ts';
import { TEXTS } from './events.ts';

/** Bytes from which a string is long. */
const LONG = 256 * 1024;

/** Bytes and characters that are decoded or written at a time. */
const PART = 32 * 1024;

const LOWER_U = 0x75;

/**
 * The long arguments of a stream. The API repeats them in up to three more events, where a stand-in replaces them until the event is
 * written: a string that nobody can guess. A repeated text is compared as bytes and never decoded as a whole, which would take its size
 * in memory twice.
 */
export class KnownTexts {
  readonly #nonce: string | undefined;
  readonly #texts = new Map<string, { readonly text: HeldText; readonly length: number }>();

  /** @param nonce begins the stand-ins, in base64url; without one, nothing becomes known */
  constructor(nonce?: string) {
    this.#nonce = nonce;
  }

  /** Makes a complete text known, if it is long. */
  add(text: HeldText): void {
    const { length } = text;
    if (
      this.#nonce === undefined ||
      length < LONG ||
      [...this.#texts.values()].some((known) => known.text === text && known.length === length)
    )
      return;
    this.#texts.set(`${this.#prefix}${this.#texts.size}`, { text, length });
  }

  has(text: HeldText): boolean {
    return [...this.#texts.values()].some((known) => known.text === text);
  }

  /** Tells whether a string is the stand-in of this text. */
  isStandIn(value: string, text: HeldText | undefined): boolean {
    return text !== undefined && this.#isStandIn(value) && this.#known(value) === text;
  }

  /**
   * Returns the JSON text of a long event, with stand-ins.
   *
   * @returns undefined if it repeats no known text, or has it where no arguments are
   */
  shorten(data: Buffer, start: number, end: number): string | undefined {
    let text = '';
    let copied = start;
    for (let at = data.indexOf(QUOTE, start); at !== -1 && at < end; at = data.indexOf(QUOTE, at)) {
      const from = at + 1;
      const to = stringBytesEnd(data, from, end);
      if (to === -1) return undefined;
      const standIn = to - from < LONG ? undefined : this.#find(data, from, to);
      if (standIn !== undefined) {
        text += `${data.toString('utf8', copied, from)}${standIn}`;
        copied = to;
      }
      at = to + 1;
    }
    if (copied === start) return undefined;
    text += data.toString('utf8', copied, end);
    return this.#hasArgumentsOnly(text) ? text : undefined;
  }

  /** Returns the text that a string stands for, or the string itself. */
  textOf(value: string): string {
    return this.#isStandIn(value) ? this.#known(value).read() : value;
  }

  /** Returns a call's item with its arguments instead of their stand-in. */
  itemOf(item: JsonObject): JsonObject {
    const key = callKindOf(item['type'])?.args?.key ?? '';
    const value = item[key];
    return typeof value === 'string' && this.#isStandIn(value) ? { ...item, [key]: this.textOf(value) } : item;
  }

  /** Tells whether JSON text has a stand-in. */
  isIn(data: string): boolean {
    return this.#texts.size > 0 && data.includes(this.#prefix);
  }

  /** Returns JSON text with the texts themselves. */
  expanded(data: string): string {
    return this.isIn(data) ? [...this.expand(data)].join('') : data;
  }

  /** The same in parts. */
  *expand(data: string): Iterable<string> {
    const pattern = new RegExp(`(${this.#prefix}\\d+)"`);
    let rest = data;
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      yield rest.slice(0, match.index);
      const text = this.#known(match[1] as string);
      yield* formatHeldText(text, 0, text.length);
      rest = rest.slice(match.index + (match[1] as string).length);
    }
    yield rest;
  }

  get #prefix(): string {
    return `${this.#nonce ?? ''}:`;
  }

  #isStandIn(value: string): boolean {
    return this.#texts.size > 0 && value.startsWith(this.#prefix);
  }

  #find(data: Buffer, from: number, to: number): string | undefined {
    // The open call's own text is the last one; an earlier call may have had the same.
    return [...this.#texts].findLast(([, { text, length }]) => text.length === length && isText(text, data, from, to))?.[0];
  }

  /** Throws if the text has changed since: nobody may take another one for it. */
  #known(standIn: string): HeldText {
    const { text, length } = this.#texts.get(standIn) ?? {};
    if (text === undefined || text.length !== length) throw new Error('a text of the stream has changed');
    return text;
  }

  /** Tells whether all stand-ins are the arguments of a call. */
  #hasArgumentsOnly(text: string): boolean {
    let payload: unknown;
    try {
      payload = JSON.parse(text);
    } catch {
      return false;
    }
    if (!isObject(payload)) return false;
    const { item, response } = payload;
    const items = [item, ...(isObject(response) ? objectsIn(response['output']) : [])].filter(isObject);
    const values = [
      ...TEXTS.map((key) => (payload as JsonObject)[key]),
      ...items.map((each) => each[callKindOf(each['type'])?.args?.key ?? '']),
    ];
    const found = values.filter((value) => typeof value === 'string' && this.#texts.has(value));
    return found.length === text.split(this.#prefix).length - 1;
  }
}

/** Formats characters of a text as they are in a JSON string, in parts. */
export function* formatHeldText(text: HeldText, start: number, end: number): Iterable<string> {
  for (let at = start; at < end;) {
    const to = partEnd(text, at, end);
    yield escapeDoubtful(JSON.stringify(text.slice(at, to)).slice(1, -1));
    at = to;
  }
}

/** Both halves of a surrogate pair are in one part, as both escapes or neither. */
function partEnd(text: HeldText, from: number, end: number): number {
  const to = from + PART;
  if (to >= end) return end;
  const isPair = (text.slice(to - 1, to + 1).codePointAt(0) ?? 0) > 0xffff;
  return isPair ? to + 1 : to;
}

/** Tells whether the string `data[from..to)` is this text. */
function isText(text: HeldText, data: Buffer, from: number, to: number): boolean {
  const { length } = text;
  if (length > to - from) return false;
  let compared = 0;
  for (let at = from; at < to;) {
    const next = nextBoundary(data, at, to);
    const part = stringBytesText(data, at, next);
    // Invalid bytes would be decoded as this character.
    if (part.includes('\ufffd') || text.slice(compared, compared + part.length) !== part) return false;
    compared += part.length;
    at = next;
  }
  return compared === length;
}

/** Returns where some `PART` bytes end, between two characters and outside of an escape. */
function nextBoundary(data: Buffer, from: number, to: number): number {
  const limit = from + PART;
  if (limit >= to) return to;
  let at = from;
  for (let slash = data.indexOf(BACKSLASH, at); slash !== -1 && slash < limit; slash = data.indexOf(BACKSLASH, at))
    at = slash + (data[slash + 1] === LOWER_U ? 6 : 2);
  at = Math.max(at, limit);
  while (at < to && ((data[at] as number) & 0xc0) === 0x80) at++;
  return at;
}
