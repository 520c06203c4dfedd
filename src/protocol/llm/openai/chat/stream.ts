import { formatSseEvent } from '../../../sse/event.ts';
import type { SseEvent } from '../../../sse/splitter.ts';
import { type CallVerdict, isComment, type ModelCall, type ModelStream, type StreamOptions } from '../../dialect.ts';
import { formatEnd, noteBehind, noteOf } from '../../note.ts';
import { Choice } from './choice.ts';
import {
  type ChoiceFate,
  type Envelope,
  envelopeOf,
  formatOwnChunk,
  isToolReason,
  isTouched,
  splitAtEnd,
  withoutHeld,
  withoutToolReason,
} from './chunk-edits.ts';
import { type Chunk, type ChunkChoice, DONE, formatChunk, formatError, readChunk, visitRest } from './chunk.ts';
import type { HeldRoom, OpenCall } from './open-call.ts';
import { PendingChunks } from './pending-chunks.ts';
import { PlainChunk } from './plain-chunk.ts';
import { findUnknownCall } from './unknown-call.ts';

/** Most choices, and most open calls in one of them; nobody asks for more. */
const MOST = 1024;

/**
 * Processes a streamed answer of the Chat Completions API for the client.
 *
 * Only the end of a choice shows where its calls end. So its calls are held until then, and pass as one piece each; a text replaces a
 * denied one. The content alone decides what is asked, never the finish reason. Other content of a choice passes at once, in its original
 * bytes.
 */
export function createChatStream(options: StreamOptions): ModelStream {
  return new ChatStream(options);
}

