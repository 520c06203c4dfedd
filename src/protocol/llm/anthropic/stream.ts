import { formatSseEvent } from '../../sse/event.ts';
import type { SseEvent } from '../../sse/splitter.ts';
import { CallStream } from '../call-stream.ts';
import type { CallVerdict, ModelCall, ModelStream, StreamOptions } from '../dialect.ts';
import { isObject } from '../json-object.ts';
import { formatEnd, noteOf, WITHHELD_RESULT } from '../note.ts';
import { formatFrame, type Frame } from '../typed-frame.ts';
import { BlockPlaces } from './block-places.ts';
import { CallTally, formatTextBlock, readCallBlock, resultOf } from './call-block.ts';
import { errorBody } from './errors.ts';
import { atIndex, indexOf, messageId, withoutToolReason } from './frame.ts';
import { readKnownFrame } from './known-types.ts';
import { OpenCall } from './open-call.ts';
import { PlainDelta } from './plain-delta.ts';
import { applyPrefilled, type Prefilled, readPrefilled } from './prefilled.ts';

/**
 * Processes a streamed answer of the Anthropic Messages API for the client.
 *
 * The types of blocks alone decide what is asked, never the message's stop reason. The end of a call's block passes only after the call was
 * asked about, since clients run it then, and nothing of the next block passes before. A text block replaces a denied call.
 */
export function createAnthropicStream(options: StreamOptions): ModelStream {
  return new AnthropicStream(options);
}

class AnthropicStream extends CallStream {
  readonly keepAlive = 'event: ping\ndata: {"type": "ping"}\n\n';
  readonly #plain = new PlainDelta();
  readonly #places = new BlockPlaces();
  readonly #tally = new CallTally();
  /** The call whose block is open; there is only one, since events of other blocks wait for its end. */
  #current: OpenCall | undefined;
  /** The message, once it has begun. */
  #begun: { readonly id: string | undefined } | undefined;

  protected get isBehind(): boolean {
    return this.#current !== undefined && (this.#current.mode !== 'allow' || this.pending.hasBehind);
  }

  protected get unfinished(): ModelCall | undefined {
    return this.#current?.incomplete();
  }

