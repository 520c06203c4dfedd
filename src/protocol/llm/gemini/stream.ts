import type { SseEvent } from '../../sse/splitter.ts';
import { type CallVerdict, type Framing, isComment, type ModelCall, type ModelStream, type StreamOptions } from '../dialect.ts';
import { applyEdits } from '../json-text.ts';
import { formatEnd } from '../note.ts';
import { type PlacedPart, readAnswer } from './answer.ts';
import { toCall } from './buffered.ts';
import { FrameTemplate } from './plain-frame.ts';
import { errorPayload, formatFrame, type Frame, isBareEvent, readFrame } from './frame.ts';
import { CallState, OpenCall, SettledParts } from './open-call.ts';

/**
 * Processes a streamed answer of the Gemini API for the client.
 *
 * A call comes whole in one event, or in pieces over several. Events with calls pass once all their calls are decided, and later events
 * after them; a text replaces a denied call. The parts of the answer alone decide whether there is a call, never its finish reason.
 */
export function createGeminiStream(options: StreamOptions): ModelStream {
  return new GeminiStream(options);
}

/** A part of a held event, and its call; a result has none. */
interface Slot {
  readonly placed: PlacedPart;
  readonly state: CallState | undefined;
}

interface HeldFrame {
  readonly frame: Frame;
  readonly slots: readonly Slot[];
}

interface Question {
  readonly state: CallState;
  readonly call: ModelCall;
}

const MARK = Buffer.from('[DONE]');

