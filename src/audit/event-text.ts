import type { CutReason } from '../core/dlp/redact-json.ts';
import { redactText } from '../core/dlp/redact-text.ts';
import { remember } from '../core/remember.ts';

/** A URI or a name longer than this is cut in the audit; it comes from a model. */
const MOST_TEXT = 1024;

/** Names of servers, methods and tools come again and again: so many, of so many characters, are not looked through each time. */
const KNOWN = { most: 256, longest: 64 };
const redactName = remember((value) => redactText(value, MOST_TEXT), KNOWN);

/** Members as they were written before, by field and value: an event that is put together from few texts is written faster. */
const members = new Map<string, (value: string) => string>();

function memberOf(field: string, value: string): string {
  let ofField = members.get(field);
  if (ofField === undefined) members.set(field, (ofField = remember((text) => `,"${field}":${JSON.stringify(text)}`, KNOWN)));
  return ofField(value);
}

/** What any reader takes for the same number. */
const PLAIN_ID = /^[1-9]\d{0,14}$/;

/** The time that was written last: of all calls of a chunk it is the same. */
let lastTime = { time: Number.NaN, text: '' };

/** Those that were written last: nearly all calls have the same. */
let lastInspectors: { inspectors: readonly string[]; text: string } = { inspectors: [], text: '[]' };

function inspectorsText(inspectors: readonly string[]): string {
  if (lastInspectors.inspectors !== inspectors) lastInspectors = { inspectors, text: JSON.stringify(inspectors) };
  return lastInspectors.text;
}

function isoTime(time: number): string {
  if (lastTime.time !== time) lastTime = { time, text: new Date(time).toISOString() };
  return lastTime.text;
}

/** The JSON text of an event, field by field, so that numbers stay as they were sent. Fields without a value are left out. */
export class EventText {
  readonly type: string;
  #text: string;
  readonly #skipped: string[] = [];

  constructor(type: string) {
    this.type = type;
    this.#text = `{${memberOf('type', type).slice(1)}`;
  }

  /** Our own words, numbers and names, and the policy's. */
  put(field: string, value: string | number | null | undefined): void {
    if (value === undefined) return;
    this.#text += typeof value === 'string' ? memberOf(field, value) : `,"${field}":${JSON.stringify(value)}`;
  }

  /** An id of ours, which is its own JSON. */
  putOwnId(field: string, id: string): void {
    this.#text += `,"${field}":"${id}"`;
  }

  /** @param time milliseconds since the epoch */
  putTime(time: number): void {
    this.#text += `,"timestamp":"${isoTime(time)}"`;
  }

  /** What a peer wrote. Returns what is stored of it. */
  putRedacted(field: string, value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    const text = this.#redact(field, value);
    this.put(field, text);
    return text;
  }

  /** Counts by name; those of names that are one when redacted are added up. */
  putCounts(field: string, counts: Readonly<Record<string, number>>): void {
    const redacted = new Map<string, number>();
    for (const [name, count] of Object.entries(counts)) {
      const { text } = redactText(name, MOST_TEXT);
      redacted.set(text, (redacted.get(text) ?? 0) + count);
    }
    this.#text += `,"${field}":${JSON.stringify(Object.fromEntries(redacted))}`;
  }

  /** Objects of texts that a peer wrote, some of which may be absent. */
  putList<T>(field: string, items: readonly T[], toFields: (item: T) => Readonly<Record<string, string | undefined>>): void {
    const objects = items.map((item) => {
      const texts = Object.entries(toFields(item)).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return Object.fromEntries(texts.map(([name, text]) => [name, this.#redact(`${field}.${name}`, text)]));
    });
    this.#text += `,"${field}":${JSON.stringify(objects)}`;
  }

  putCut(field: string, { json, cuts }: { readonly json: string; readonly cuts: ReadonlySet<CutReason> }): void {
    this.#text += `,"${field}":${json}`;
    for (const reason of cuts) this.#skip(field, reason);
  }

  /** A request's id, as it was sent; a number that a double can't hold stays text rather than becoming another number. */
  putId(text: string | undefined): void {
    if (text === undefined) return;
    if (PLAIN_ID.test(text)) {
      this.#text += `,"jsonrpc_id":${text}`;
      return;
    }
    const id: unknown = JSON.parse(text);
    if (typeof id === 'number' && String(id) === text) this.put('jsonrpc_id', id);
    else this.putRedacted('jsonrpc_id', typeof id === 'string' ? id : text);
  }

  /** @param inspectors what looked at the message; undefined where the event is about none */
  end(inspectors: readonly string[] | undefined): string {
    if (inspectors !== undefined)
      this.#text += `,"inspectors":${inspectorsText(inspectors)},"skipped":[${this.#skipped.join(',')}]`;
    return `${this.#text}}`;
  }

  #redact(field: string, value: string): string {
    const { text, isCut } = redactName(value);
    if (isCut) this.#skip(field, 'too_long');
    return text;
  }

  #skip(what: string, why: CutReason): void {
    const skipped = `{"what":"${what}","why":"${why}"}`;
    if (!this.#skipped.includes(skipped)) this.#skipped.push(skipped);
  }
}
