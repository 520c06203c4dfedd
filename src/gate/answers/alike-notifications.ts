import { CALL_METHODS } from '../../core/call.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import { readMessage } from '../../protocol/jsonrpc.ts';
import type { Message, Span } from '../../protocol/message.ts';
import { BytesTemplate, MOST_TEMPLATE, type TemplateValue } from '../../protocol/sse/bytes-template.ts';
import type { SseEvent } from '../../protocol/sse/event.ts';
import type { Connection } from '../connection.ts';
import { type MessagePart, partOfMessage } from '../detection/message-part.ts';
import { reviewedServerVariant } from '../messages/server-requests.ts';
import { TASK_NEWS } from './tasks.ts';
import { QUOTE, COLON } from '../../protocol/json-bytes.ts';

/** Bounds of the remembered methods, since peers choose their names. */
const MOST_KNOWN = 64;
const LONGEST_METHOD = 128;

const NUMBER = /[-+.\deE]+/y;
const DIGITS = /^\d+$/;
const ID_LINE = /(?:^|\n)id: ?(.+)/;

/** Events judged one by one before one of them is learned: most streams have fewer. */
const PATIENCE = 4;
const MOST_PATIENCE = 4096;

/** Facts about the learned notification besides its bytes. */
interface Known {
  readonly method: string;
  readonly policy: CompiledPolicy;
  readonly part: MessagePart | undefined;
  /** Bytes of the frame behind its params. */
  readonly behind: number;
}

/**
 * Recognises a server's notifications that differ only in words and counts in their params, as progress does, each in a frame of its
 * stream. If one of them passed and would have passed whatever its params say, the others pass by their bytes alone: no reader sees other
 * keys or another method in them.
 */
export class AlikeNotifications {
  readonly #connection: Connection;
  readonly #plain: PlainNotifications;
  readonly #template = new BytesTemplate();
  #known: Known | undefined;
  /** Events judged since one was last learned or recognised, and how many must be judged before the next is learned. */
  #judged = 0;
  #patience = PATIENCE;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#plain = new PlainNotifications(connection.setup.server);
  }

  /** Tells whether a server's message passes whatever its params say. */
  passes(message: Message): boolean {
    return this.#plain.passes(message, this.#connection.setup.policy.current());
  }

  /** Learns an event that was judged and passed, and that every reader reads alike. */
  learn(event: SseEvent): void {
    // Events that all differ would be learned one after the other, so the wait doubles each time.
    if (this.#judged++ < this.#patience) return;
    this.#judged = 0;
    this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
    this.#forget();
    const { bytes, start, end, data, dataStart, dataEnd } = event;
    if (data !== bytes || end - start > MOST_TEMPLATE) return;
    const message = readMessage(this.#connection.scanner, bytes, dataStart, dataEnd);
    const { method, params } = message;
    const policy = this.#connection.setup.policy.current();
    const isHeeded = method === 'notifications/cancelled' || TASK_NEWS.has(method ?? '');
    if (method === undefined || params === undefined || isHeeded || !this.passes(message)) return;
    const values = [...this.#idOf(event), ...this.#valuesIn(bytes, params)].toSorted((a, b) => a.start - b.start);
    this.#template.learn(bytes, { start, end, mark: params.start }, values);
    const part = policy.policy.detection.enabled ? partOfMessage(message) : undefined;
    this.#known = { method, policy, part, behind: end - params.end };
  }

  /**
   * Passes the known frames that begin at `from`. Never throws.
   *
   * @param most bytes that a frame may have
   * @returns the end of the last one, or `from` if there is none
   */
  pass(bytes: Buffer, from: number, most: number): number {
    if (this.#known === undefined) return from;
    try {
      return this.#pass(this.#known, bytes, { from, most });
    } catch {
      // These events are judged one by one, which is guarded.
      this.#forget();
      return from;
    }
  }

  #pass(known: Known, bytes: Buffer, { from, most }: { readonly from: number; readonly most: number }): number {
    const { tally, scans, setup, texts } = this.#connection;
    const isSame = this.#connection.refreshPolicy() && setup.policy.current() === known.policy;
    if (!isSame || scans.holds || texts.holds) {
      this.#forget();
      return from;
    }
    let at = from;
    let count = 0;
    let busy = 0;
    let isFull = false;
    for (;;) {
      const end = this.#template.match(bytes, at, bytes.length - at > most ? at + most : bytes.length);
      if (end === -1) break;
      count++;
      at = end;
      if (known.part === undefined) continue;
      if (isFull) {
        busy++;
        continue;
      }
      texts.note({ bytes }, { ...known.part, span: { start: this.#template.mark, end: end - known.behind } });
      ({ isFull } = texts);
    }
    if (count === 0) return from;
    tally.countServer(known.method, count);
    if (busy > 0) tally.countScan('busy', busy);
    this.#judged = 0;
    this.#patience = PATIENCE;
    return at;
  }

  #forget(): void {
    this.#known = undefined;
    this.#template.forget();
  }

  /** The event's id, which differs each time. */
  #idOf({ bytes, start, dataStart, id }: SseEvent): TemplateValue[] {
    const line = id === undefined ? null : ID_LINE.exec(bytes.toString('latin1', start, dataStart));
    if (line === null) return [];
    const to = start + line.index + line[0].length;
    return [{ kind: 'printable', start: to - (line[1] ?? '').length, end: to }];
  }

  /** Strings and numbers, without the keys. */
  #valuesIn(bytes: Buffer, params: Span): TemplateValue[] {
    const { scanner } = this.#connection;
    const values: TemplateValue[] = [];
    const text = bytes.toString('latin1', params.start, params.end);
    for (let at = params.start; at < params.end;) {
      if (bytes[at] === QUOTE) {
        scanner.reset(bytes, at, params.end);
        scanner.skipString();
        const end = scanner.pos;
        if (scanner.peek() !== COLON) values.push({ kind: 'string', start: at, end });
        at = end;
        continue;
      }
      NUMBER.lastIndex = at - params.start;
      const number = NUMBER.exec(text)?.[0] ?? '';
      if (DIGITS.test(number)) values.push({ kind: 'digits', start: at, end: at + number.length });
      at += Math.max(number.length, 1);
    }
    return values;
  }
}

/** Methods of a server's notifications that nobody can deny and nobody is asked about; thousands may come in a row, such as progress. */
export class PlainNotifications {
  readonly #server: string;
  #policy: CompiledPolicy | undefined;
  readonly #known = new Set<string>();

  constructor(server: string) {
    this.#server = server;
  }

  /** Tells whether a server's message is such a notification. A cancellation is one too, though it is also acted on. */
  passes({ kind, method = '', inputRequests }: Message, policy: CompiledPolicy): boolean {
    return kind === 'notification' && inputRequests === undefined && this.has(method, policy);
  }

  /** Tells whether such a notification passes under this policy whatever it contains. */
  has(method: string, policy: CompiledPolicy): boolean {
    if (policy !== this.#policy) this.#known.clear();
    this.#policy = policy;
    if (this.#known.has(method)) return true;
    // A reader that drops invalid characters may see the name of a call.
    const mayBeCall = CALL_METHODS.has(method) || method.includes('\ufffd') || reviewedServerVariant(method) !== undefined;
    if (mayBeCall || policy.mayStop({ method, server: this.#server })) return false;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    if (method.length <= LONGEST_METHOD) this.#known.add(method);
    return true;
  }
}
