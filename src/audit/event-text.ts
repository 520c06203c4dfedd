import type { CutReason } from '../core/dlp/redact-json.ts';
import { redactText } from '../core/dlp/redact-text.ts';
import { remember } from '../core/remember.ts';

/** Most characters kept of a URI or name; it comes from a model. */
const MOST_TEXT = 1024;

/** Cache limits: names of servers, methods and tools repeat, so the redaction of short ones is kept. */
const KNOWN = { most: 256, longest: 64 };
const redactName = remember((value) => redactText(value, MOST_TEXT), KNOWN);

/** Cache of formatted members, by field and value: most events consist of few different texts. */
const members = new Map<string, (value: string) => string>();

function memberOf(field: string, value: string): string {
  let ofField = members.get(field);
  if (ofField === undefined) members.set(field, (ofField = remember((text) => `,"${field}":${JSON.stringify(text)}`, KNOWN)));
  return ofField(value);
}

/** Ids that every reader parses as the same number. */
const PLAIN_ID = /^[1-9]\d{0,14}$/;

/** The last formatted time: all calls of a chunk share it. */
let lastTime = { time: Number.NaN, text: '' };

/** The last formatted inspectors: nearly all calls have the same. */
let lastInspectors: { inspectors: readonly string[]; text: string } = { inspectors: [], text: '[]' };

function inspectorsText(inspectors: readonly string[]): string {
  if (lastInspectors.inspectors !== inspectors) lastInspectors = { inspectors, text: JSON.stringify(inspectors) };
  return lastInspectors.text;
}

function isoTime(time: number): string {
  if (lastTime.time !== time) lastTime = { time, text: new Date(time).toISOString() };
  return lastTime.text;
}

/** Builds the JSON text of an event field by field, so that numbers stay as they were sent. Fields without a value are left out. */
export class EventText {
  readonly type: string;
  #text: string;
  readonly #skipped: string[] = [];

  constructor(type: string) {
    this.type = type;
    this.#text = `{${memberOf('type', type).slice(1)}`;
  }

  /** Adds our own words, numbers and names, and the policy's, without redaction. */
  put(field: string, value: string | number | null | undefined): void {
    if (value === undefined) return;
    this.#text += typeof value === 'string' ? memberOf(field, value) : `,"${field}":${JSON.stringify(value)}`;
  }

  /** Adds an id of ours, which needs no escaping. */
  putOwnId(field: string, id: string): void {
    this.#text += `,"${field}":"${id}"`;
  }

  /** @param time milliseconds since the epoch */
  putTime(time: number): void {
    this.#text += `,"timestamp":"${isoTime(time)}"`;
  }

  /** Adds a text that a peer wrote, redacted. Returns the redacted text. */
  putRedacted(field: string, value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    const text = this.#redact(field, value);
    this.put(field, text);
    return text;
  }

  /** Adds counts by name; counts of names that are equal once redacted are summed. */
  putCounts(field: string, counts: Readonly<Record<string, number>>): void {
    const redacted = new Map<string, number>();
    for (const [name, count] of Object.entries(counts)) {
      const { text } = redactText(name, MOST_TEXT);
      redacted.set(text, (redacted.get(text) ?? 0) + count);
    }
    this.#text += `,"${field}":${JSON.stringify(Object.fromEntries(redacted))}`;
  }

  /** Adds a list of objects of texts that a peer wrote; absent texts are left out. */
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

  /** Adds a request's id as it was sent; a number that a double can't hold stays text rather than becoming another number. */
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

  /** @param inspectors what checked the message; undefined if the event is not about a message */
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
