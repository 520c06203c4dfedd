import { applyEdits, type Edit } from '../../../protocol/llm/json-text.ts';
import type { CallPiece } from '../../../protocol/llm/texts/shape.ts';
import type { SseEvent } from '../../../protocol/sse/splitter.ts';
import type { AnswerRestorer } from './answer-restorer.ts';
import { copyOf, type StreamEvent, withData } from './stream-event.ts';
import { formatString } from './token-restorer.ts';

interface Held {
  readonly event: StreamEvent;
  /** Its data; undefined if that is not JSON. */
  readonly data: string | undefined;
  readonly pieces: readonly CallPiece[];
}

/** Holds the events of calls whose arguments may get secrets back, until these are complete: a token may be cut anywhere. */
export class HeldCalls {
  readonly #answer: AnswerRestorer;
  readonly #maxHeld: number;
  readonly #open = new Set<string>();
  #held: Held[] = [];
  #size = 0;

  constructor(answer: AnswerRestorer, maxHeld: number) {
    this.#answer = answer;
    this.#maxHeld = maxHeld;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /**
   * Takes an event in its turn.
   *
   * @param data undefined if it is not JSON, which ends all calls
   * @returns `passed` if it is about no such call, and none is held; else the events that may go on now
   */
  take(event: SseEvent, data: string | undefined): 'passed' | 'held' | readonly SseEvent[] {
    const pieces = data === undefined ? [] : this.#answer.texts.calls(data);
    for (const { key, call, isEnd } of pieces) {
      if (isEnd) this.#close(key);
      else if (call !== undefined && this.#answer.mayRestore(call)) this.#open.add(key);
    }
    if (data === undefined) this.#open.clear();
    if (this.#held.length === 0 && this.#open.size === 0) return 'passed';
    this.#held.push({ event: data === undefined ? copyOf(event) : withData(event, data), data, pieces });
    this.#size += event.end - event.start;
    return this.#open.size > 0 && this.#size <= this.#maxHeld ? 'held' : this.release();
  }

  /** Returns all held events, with the secrets in their calls. Incomplete calls, and those that are too long, stay as they came. */
  release(): readonly SseEvent[] {
    const held = this.#held;
    const joined = new Map<string, string>();
    const calls = new Set<string>();
    for (const { data, pieces } of held)
      for (const { key, call, piece } of pieces) {
        if (call !== undefined && this.#answer.mayRestore(call)) calls.add(key);
        if (data !== undefined && piece !== undefined && calls.has(key))
          joined.set(key, (joined.get(key) ?? '') + (JSON.parse(data.slice(piece.start, piece.end)) as string));
      }
    const isComplete = this.#open.size === 0;
    const restored = new Map<string, string>();
    for (const [key, text] of isComplete ? joined : []) {
      const out = this.#answer.restorer.restoreArguments(text);
      if (out !== text) restored.set(key, out);
    }
    this.#held = [];
    this.#size = 0;
    this.#open.clear();
    const begun = new Set<string>();
    return held.map(({ event, data, pieces }) => {
      if (data === undefined || !isComplete) return event;
      const edits = pieces.flatMap(({ key, piece, whole }): readonly Edit[] => {
        if (!calls.has(key)) return [];
        const edit = whole === undefined ? [] : this.#answer.argumentEdits(data, whole);
        const text = restored.get(key);
        if (piece === undefined || text === undefined) return edit;
        // The first piece has all of it.
        const isFirst = !begun.has(key);
        begun.add(key);
        return [...edit, { ...piece, text: isFirst ? formatString(text) : '""' }];
      });
      return edits.length === 0 ? event : withData(event, applyEdits(data, edits));
    });
  }

  #close(key: string): void {
    if (key === '') this.#open.clear();
    else this.#open.delete(key);
  }
}