  protected read(event: SseEvent, data: Buffer): void {
    if (event.isFramePlain && event.event === 'content_block_delta' && this.#plain.read(data, event.dataStart, event.dataEnd)) {
      if (this.#takePlain(event, data)) return;
    }
    const frame = readKnownFrame(event, data, this.options.passesUnknown);
    if (typeof frame === 'string') this.fail(frame);
    else if (frame.type === 'ping') this.write(frame, event);
    else if (frame.type === 'error') this.#endMessageBy(frame, event);
    else if (this.isWaiting) this.wait(() => this.pending.add(frame));
    else {
      this.take(frame, event);
      this.pump();
    }
  }

  protected formatFault(why: string): string {
    return formatSseEvent({ event: 'error', data: errorBody('api_error', formatEnd(why)) });
  }

  /** Passes a delta that was recognised by its bytes. False if it must be parsed. */
  #takePlain(event: SseEvent, data: Buffer): boolean {
    const { index, kind } = this.#plain;
    const block = this.#places.get(index);
    if (block === undefined || block.isWithheld || block.out !== index || this.isAsking) return false;
    const current = this.#current;
    if (current !== undefined) {
      if (current.index !== index || kind !== 'input') return false;
      current.takeInput(this.#plain.text(data), () => event.bytes.toString('utf8', event.start, event.end));
      if (current.mode !== 'allow') return true;
    }
    this.options.output.pass(event);
    return true;
  }

  /** Takes an event in its turn. @param event the original event, if it came just now */
  protected take(frame: Frame, event: SseEvent | undefined): void {
    switch (frame.type) {
      case 'message_start':
        return this.#startMessage(frame, event);
      case 'content_block_start':
        return this.#startBlock(frame, event);
      case 'content_block_delta':
      case 'content_block_stop':
        return this.#continueBlock(frame, event);
      case 'message_delta':
      case 'message_stop':
        return this.#endMessage(frame, event);
      default:
        if (!this.isBehind) this.write(frame, event);
        else this.wait(() => this.pending.addBehind(frame));
    }
  }

  #startMessage(frame: Frame, event: SseEvent | undefined): void {
    if (this.#begun !== undefined || !this.#places.isEmpty) return this.fail('a message that begins twice');
    this.#begun = { id: messageId(frame) };
    const prefilled = readPrefilled(frame);
    if (prefilled === undefined) return this.fail('a block that cannot be read');
    this.#places.begin(prefilled.count);
    if (prefilled.calls.length === 0) return this.write(frame, event);
    const verdicts: CallVerdict[] = [];
    const questions = prefilled.calls.map(({ call }) => () => {
      this.options.nameVerdict({ ...call, args: undefined, problem: undefined });
      this.ask(call, (verdict) => {
        this.#tally.add(call, verdict.isAllowed);
        verdicts.push(verdict);
      });
    });
    this.pending.prepend([...questions, () => this.#finishPrefilled(frame, prefilled, verdicts)]);
  }

  #finishPrefilled(frame: Frame, prefilled: Prefilled, verdicts: readonly CallVerdict[]): void {
    const { data, kept, notes } = applyPrefilled(frame, prefilled, verdicts);
    this.write(frame, undefined, data);
    if (notes.length > 0) this.#places.keep(kept);
    for (const note of notes) this.options.output.text(formatTextBlock(this.#places.take(), note));
  }

  #startBlock(frame: Frame, event: SseEvent | undefined): void {
    const index = indexOf(frame);
    const block = frame.payload['content_block'];
    if (index === undefined || !isObject(block)) return this.fail('a block that cannot be read');
    if (this.#current !== undefined) {
      // Another model continues after the first one declined: its call is void.
      const isEnd = index === this.#current.index || block['type'] === 'fallback';
      return isEnd ? this.#abandon(this.#current, frame) : this.wait(() => this.pending.addBehind(frame));
    }
    const call = readCallBlock(block, this.#begun?.id);
    if (call === 'unreadable') return this.fail('a call that cannot be read');
    const isWithheld = this.#tally.isWithheld(resultOf(block));
    const out = this.#places.open(index, isWithheld);
    if (isWithheld) this.options.output.text(formatTextBlock(out, WITHHELD_RESULT));
    else if (call === undefined) this.write(frame, event, atIndex(frame, out));
    else {
      const { nameVerdict, maxHeld } = this.options;
      this.#current = new OpenCall(call, { mode: nameVerdict(call), index, out, start: frame, maxHeld });
      this.#continueCall(this.#current, frame, event);
    }
  }

  #continueBlock(frame: Frame, event: SseEvent | undefined): void {
    const index = indexOf(frame);
    const delta = frame.payload['delta'];
    if (index === undefined) return this.fail('a block that cannot be read');
    const current = this.#current;
    if (current !== undefined && index !== current.index) return this.wait(() => this.pending.addBehind(frame));
    const block = this.#places.get(index);
    // Clients would add it to a finished block, or to another one.
    if (block === undefined) return;
    const isStop = frame.type === 'content_block_stop';
    if (isStop) this.#places.close(index);
    if (block.isWithheld) return;
    if (current === undefined) return this.write(frame, event, atIndex(frame, block.out));
    if (isStop) return this.#endCall(current, frame, event);
    if (!isObject(delta)) return this.fail('a part of a call that cannot be read');
    if (delta['type'] === 'input_json_delta') {
      const partial = delta['partial_json'];
      if (typeof partial !== 'string') return this.fail('a part of a call that cannot be read');
      current.takeInput(partial, () => formatFrame(frame, atIndex(frame, current.out)));
      if (current.mode !== 'allow') return;
    }
    this.#continueCall(current, frame, event);
  }

  #endCall(current: OpenCall, frame: Frame, event: SseEvent | undefined): void {
    // The event's bytes are only valid until this method returns.
    let live = event;
    const end = () => this.write(frame, live, atIndex(frame, current.out));
    this.ask(current.complete(), (verdict) => this.#settle(current, verdict, end));
    live = undefined;
  }

  #continueCall(current: OpenCall, frame: Frame, event: SseEvent | undefined): void {
    const data = atIndex(frame, current.out);
    if (current.mode === 'allow') this.write(frame, event, data);
    else if (current.mode === 'hold') current.hold(formatFrame(frame, data));
  }

  #endMessage(frame: Frame, event: SseEvent | undefined): void {
    if (this.#current !== undefined) return this.#abandon(this.#current, frame);
    if (frame.type === 'message_stop') return this.#endMessageBy(frame, event);
    this.write(frame, event, this.#tally.isNothingLeft ? withoutToolReason(frame) : frame.data);
  }

  /** Ends the stream with its last event: the message's end, or upstream's own error, which drops held content. */
  #endMessageBy(frame: Frame, event: SseEvent | undefined): void {
    this.write(frame, event);
    this.stop();
  }

  /** Gives up the open call, which will not be complete; `frame` comes after its replacement. */
  #abandon(current: OpenCall, frame: Frame): void {
    // A live call may end early with its message only if its arguments make no difference.
    const isEnd = current.mode === 'allow' && frame.type === 'message_delta' && !this.pending.hasBehind;
    this.pending.addBehind(frame);
    this.#places.close(current.index);
    this.ask(current.incomplete(), (verdict) => {
      this.#settle(current, verdict.isAllowed && !isEnd ? { isAllowed: false, note: '' } : verdict, () => undefined);
    });
  }

  /** @param end passes the event that ends the call's block */
  #settle(current: OpenCall, verdict: CallVerdict, end: () => void): void {
    const { call, mode, out } = current;
    const isAllowed = verdict.isAllowed && (mode === 'allow' || (mode === 'hold' && !current.isTooLong));
    // Sent content can't be taken back; without its end the call will not be run.
    if (!isAllowed && mode === 'allow') return this.fail(`a call of ${JSON.stringify(call.name)} that must not be run`);
    this.#tally.add(call, isAllowed);
    if (isAllowed) {
      if (mode === 'hold') current.release((frames) => this.options.output.own(frames));
      end();
    } else this.options.output.text(formatTextBlock(out, noteOf(verdict.isAllowed ? undefined : verdict.note, call)));
    this.#current = undefined;
    this.pending.releaseBehind();
  }
}
