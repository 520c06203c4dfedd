import { applyEdits, type Edit, type TextSpan, wholeOf } from '../../../protocol/llm/json-text.ts';
import type { AnswerPlace } from '../../../protocol/llm/model-api.ts';
import { type CallName, type ModelTexts, type Shape, visitTexts } from '../../../protocol/llm/texts/shape.ts';
import { formatString, type TokenRestorer } from './token-restorer.ts';

interface AnswerRestorerOptions {
  readonly texts: ModelTexts;
  readonly restorer: TokenRestorer;
  /** Tells whether the arguments of a call get secrets back; undefined if no call's do. */
  readonly mayRestore: ((call: CallName) => boolean) | undefined;
}

/** Restores the tokens of one answer: in words for the user, and in the arguments of calls where the policy says so. */
export class AnswerRestorer {
  readonly texts: ModelTexts;
  readonly restorer: TokenRestorer;
  readonly #mayRestore: AnswerRestorerOptions['mayRestore'];

  constructor({ texts, restorer, mayRestore }: AnswerRestorerOptions) {
    this.texts = texts;
    this.restorer = restorer;
    this.#mayRestore = mayRestore;
  }

  get restoresCalls(): boolean {
    return this.#mayRestore !== undefined;
  }

  mayRestore(call: CallName): boolean {
    return this.#mayRestore?.(call) === true;
  }

  /** Restores a whole answer. @param text returned as it is if nothing in it is restored, or if it is not JSON */
  restoreAnswer(text: string, place: AnswerPlace): string {
    if (!/clawai/i.test(text)) return text;
    try {
      JSON.parse(text);
    } catch {
      // Such an answer is refused, or is none.
      return text;
    }
    const shape = (place === 'line' ? this.texts.line : undefined) ?? this.texts.answer;
    return applyEdits(text, [...this.#shapeEdits(text, shape), ...this.callEdits(text)]);
  }

  /** Builds the edits of an event that adds to no text. @param data valid JSON */
  eventEdits(data: string): readonly Edit[] {
    if (!/clawai/i.test(data)) return [];
    return [...(this.texts.event === undefined ? [] : this.#shapeEdits(data, this.texts.event)), ...this.callEdits(data)];
  }

  /** Builds the edits of whole arguments. @param text valid JSON */
  callEdits(text: string): readonly Edit[] {
    if (!this.restoresCalls) return [];
    return this.texts.calls(text).flatMap(({ call, whole }) => {
      if (call === undefined || whole === undefined || !this.mayRestore(call)) return [];
      return this.argumentEdits(text, whole);
    });
  }

  /** Builds the edit of arguments: an object, or a string with the JSON text of one, or with any text. */
  argumentEdits(text: string, span: TextSpan): readonly Edit[] {
    const source = text.slice(span.start, span.end);
    if (!source.startsWith('"')) {
      const restored = this.restorer.restoreJson(source);
      return restored === source ? [] : [{ ...span, text: restored }];
    }
    const given = JSON.parse(source) as string;
    const restored = this.restorer.restoreArguments(given);
    return restored === given ? [] : [{ ...span, text: formatString(restored) }];
  }

  #shapeEdits(text: string, shape: Shape): readonly Edit[] {
    const edits: Edit[] = [];
    visitTexts(text, wholeOf(text), shape, {
      toName: this.texts.toName,
      unit: () => false,
      place: (place) => edits.push(...this.restorer.editString(text, { start: place.start, end: place.end })),
    });
    return edits;
  }
}
