import { isObject } from '../json-object.ts';
import { applyEdits, type Edit, elementsOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import type { DeniedCall, DeniedCalls, NotedCall } from '../model-api.ts';
import { MARKED_NOTE, markFinder, whyOf } from '../note.ts';
import { fieldsOf, fieldSpansOf } from './keys.ts';
import { NO_SIGNATURE, withMember, withoutMember } from './noted-part.ts';

/** An element of `contents`. */
interface Content {
  readonly span: TextSpan;
  readonly isModels: boolean;
  readonly parts: readonly Part[];
}

/** A part of an element; only one of its fields besides the span and signature is set. */
interface Part {
  readonly span: TextSpan;
  /** Undefined if it is not a text, or is a thought. */
  readonly text: string | undefined;
  /** The id of a call or of a result, empty if it has none; undefined if it is neither. */
  readonly call: string | undefined;
  readonly result: string | undefined;
  readonly signature: string | undefined;
}

/**
 * Restores the calls whose notes are in the model's text, each with a result that says why it was not run. The API requires the results of
 * all calls of a turn after it, in their order.
 *
 * @param text one that `readRequest` could read
 */
export function restoreCalls(text: string, denied: DeniedCalls): string {
  if (!text.includes(MARKED_NOTE)) return text;
  const body = fieldSpansOf(text, wholeOf(text));
  const inner = body?.get('generateContentRequest');
  const lists = [body?.get('contents'), inner && fieldSpansOf(text, inner)?.get('contents')];
  const restorer = new Restorer(text, denied);
  for (const list of lists) if (list !== undefined) restorer.restoreIn(list);
  return applyEdits(text, restorer.edits);
}

/** A call of a turn: a restored one, or one that was there already. */
type TurnCall = { readonly denied: DeniedCall } | { readonly denied: undefined; readonly id: string };

class Restorer {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #denied: DeniedCalls;
  readonly #done = new Set<DeniedCall>();
  readonly #hasMark: (span: TextSpan) => boolean;

  constructor(text: string, denied: DeniedCalls) {
    this.#text = text;
    this.#denied = denied;
    this.#hasMark = markFinder(text);
  }

  restoreIn(list: TextSpan): void {
    const spans = elementsOf(this.#text, list) ?? [];
    const contents = new Map<number, Content>();
    // Most of a history contains no notes, and is not parsed.
    const at = (index: number): Content | undefined => {
      const span = spans[index];
      const content = contents.get(index) ?? (span && readContent(this.#text, span));
      if (content !== undefined) contents.set(index, content);
      return content;
    };
    for (let index = 0; index < spans.length; index++) {
      if (!this.#hasMark(spans[index] as TextSpan) || at(index)?.isModels !== true) continue;
      let first = index;
      while (at(first - 1)?.isModels === true) first--;
      const turn: Content[] = [];
      for (let content = at(first); content?.isModels === true; content = at(first + turn.length)) turn.push(content);
      const end = first + turn.length;
      const behind: Content[] = [];
      for (let content = at(end); content?.isModels === false; content = at(end + behind.length)) behind.push(content);
      this.#restoreTurn(turn, behind);
      index = end - 1;
    }
  }

  /** @param behind what others said after the turn */
  #restoreTurn(turn: readonly Content[], behind: readonly Content[]): void {
    const calls: TurnCall[] = [];
    let isSignedAgain = false;
    for (const part of turn.flatMap(({ parts }) => parts)) {
      const noted = part.text?.includes(MARKED_NOTE) === true ? this.#notedIn(part.text) : [];
      if (noted.length > 0) {
        this.edits.push(this.#restorePart(part, noted));
        calls.push(...noted.map(({ call }) => ({ denied: call })));
        isSignedAgain ||= noted.some(({ call }) => signatureOf(call) !== undefined);
      } else if (part.call !== undefined) {
        calls.push({ denied: undefined, id: part.call });
        if (isSignedAgain && part.signature === NO_SIGNATURE)
          this.edits.push(withoutMember(this.#text, part.span, 'thoughtSignature'));
      }
    }
    const last = turn.at(-1);
    if (last !== undefined && calls.some(({ denied }) => denied !== undefined)) this.#addResults(calls, { last, behind });
  }

  #notedIn(text: string): readonly NotedCall[] {
    const noted: NotedCall[] = [];
    for (const one of this.#denied.notedIn(text)) {
      if (this.#done.has(one.call)) continue;
      this.#done.add(one.call);
      noted.push(one);
    }
    return noted;
  }

  /** Puts the calls after the rest of the text, since clients join texts. */
  #restorePart({ span, text = '', signature }: Part, noted: readonly NotedCall[]): Edit {
    const calls = noted.map(({ call }) => call.text);
    const rest = applyEdits(
      text,
      noted.map(({ start, end }) => ({ start, end, text: '' })),
    );
    if (rest.trim() === '') return { ...span, text: calls.join(',') };
    const part = withMember(this.#text.slice(span.start, span.end), 'text', JSON.stringify(rest));
    const isMoved = noted.some(({ call }) => signatureOf(call) === signature);
    const kept = isMoved ? withoutMember(part, wholeOf(part), 'thoughtSignature').text : part;
    return { ...span, text: [kept, ...calls].join(',') };
  }

  #addResults(
    calls: readonly TurnCall[],
    { last, behind }: { readonly last: Content; readonly behind: readonly Content[] },
  ): void {
    const results = behind.flatMap(({ parts }) => parts).filter(({ result }) => result !== undefined);
    // The first of several results with one id counts.
    const byId = new Map(results.toReversed().map((part) => [part.result, part]));
    const isAnswered = ({ id }: DeniedCall): boolean => id !== '' && byId.has(id);
    const end = results.at(-1);
    let seen = 0;
    let waiting: string[] = [];
    for (const call of calls) {
      if (call.denied !== undefined) {
        if (!isAnswered(call.denied)) waiting.push(formatResult(call.denied));
        continue;
      }
      const own = (call.id === '' ? undefined : byId.get(call.id)) ?? results[seen];
      seen++;
      if (own === undefined || waiting.length === 0) continue;
      this.edits.push({ start: own.span.start, end: own.span.start, text: `${waiting.join(',')},` });
      waiting = [];
    }
    if (waiting.length === 0) return;
    const text = waiting.join(',');
    if (end !== undefined) this.edits.push({ start: end.span.end, end: end.span.end, text: `,${text}` });
    else this.edits.push({ start: last.span.end, end: last.span.end, text: `,{"role":"user","parts":[${text}]}` });
  }
}

function formatResult({ id, name, note }: DeniedCall): string {
  return JSON.stringify({ functionResponse: { ...(id === '' ? {} : { id }), name, response: { error: whyOf(note) } } });
}

function signatureOf({ text }: DeniedCall): string | undefined {
  const part: unknown = JSON.parse(text);
  const signature = isObject(part) ? fieldsOf(part)?.get('thoughtSignature') : undefined;
  return typeof signature === 'string' ? signature : undefined;
}

/** @param text one that `readRequest` could read @param span of the element */
export function readContent(text: string, span: TextSpan): Content {
  const fields = fieldSpansOf(text, span);
  const parts = fields?.get('parts');
  const elements = parts && elementsOf(text, parts);
  return {
    span,
    isModels: stringOf(text, fields?.get('role')) === 'model',
    parts: (elements ?? []).map((element) => readPart(text, element)),
  };
}

function readPart(text: string, span: TextSpan): Part {
  const fields = fieldSpansOf(text, span);
  const idOf = (name: string): string | undefined => {
    const inner = fields?.get(name);
    return inner === undefined ? undefined : (stringOf(text, fieldSpansOf(text, inner)?.get('id')) ?? '');
  };
  const thought = fields?.get('thought');
  const isThought = thought !== undefined && text.startsWith('true', thought.start);
  return {
    span,
    text: isThought ? undefined : stringOf(text, fields?.get('text')),
    call: idOf('functionCall'),
    result: idOf('functionResponse'),
    signature: stringOf(text, fields?.get('thoughtSignature')),
  };
}