class ChatStream implements ModelStream {
  readonly keepAlive = ': clawai\n\n';
  readonly #options: StreamOptions;
  readonly #plain = new PlainChunk();
  readonly #pending: PendingChunks;
  readonly #choices = new Map<number, Choice>();
  readonly #room: HeldRoom;
  /** The continuation of the pending question. */
  #onAnswer: ((verdict: CallVerdict) => void) | undefined;
  #answerId: string | undefined;
  /** The last parsed chunk. */
  #last: Chunk | undefined;
  #hasEnded = false;
  #isPumping = false;
  /** True once nothing more passes. */
  #isOver = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#room = { left: options.maxHeld };
    this.#pending = new PendingChunks(options.maxHeld);
  }

  get isHolding(): boolean {
    if (this.#isOver) return false;
    if (this.#isWaiting) return true;
    return this.#choices.values().some((choice) => choice.isHolding);
  }

  push(event: SseEvent): void {
    if (this.#isOver) return;
    const { data } = event;
    if (data === undefined) {
      if (event.isPlain && isComment(event)) this.#options.output.pass(event);
      return;
    }
    if (event.isFramePlain && event.event === undefined && this.#plain.read(data, event.dataStart, event.dataEnd)) {
      if (this.#takePlain(event, data)) return;
    }
    const chunk = readChunk(event, data);
    if (typeof chunk === 'string') this.fail(chunk);
    else if (chunk.kind === 'done') {
      this.#pending.addLast(() => this.#endByDone());
      this.#pump();
    } else if (chunk.kind === 'chunk' || chunk.kind === 'error') {
      const unknown = this.#options.passesUnknown === true ? undefined : findUnknownCall(chunk.payload, 'delta');
      if (unknown !== undefined) this.fail(unknown);
      else if (chunk.kind === 'error') this.#endByError(chunk, event);
      else this.#push(chunk, event);
    }
  }

  answer(verdict: CallVerdict): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(verdict);
    this.#pump();
  }

  end(rest?: Buffer): void {
    if (rest !== undefined) visitRest(rest, (event) => this.push(event));
    this.#hasEnded = true;
    this.#pump();
  }

  fail(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onAnswer = undefined;
    this.#pending.clear();
    const data = formatError(formatEnd(why), 'server');
    this.#options.output.text(formatSseEvent({ data }));
    this.#options.output.fault(why);
  }

  get #isWaiting(): boolean {
    return this.#onAnswer !== undefined || !this.#pending.isEmpty;
  }

  /** Takes a chunk that was recognised by its bytes. False if it must be parsed. */
  #takePlain(event: SseEvent, data: Buffer): boolean {
    const { kind, choice, call } = this.#plain;
    if (this.#pending.isBlocked(choice)) return false;
    if (kind === 'input') {
      const open = this.#choices.get(choice)?.callAt(call);
      if (open?.mode === undefined || (open.isLive && open.out !== call)) return false;
      open.addInput(this.#plain.text(data));
      if (!open.isLive) return true;
    }
    this.#options.output.pass(event);
    return true;
  }

  #push(chunk: Chunk, event: SseEvent): void {
    const isEndOfCalls = chunk.choices.some((choice) => this.#endsCalls(choice));
    if (this.#pending.isChunkBlocked(chunk) || (isEndOfCalls && this.#isWaiting)) {
      this.#pending.add(chunk, () => this.#take(chunk, undefined));
      if (this.#pending.isTooMuch) this.fail('more than may be held while a call is decided');
      return;
    }
    this.#take(chunk, event);
    this.#pump();
  }

  #endsCalls(choice: ChunkChoice): boolean {
    if (choice.finish === undefined) return false;
    const { length } = this.#choices.get(choice.index)?.openCalls ?? [];
    return length > 0 || choice.toolCalls.length > 0 || choice.functionCall !== undefined;
  }

  /** Takes a chunk in its turn. @param event the original event, if it came just now */
  #take(chunk: Chunk, event: SseEvent | undefined): void {
    const { id } = chunk.payload;
    if (typeof id === 'string' && id !== '') this.#answerId = id;
    this.#last = chunk;
    const { nameVerdict } = this.#options;
    const fates = chunk.choices.map((part) => this.#choiceAt(part.index).take(part, { answer: this.#answerId, nameVerdict }));
    if (this.#choices.size > MOST || [...this.#choices.values()].some(({ openCalls }) => openCalls.length > MOST))
      return this.fail('more calls than anybody makes');
    if (this.#options.passesUnknown !== true && chunk.choices.some(({ index }) => this.#choiceAt(index).isAstray))
      return this.fail('a call that goes on as another one');
    const ended = chunk.choices.filter(({ index, finish }) => finish !== undefined && this.#choiceAt(index).openCalls.length > 0);
    if (ended.length > 0) return this.#endCalls(chunk, event, { fates, ended });
    const isWhole = fates.every((fate, at) => !isTouched(fate, chunk.choices[at]));
    const data = isWhole ? chunk.data : withoutHeld(chunk, fates);
    // Similar chunks contain no more than this one.
    if (isWhole || data === undefined) this.#plain.learn(chunk);
    if (data !== undefined) this.#write(chunk, event, this.#withReasons(chunk, data));
  }

  /** Handles a chunk that ends choices with calls: these are asked about before the end passes. */
  #endCalls(
    chunk: Chunk,
    event: SseEvent | undefined,
    { fates, ended }: { readonly fates: readonly ChoiceFate[]; readonly ended: readonly ChunkChoice[] },
  ): void {
    const isAllLive = chunk.choices.every((choice, at) => {
      const fate = fates[at];
      return fate !== undefined && !isTouched(fate, choice) && !this.#choiceAt(choice.index).isHolding;
    });
    const isEnded = (choice: ChunkChoice): boolean => ended.includes(choice);
    const { before, end } = isAllLive ? { before: undefined, end: chunk.data } : splitAtEnd(chunk, fates, isEnded);
    if (before !== undefined) this.#write(chunk, undefined, before);
    // The event's bytes are only valid until this method returns.
    let live = isAllLive ? event : undefined;
    this.#pending.block(ended.map(({ index }) => index));
    this.#askAll(
      ended.map(({ index }) => this.#choiceAt(index)),
      envelopeOf(chunk),
      () => this.#write(chunk, live, this.#withReasons(chunk, end)),
    );
    this.#pump();
    live = undefined;
  }

  /** Asks about the calls of choices, one after the other, before anything else in the queue; `then` follows. */
  #askAll(choices: readonly Choice[], envelope: Envelope, then: () => void): void {
    const questions = choices.flatMap((choice) =>
      choice.closeCalls().map((call) => () => {
        // A call without a name can't be run, but it is decided all the same.
        call.mode ??= this.#options.nameVerdict(call.named()) === 'deny' ? 'deny' : 'hold';
        this.#ask(call.complete(), (verdict) => this.#settle(choice, call, { verdict, envelope }));
      }),
    );
    this.#pending.prepend([...questions, then]);
  }

  #settle(
    choice: Choice,
    call: OpenCall,
    { verdict, envelope }: { readonly verdict: CallVerdict; readonly envelope: Envelope },
  ): void {
    const isAllowed = verdict.isAllowed && (call.isLive || call.isReleasable);
    // Sent content can't be taken back; without the end of its choice the call will not be run.
    if (!isAllowed && call.isLive) return this.fail(`a call of ${JSON.stringify(call.name)} that must not be run`);
    choice.tally(isAllowed);
    if (!isAllowed) {
      const note = noteOf(verdict.isAllowed ? undefined : verdict.note, call);
      const content = noteBehind(note, choice.hasText);
      choice.hasText = true;
      this.#writeOwn(envelope, choice.index, JSON.stringify({ content }));
    } else if (!call.isLive) {
      const text = call.isLegacy ? call.format(0) : `[${call.format(choice.takeOut())}]`;
      this.#writeOwn(envelope, choice.index, `{"${call.isLegacy ? 'function_call' : 'tool_calls'}":${text}}`);
    }
    call.clear();
  }

  #endByDone(): void {
    const open = [...this.#choices.values()].filter(({ openCalls }) => openCalls.length > 0);
    const end = (): void => {
      this.#options.output.text(formatSseEvent({ data: DONE }));
      this.#stop();
    };
    if (open.length === 0 || this.#last === undefined) return end();
    this.#askAll(open, envelopeOf(this.#last), end);
  }

  /** Ends the stream with upstream's own error, which drops held content. */
  #endByError(chunk: Chunk, event: SseEvent): void {
    if (chunk.choices.some(({ toolCalls, functionCall }) => toolCalls.length > 0 || functionCall !== undefined))
      return this.fail('a call beside an error');
    this.#write(chunk, event, chunk.data);
    this.#stop();
  }

  #ask(call: ModelCall, onAnswer: (verdict: CallVerdict) => void): void {
    this.#onAnswer = onAnswer;
    this.#options.output.ask(call);
  }

  /** Runs queued steps in order, until an answer is needed. */
  #pump(): void {
    // A synchronous answer re-enters this method.
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (!this.#isOver && this.#onAnswer === undefined && !this.#pending.isEmpty) this.#pending.runNext();
    this.#isPumping = false;
    if (this.#isWaiting) return;
    this.#pending.unblock();
    if (this.#hasEnded && !this.#isOver) this.#stop();
  }

  /** Stops the stream. Unfinished calls are asked about, so that they are recorded. */
  #stop(): void {
    this.#isOver = true;
    this.#pending.clear();
    const open = [...this.#choices.values()].flatMap((choice) => choice.closeCalls());
    const tell = (): void => {
      const call = open.shift();
      if (call !== undefined) this.#ask(call.incomplete(), tell);
    };
    if (this.#onAnswer === undefined) tell();
    else this.#onAnswer = tell;
  }

  #choiceAt(index: number): Choice {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice = new Choice(index, this.#room);
    this.#choices.set(index, choice);
    return choice;
  }

  /** Returns the payload with other finish reasons for choices that have nothing left to run. */
  #withReasons({ choices }: Chunk, data: string): string {
    const isWrong = choices.some(({ index, finish }) => isToolReason(finish) && this.#choiceAt(index).isNothingLeft);
    return isWrong ? withoutToolReason(data, (index) => this.#choiceAt(index).isNothingLeft) : data;
  }

  #writeOwn(envelope: Envelope, index: number, delta: string): void {
    this.#options.output.text(formatSseEvent({ data: formatOwnChunk(envelope, index, delta) }));
  }

  #write(chunk: Chunk, event: SseEvent | undefined, data: string): void {
    const { output } = this.#options;
    if (event !== undefined && chunk.isPlain && data === chunk.data) output.pass(event);
    else output.text(formatChunk(chunk, data));
  }
}
