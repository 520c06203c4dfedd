import { BytesTemplate, type TemplateValue } from '../../../sse/bytes-template.ts';
import type { SseEvent } from '../../../sse/splitter.ts';
import { stringBytesEnd, stringBytesText } from '../../../sse/string-bytes.ts';
import { membersOf, wholeOf } from '../../json-text.ts';
import { type ResponseEvent, textPlaceOf } from './events.ts';

/** Most forms known at a time: texts and calls of several items. */
const MOST_FORMS = 4;

/** Members whose values differ between events of one form. */
const VALUES: ReadonlyMap<string, TemplateValue['kind']> = new Map([
  ['sequence_number', 'digits'],
  ['delta', 'string'],
  ['obfuscation', 'string'],
]);

/** The form of events that differ only in their piece of text, their number, and the string that hides their length. */
interface Form {
  readonly type: string;
  readonly template: BytesTemplate;
  readonly index: number;
  /** The text of a call that they are pieces of; undefined if they are not about a call. */
  readonly place: string | undefined;
}

/**
 * Recognises the usual events of a stream by their exact bytes, so that they need not be parsed: they differ from a parsed one only in their
 * piece of text, and are strict JSON to the very end. No other key can hide in them.
 */
export class PlainEvent {
  #forms: Form[] = [];
  #form: Form | undefined;

  /** The index of the item. */
  get index(): number | undefined {
    return this.#form?.index;
  }

  /** The text of a call that the event is a piece of; undefined if it is not about a call. */
  get place(): string | undefined {
    return this.#form?.place;
  }

  /** Reads an event. False if it is anything else, or not surely plain. */
  read({ event, dataStart, dataEnd }: Pick<SseEvent, 'event' | 'dataStart' | 'dataEnd'>, data: Buffer): boolean {
    const forms = this.#forms;
    for (let i = 0; i < forms.length; i++) {
      const form = forms[i] as Form;
      if (event !== form.type || form.template.match(data, dataStart, dataEnd) !== dataEnd) continue;
      if (i > 0) {
        forms.splice(i, 1);
        forms.unshift(form);
      }
      this.#form = form;
      return true;
    }
    return false;
  }

  /** Returns the piece of text. @param data as it was read */
  text(data: Buffer): string {
    const start = (this.#form?.template.mark ?? 0) + 1;
    return stringBytesText(data, start, stringBytesEnd(data, start, data.length));
  }

  /** Learns the form of this event, if it has a piece of text. */
  learn({ type, role, index, doubt, payload, data, isPlain }: ResponseEvent): void {
    const isKnown = role === 'piece' || role === 'other';
    if (!isKnown || !isPlain || index === undefined || doubt !== undefined || typeof payload['delta'] !== 'string') return;
    const spans = [...(membersOf(data, wholeOf(data)) ?? [])].flatMap(([key, span]) => {
      const kind = VALUES.get(key);
      const isFit = kind === 'digits' ? Number.isSafeInteger(payload[key]) : typeof payload[key] === 'string';
      return kind === undefined || !isFit ? [] : [{ key, kind, ...span }];
    });
    const offset = (at: number): number => Buffer.byteLength(data.slice(0, at));
    const values = spans.map(({ key, kind, start, end }) => ({ key, kind, start: offset(start), end: offset(end) }));
    const bytes = Buffer.from(data);
    const template = new BytesTemplate();
    const mark = values.find(({ key }) => key === 'delta')?.start ?? 0;
    template.learn(bytes, { start: 0, end: bytes.length, mark }, values);
    if (template.match(bytes, 0, bytes.length) !== bytes.length) return;
    const form = { type, template, index, place: role === 'piece' ? textPlaceOf(type, payload) : undefined };
    this.#forms = [form, ...this.#forms.slice(0, MOST_FORMS - 1)];
  }

  /** Forgets all forms: another item may have their place or their id. */
  forget(): void {
    this.#forms = [];
  }
}