class GeminiStream implements ModelStream {
  /** A blank line: some clients take a comment for a part of an event, and an empty event for the end of the history they keep. */
  readonly keepAlive = '\n\n';
  readonly #options: StreamOptions;
  readonly #framing: Framing;
  readonly #template = new FrameTemplate();
  readonly #settled = new SettledParts();
  /** Events in order, from the first one with an undecided call. */
  #held: HeldFrame[] = [];
  #heldSize = 0;
  /** The questions still to be asked, and the pending one. */
  #questions: Question[] = [];
  #asked: Question | undefined;
  /** The call whose pieces are coming. */
  #open: OpenCall | undefined;
  /** The last call of each candidate. */
  readonly #last = new Map<number, CallState>();
  #hasElement = false;
  #hasBegun = false;
  /** The end of the stream, which waits for held events. */
  #tail = '';
  #hasEnded = false;
  #isPumping = false;
  /** True once nothing more passes. */
  #isOver = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#framing = options.framing ?? 'sse';
  }

  get isHolding(): boolean {
    return !this.#isOver && (this.#held.length > 0 || this.#asked !== undefined);
  }

  push(event: SseEvent): void {
    if (this.#isOver || this.#hasEnded) return;
    const { data } = event;
    if (data === undefined) return this.#pushEmpty(event);
    const isClear = this.#held.length === 0 && this.#open === undefined && isBareEvent(event, this.#framing);
    if (isClear && this.#template.isPlain(data, event.dataStart, event.dataEnd)) {
      this.#hasElement = true;
      this.#options.output.pass(event);
      return;
    }
    if (this.#isMark(data, event)) return;
    const frame = readFrame(event, data, this.#framing);
    if (typeof frame === 'string') this.fail(frame);
    else if (frame.answer.unknown !== undefined && this.#options.passesUnknown !== true) this.fail(frame.answer.unknown);
    else if (frame.answer.isError && frame.answer.parts.length === 0) this.#endBy(frame);
    else this.#take(frame);
  }

  answer(verdict: CallVerdict): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked === undefined || this.#isOver) return;
    const { state, call } = asked;
    const isWhole = call.problem !== 'incomplete' && call.problem !== 'too_long';
    state.decide(verdict.isAllowed && (isWhole || state.isLive), verdict.isAllowed ? undefined : verdict.note);
    this.#pump();
  }

  end(rest?: Buffer): void {
    if (rest !== undefined && rest.length > 0 && !this.#isOver) this.#takeBareError(rest.toString());
    this.#hasEnded = true;
    this.#pump();
  }

  fail(why: string): void {
    if (this.#isOver) return;
    this.#clear();
    const [begin, end] = this.#framing === 'json_array' ? [this.#hasBegun ? '' : '[', ']'] : ['', ''];
    this.#options.output.text(begin + this.#format(errorPayload(formatEnd(why), 'server')) + end);
    this.#options.output.fault(why);
  }

  /** Handles bytes that are not an event to clients: a comment, or a bracket of the array. */
  #pushEmpty(event: SseEvent): void {
    if (this.#framing === 'sse') {
      if (event.isPlain && isComment(event)) this.#options.output.pass(event);
      else this.#takeBareError(event.bytes.toString('utf8', event.start, event.end));
    } else if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#options.output.pass(event);
    } else {
      this.#tail = event.bytes.toString('utf8', event.start, event.end);
      this.end();
    }
  }

  /** Tells whether it is the end mark of other APIs' streams. Only some readers read anything after it. */
  #isMark(data: Buffer, { dataStart, dataEnd }: SseEvent): boolean {
    if (dataEnd - dataStart !== MARK.length || MARK.compare(data, dataStart, dataEnd) !== 0) return false;
    this.#tail = `data: ${MARK.toString()}\n\n`;
    this.end();
    return true;
  }

  /** Handles an error of the API in a line without `data:`, which clients look for. Most readers ignore other such lines. */
  #takeBareError(source: string): void {
    const answer = readAnswer(source);
    if (typeof answer === 'string' || !answer.isError || answer.parts.length > 0) return;
    this.#clear();
    this.#options.output.text(this.#format(source.trim().replaceAll(/[\r\n]/g, ' ')));
  }

  #take(frame: Frame): void {
    const slots: Slot[] = [];
    for (const placed of frame.answer.parts) {
      const state = this.#stateOf(placed, frame);
      if (this.#isOver) return;
      slots.push({ placed, state });
    }
    const open = this.#open;
    if (open !== undefined && frame.answer.finished.includes(open.candidate)) this.#giveUp('incomplete');
    this.#held.push({ frame, slots });
    this.#heldSize += frame.size;
    this.#limit();
    this.#pump();
  }

  /** Returns the call that a part belongs to. */
  #stateOf(placed: PlacedPart, { answer, data }: Frame): CallState | undefined {
    const { part, candidate, span } = placed;
    const { maxHeld } = this.#options;
    if (part.kind === 'provider_result') return undefined;
    if (part.kind !== 'piece') {
      const call = toCall(data, placed, answer.id) ?? part.call;
      const isTooLong = (call.args?.length ?? 0) > maxHeld;
      const state = this.#begin(call, candidate);
      this.#questions.push({ state, call: isTooLong ? { ...call, args: undefined, problem: 'too_long' } : call });
      return state;
    }
    if (part.call !== undefined) {
      // Clients may add the rest of the previous call to this one.
      if (this.#open !== undefined) this.#giveUp('incomplete');
      const state = this.#begin({ ...part.call, answer: answer.id }, candidate);
      this.#open = new OpenCall(state, { candidate, part: data.slice(span.start, span.end) });
    }
    const open = this.#open;
    if (open === undefined || open.candidate !== candidate) {
      const last = this.#last.get(candidate);
      // The piece belongs to a call that was given up, or repeats an end: without name and arguments it is not a call.
      if (last?.isGivenUp === true || (part.isEnd && part.partial.length === 0)) return last;
      this.fail('a piece of a call that belongs to none');
      return undefined;
    }
    open.add(part.partial);
    if (open.size > maxHeld) this.#giveUp('too_long');
    else if (part.isEnd) this.#askOpen(open.complete());
    return open.state;
  }

  #begin(call: ModelCall, candidate: number): CallState {
    const state = new CallState(call, this.#options.nameVerdict({ ...call, args: undefined, problem: undefined }));
    this.#last.set(candidate, state);
    return state;
  }

  /** Gives up the open call, which will not be complete or can't be parsed. */
  #giveUp(problem: 'incomplete' | 'too_long'): void {
    const open = this.#open;
    if (open === undefined) return;
    open.state.isGivenUp = true;
    this.#askOpen(open.incomplete(problem));
  }

  #askOpen(call: ModelCall): void {
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) this.#questions.push({ state: open.state, call });
  }

  #limit(): void {
    if (this.#heldSize <= this.#options.maxHeld || this.#held.length < 2) return;
    if (this.#open !== undefined && !this.#open.state.isLive) this.#giveUp('too_long');
    else if (this.#asked !== undefined) this.fail('more than may be held while a call is decided');
  }

  /** Asks and writes in order, until an answer is needed. */
  #pump(): void {
    // A synchronous answer re-enters this method.
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (;;) {
      this.#release();
      const next = this.#isOver || this.#asked !== undefined ? undefined : this.#questions.shift();
      if (next === undefined) break;
      this.#asked = next;
      this.#options.output.ask(next.call);
    }
    this.#isPumping = false;
    if (this.#hasEnded && !this.#isOver && this.#asked === undefined) this.#stop();
  }

  /** Writes the events whose calls are all decided, up to the first undecided one. */
  #release(): void {
    let count = 0;
    while (!this.#isOver && count < this.#held.length) {
      const { frame, slots } = this.#held[count] as HeldFrame;
      if (!slots.every(isReady)) break;
      count++;
      this.#heldSize -= frame.size;
      this.#write(frame, slots);
    }
    if (count > 0) this.#held.splice(0, count);
  }

  #write({ data, source }: Frame, slots: readonly Slot[]): void {
    const edits = slots.flatMap(({ placed, state }) => {
      // Sent content can't be taken back.
      const isLive = state?.isLive === true && placed.part.kind === 'piece';
      const settled = isLive && !state.isDecided ? { isAllowed: true, note: undefined, name: state.name } : state;
      if (isLive && state.isDecided && !state.isAllowed)
        this.fail(`a call of ${JSON.stringify(state.name)} that must not be run`);
      return this.#settled.edit(data, placed, settled) ?? [];
    });
    if (this.#isOver) return;
    if (edits.length === 0 && source !== undefined) this.#options.output.text(source);
    else this.#options.output.text(this.#format(applyEdits(data, edits)));
    this.#hasElement = true;
  }

  #format(data: string): string {
    return formatFrame(data, { framing: this.#framing, isFirst: !this.#hasElement });
  }

  /** Ends the stream with upstream's own error, which drops held content. */
  #endBy(frame: Frame): void {
    const isAsItCame = frame.source !== undefined && this.#held.length === 0;
    this.#stop();
    this.#options.output.text(isAsItCame ? frame.source : this.#format(frame.data));
    if (this.#framing === 'json_array') this.#options.output.text(']');
  }

  /** Stops the stream. An unfinished call is asked about, so that it is recorded. */
  #stop(): void {
    const open = this.#asked === undefined ? this.#open : undefined;
    this.#clear();
    if (this.#tail !== '') this.#options.output.text(this.#tail);
    if (open !== undefined) this.#options.output.ask(open.incomplete('incomplete'));
  }

  #clear(): void {
    this.#isOver = true;
    this.#held = [];
    this.#heldSize = 0;
    this.#questions = [];
  }
}

function isReady({ placed, state }: Slot): boolean {
  if (state === undefined || state.isDecided) return true;
  return state.isLive && placed.part.kind === 'piece' && !placed.part.isEnd;
}
