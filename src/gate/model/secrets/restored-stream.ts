import type { ModelStream, StreamOptions } from '../../../protocol/llm/dialect.ts';
import { applyEdits, type Edit } from '../../../protocol/llm/json-text.ts';
import type { TextDelta } from '../../../protocol/llm/texts/shape.ts';
import type { SseEvent } from '../../../protocol/sse/splitter.ts';
import type { AnswerRestorer } from './answer-restorer.ts';
import { HeldCalls } from './held-calls.ts';
import { copyOf, namedEvent, type StreamEvent, withData } from './stream-event.ts';
import { formatString, RestoredText } from './token-restorer.ts';

/**
 * Matches data with a token, with a string that ends in what a token or an address may begin with, or with a sign of an address or of JSON:
 * all other data passes unparsed.
 */
const TOUCHED =
  /clawai|c(?:l(?:a(?:wa?)?)?)?"|[hfwdm](?<![a-z\d].)(?:(?<=h)(?:ttps?|tt?)|(?<=f)(?:tps?|t)|(?<=w)ss?|(?<=d)(?:ata?|a)|(?<=m)(?:ailto?|ail?|a))?"|[/?#<&`]|:\s*"(?:\s|\\[nrt])*[{[]|\]"|\](?:\(|:[^"[{\d\s])|[^"\]}]:|:\s*":|\\[^n"]/i;

/** A text of the answer that is not complete. */
interface OpenText {
  readonly text: RestoredText;
  /** The last event that added to it. */
  last: StreamEvent;
}

/**
 * Restores the tokens in a streamed answer, before anybody judges its calls. At most the beginning of a token is held back, until the text
 * goes on or ends.
 */
export class RestoredStream implements ModelStream {
  readonly #inner: ModelStream;
  readonly #answer: AnswerRestorer;
  readonly #framing: StreamOptions['framing'];
  readonly #texts = new Map<string, OpenText>();
  readonly #calls: HeldCalls | undefined;
  /** Texts that wait for their next piece. */
  #open = 0;

  /** @param options `maxHeld` also bounds what is held to restore arguments */
  constructor(inner: ModelStream, answer: AnswerRestorer, { maxHeld, framing }: Pick<StreamOptions, 'maxHeld' | 'framing'>) {
    this.#framing = framing;
    this.#inner = inner;
    this.#answer = answer;
    this.#calls = answer.restoresCalls ? new HeldCalls(answer, maxHeld) : undefined;
  }

  get isHolding(): boolean {
    return this.#inner.isHolding || this.#calls?.isHolding === true;
  }

  get keepAlive(): string {
    return this.#inner.keepAlive;
  }

  push(event: SseEvent): void {
    const { data } = event;
    if (data === undefined) return this.#inner.push(event);
    const text = data.toString('utf8', event.dataStart, event.dataEnd);
    const { texts } = this.#answer;
    const plain = texts.plainDelta?.(text);
    const isTouched = this.#open > 0 || TOUCHED.test(plain === undefined ? text : wordsIn(text, plain));
    if (this.#calls === undefined && !isTouched) return this.#inner.push(event);
    const isReadable = plain !== undefined || isJson(text);
    const begun = isReadable && isTouched && plain === undefined ? texts.split?.(text) : undefined;
    if (begun !== undefined) {
      // A token may be cut behind the first words.
      this.push(withData(event, begun.begin));
      this.push(namedEvent(begun.name, begun.words));
      return;
    }
    const deltas = plain !== undefined ? [plain] : isReadable ? texts.deltas(text) : [];
    if (isReadable && deltas.length === 0 && texts.isIdle?.(text) === true) return this.#inner.push(event);
    if (this.#calls !== undefined) {
      const taken = this.#calls.take(event, isReadable ? text : undefined);
      if (taken === 'held') return this.#flush();
      if (taken !== 'passed') {
        this.#flush();
        for (const each of taken) this.#inner.push(each);
        return;
      }
    }
    if (deltas.length === 0) {
      this.#flush();
      const edits = isReadable ? this.#answer.eventEdits(text) : [];
      this.#inner.push(edits.length === 0 ? event : withData(event, applyEdits(text, edits)));
    } else this.#pushDeltas(event, text, deltas);
  }

  answer(verdict: Parameters<ModelStream['answer']>[0]): void {
    this.#inner.answer(verdict);
  }

  end(rest?: Buffer): void {
    this.#flush();
    for (const each of this.#calls?.release() ?? []) this.#inner.push(each);
    this.#inner.end(rest);
  }

  fail(why: string): void {
    this.#inner.fail(why);
  }

  #pushDeltas(event: SseEvent, data: string, deltas: readonly TextDelta[]): void {
    const edits: Edit[] = [];
    let isKept = false;
    for (const { key, span, isLast } of deltas) {
      const open = this.#texts.get(key);
      const piece = JSON.parse(data.slice(span.start, span.end)) as string;
      const text = open?.text ?? new RestoredText(this.#answer.restorer);
      const wasUnfinished = text.isUnfinished;
      const out = text.push(piece, isLast);
      if (text.isUnfinished !== wasUnfinished) this.#open += wasUnfinished ? -1 : 1;
      if (out !== piece) edits.push({ ...span, text: formatString(out) });
      if (!text.isUnfinished) continue;
      isKept = true;
      this.#texts.set(key, { text, last: open?.last ?? (event as StreamEvent) });
    }
    if (isKept) {
      const last = copyOf(event);
      for (const { key } of deltas) {
        const open = this.#texts.get(key);
        if (open !== undefined) open.last = last;
      }
    }
    this.#inner.push(edits.length === 0 ? event : withData(event, applyEdits(data, edits)));
  }

  /** Ends all texts: what is held was no token. */
  #flush(): void {
    if (this.#open === 0) return;
    for (const [key, { text, last }] of this.#texts) {
      if (!text.isOpen) continue;
      const data = last.data.toString('utf8', last.dataStart, last.dataEnd);
      const rest = text.push('', true);
      const deltas = this.#answer.texts.deltas(data);
      const at = deltas.findLastIndex((delta) => delta.key === key);
      // Other pieces of the same event have passed already.
      const edits = deltas.map(({ span }, index) => ({ ...span, text: index === at ? formatString(rest) : '""' }));
      // The first element of an array has no comma in front of it.
      const isFirst = this.#framing === 'json_array' && !last.bytes.subarray(0, last.dataStart).includes(',');
      this.#inner.push(withData(last, applyEdits(data, edits), isFirst ? ',' : ''));
    }
    this.#texts.clear();
    this.#open = 0;
  }
}

/** The words of an event of which nothing else matters, as a member's value. */
function wordsIn(text: string, { span }: TextDelta): string {
  return `:${text.slice(span.start, span.end)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The end of a stream is not JSON in some APIs; anything else is for the stream's own reader to refuse.
    return false;
  }
}
