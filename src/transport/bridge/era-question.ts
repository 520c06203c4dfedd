import { randomUUID } from 'node:crypto';
import type { Meeting, Met } from '../../protocol/eras/meeting.ts';
import { idText } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';

/** Milliseconds that a server gets to answer. */
const PATIENCE = 10_000;

interface EraQuestionOptions {
  readonly newId: () => string;
  /** Sends the server a line. */
  readonly send: (line: Buffer) => void;
  /** Called once it is clear what the server speaks. */
  readonly settle: (met: Met) => void;
}

/** Our question to a server about what it speaks, while it has no answer: one question after the other, until that is clear. */
export class EraQuestion {
  readonly #options: EraQuestionOptions;
  #open: { readonly meeting: Meeting; readonly id: string; readonly timer: NodeJS.Timeout } | undefined;

  constructor(options: EraQuestionOptions) {
    this.#options = options;
  }

  ask(meeting: Meeting): void {
    const id = this.#options.newId();
    this.#open = { meeting, id, timer: setTimeout(() => this.#answered(undefined), PATIENCE).unref() };
    this.#options.send(meeting.question(id));
  }

  /** Takes a message of the server's. False if it does not answer the question. */
  take(message: Message): boolean {
    const isAnswer = message.kind === 'response' && this.#open?.id === idText(message);
    if (isAnswer) this.#answered(message);
    return isAnswer;
  }

  /** Asks no more. */
  drop(): void {
    clearTimeout(this.#open?.timer);
    this.#open = undefined;
  }

  /** @param message undefined if no answer came in time */
  #answered(message: Message | undefined): void {
    const meeting = this.#open?.meeting;
    if (meeting === undefined) return;
    this.drop();
    const met = meeting.answered(message);
    if ('kind' in met) this.#options.settle(met);
    else this.ask(met);
  }
}

/** Returns a function whose every result is an id that nobody else has, as JSON text. */
export function createIds(): () => string {
  const prefix = `clawai-${randomUUID()}`;
  let count = 0;
  return () => JSON.stringify(`${prefix}-${++count}`);
}
