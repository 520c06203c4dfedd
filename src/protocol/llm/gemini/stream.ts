import type { SseEvent } from '../../sse/splitter.ts';
import { type CallVerdict, type Framing, isComment, type ModelCall, type ModelStream, type StreamOptions } from '../dialect.ts';
import { applyEdits } from '../json-text.ts';
import { formatEnd } from '../note.ts';
import { type PlacedPart, readAnswer } from './answer.ts';
import { toCall } from './buffered.ts';
import { FrameTemplate } from './plain-frame.ts';
import { errorPayload, formatFrame, type Frame, isBareEvent, readFrame } from './frame.ts';
import { CallState, OpenCall } from './open-call.ts';
import { SettledParts } from './settled-parts.ts';

/**
 * A streamed answer of the Gemini API on its way to the client.
 *
 * A call is whole in one event, or comes in pieces over several. Events with calls are let through once all their calls are decided, and what
 * comes behind them after them; a text takes the place of a denied call. Whether there is a call is decided by the parts of the
 * answer alone, never by the reason that it gives for its end.
 */
export function createGeminiStream(options: StreamOptions): ModelStream {
  return new GeminiStream(options);
}

/** A part of a held event, and the call that it belongs to; a result belongs to none. */
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
  /** Some clients take a comment for a part of an event, and an event without anything in it for the end of what they remember. */
  readonly keepAlive = '\n\n';
  readonly #options: StreamOptions;
  readonly #framing: Framing;
  readonly #template = new FrameTemplate();
  readonly #settled = new SettledParts();
  /** Events in order, from the first on that has a call that is not decided. */
  #held: HeldFrame[] = [];
  #heldSize = 0;
  /** What is to be asked next, and what has been. */
  #questions: Question[] = [];
  #asked: Question | undefined;
  /** The call whose pieces come. */
  #open: OpenCall | undefined;
  /** By candidate. */
  readonly #last = new Map<number, CallState>();
  #hasElement = false;
  #hasBegun = false;
  /** What ends the stream, and waits for what is held. */
  #tail = '';
  #hasEnded = false;
  #isPumping = false;
  /** Nothing goes on any more. */
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

  /** What is no event to clients: a comment, or a bracket of the array. */
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

  /** Is it what ends the streams of other APIs? What comes behind it, only some readers have. */
  #isMark(data: Buffer, { dataStart, dataEnd }: SseEvent): boolean {
    if (dataEnd - dataStart !== MARK.length || MARK.compare(data, dataStart, dataEnd) !== 0) return false;
    this.#tail = `data: ${MARK.toString()}\n\n`;
    this.end();
    return true;
  }

  /** The API may tell of a failure in a line that is no data, which clients look for. Other such lines are nothing to most readers. */
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

  /** The call that a part belongs to. */
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
      // Whatever is left of the one before, clients may add to this one.
      if (this.#open !== undefined) this.#giveUp('incomplete');
      const state = this.#begin({ ...part.call, answer: answer.id }, candidate);
      this.#open = new OpenCall(state, { candidate, part: data.slice(span.start, span.end) });
    }
    const open = this.#open;
    if (open === undefined || open.candidate !== candidate) {
      const last = this.#last.get(candidate);
      // Of a call that was given up, or an end that comes again: without a name and arguments it is no call.
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

  /** The open call is not going to be complete, or can't be followed. */
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

  /** Does what can be done, in order, until an answer is needed. */
  #pump(): void {
    // An answer that is given at once comes back here from within.
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

  /** Writes the events whose calls are all decided, up to the first other one. */
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
      // What the client has got can't be taken back.
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

  /** Upstream's own failure, which drops what is held. */
  #endBy(frame: Frame): void {
    const isAsItCame = frame.source !== undefined && this.#held.length === 0;
    this.#stop();
    this.#options.output.text(isAsItCame ? frame.source : this.#format(frame.data));
    if (this.#framing === 'json_array') this.#options.output.text(']');
  }

  /** Nothing more goes on. A call that was being made is told, so that it is known of. */
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
